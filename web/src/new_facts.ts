import * as api from "./api";
import { Combobox } from "./combobox";
import { announce, h, label, show } from "./dom";
import { factList, marksBar } from "./fact_list";
import { count } from "./format";
import type { Marks } from "./marks";
import { go, link } from "./navigate";
import { notice, problemBox } from "./problem";
import { ask, MOST, newFacts, type NewFactsRoute } from "./route";
import { download, tsv } from "./tsv";

const THRESHOLDS = [0, 0.1, 0.25, 0.5, 0.75, 0.9];

/** The facts that the graph lacks, most probable first, over all relations or as the filters say. */
export class NewFactsView {
  readonly element: HTMLElement;
  private readonly relation = new Combobox({
    id: "new-relation",
    name: "Relation",
    placeholder: "all relations",
    suggest: (text, signal) => api.search("relations", text, 100, signal),
    commit: (relation) => this.filter({ relation }),
  });
  private readonly type = new Combobox({
    id: "new-type",
    name: "Type of the head",
    placeholder: "any, such as a class",
    suggest: (text, signal) => api.search("entities", text, 12, signal),
    commit: (type) => this.filter({ type }),
  });
  private readonly atLeast = h(
    "select",
    { id: "at-least", change: () => this.filter({ atLeast: Number(this.atLeast.value) }) },
    ...THRESHOLDS.map((value) => h("option", { value }, value === 0 ? "any" : `at least ${100 * value} %`)),
  );
  private readonly gaps = h("input", {
    type: "checkbox",
    change: () => this.filter({ gaps: this.gaps.checked }),
  });
  private readonly about = h("p", { class: "chips small", hidden: true });
  private readonly body = h("div", { class: "body" });
  private route = newFacts({});
  private request = new AbortController();

  constructor() {
    const threshold = h(
      "div",
      { class: "combobox" },
      h("label", { for: "at-least" }, "Probability"),
      h("div", { class: "field" }, this.atLeast),
    );
    this.element = h(
      "div",
      { class: "new" },
      h("h1", { tabindex: -1 }, "New facts"),
      h("p", { class: "soft" }, "Facts that are missing from the graph, the most probable first."),
      h(
        "form",
        { class: "question filters", "aria-label": "Filters", submit: (event: Event) => event.preventDefault() },
        this.relation.element,
        this.type.element,
        threshold,
        h("label", { class: "check" }, this.gaps, " Gaps only"),
      ),
      this.about,
      this.body,
    );
    this.gaps.parentElement!.title = "Only facts whose head has no known fact of the relation";
  }

  title(): string {
    const { relation, entity } = this.route;
    return ["New facts", relation, entity].filter((part) => part !== "").join(" · ");
  }

  focus(): void {
    this.relation.focus();
  }

  async update(route: NewFactsRoute): Promise<void> {
    this.route = route;
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    this.showFilters(route);
    this.element.setAttribute("aria-busy", "true");
    const slow = window.setTimeout(() => announce("Searching for new facts"), 1000);
    try {
      const [found, marks] = await Promise.all([api.newFactsOf(route, signal), api.marksOfModel()]);
      if (signal.aborted) return;
      show(this.body, ...this.list(route, found, marks, signal));
    } catch (error) {
      if (signal.aborted) return;
      show(
        this.body,
        problemBox(error, () => void this.update(this.route)),
      );
    } finally {
      window.clearTimeout(slow);
    }
    if (!signal.aborted) this.element.removeAttribute("aria-busy");
  }

  private filter(changed: Partial<NewFactsRoute>): void {
    go({ ...this.route, ...changed, k: newFacts({}).k });
  }

  private showFilters(route: NewFactsRoute): void {
    this.relation.value = route.relation;
    this.type.value = route.type;
    this.gaps.checked = route.gaps;
    this.atLeast.value = String(THRESHOLDS.findLast((value) => value <= route.atLeast));
    this.about.hidden = route.entity === "";
    if (this.about.hidden) return show(this.about);
    show(
      this.about,
      "Only facts about ",
      link(ask({ head: route.entity }), {}, label(route.entity)),
      link({ ...route, entity: "" }, { class: "chip" }, "Show all entities"),
    );
  }

  private list(route: NewFactsRoute, found: api.NewFacts, marks: Marks, signal: AbortSignal): HTMLElement[] {
    const { facts } = found;
    announce(facts.length === 0 ? "No new facts" : count(facts.length, "new fact"));
    const bar = marksBar(marks, signal);
    if (facts.length === 0) return [this.nothing(route), bar];
    const save = () =>
      download(
        "new_facts.tsv",
        tsv(facts.map(({ head, relation, tail, probability }) => [head, relation, tail, probability])),
      );
    const more = facts.length >= route.k && route.k < MOST;
    return [
      ...caveats(found),
      h(
        "div",
        { class: "list-bar" },
        h("span", {}, more ? `The first ${count(facts.length)}` : count(facts.length, "new fact")),
        h("button", { type: "button", class: "plain-button", click: save }, "Download list"),
        bar,
      ),
      factList("New facts", facts, marks, signal),
      h(
        "p",
        { class: "below" },
        more
          ? link({ ...route, k: Math.min(MOST, 4 * route.k) }, {}, "Show more")
          : facts.length >= MOST
            ? `This page lists ${count(MOST)} facts at most; greenkgc complete writes them all.`
            : "No more facts.",
      ),
    ];
  }

  private nothing(route: NewFactsRoute): HTMLElement {
    const all = newFacts({ entity: route.entity, relation: route.relation });
    const isFiltered = route.atLeast > 0 || route.gaps || route.type !== "";
    return notice(
      h("strong", {}, "No new facts."),
      isFiltered ? "No fact passes these filters." : "All facts that the model considers are already known.",
      ...(isFiltered ? [link(all, {}, "Show all")] : []),
    );
  }
}

/** What the list or its probabilities lack. */
function caveats({ missing_share: share, queries_left_out: leftOut }: api.NewFacts): HTMLElement[] {
  const sentences = [
    leftOut > 0 &&
      `This list was cut short: ${count(leftOut, "less promising query was", "less promising queries were")} not asked. Filters narrow the search; greenkgc complete has no such limit.`,
    share === null &&
      "This model assumes that every query has a missing answer, so the probabilities are too high here.",
  ];
  return sentences.flatMap((sentence) => (sentence ? [h("p", { class: "soft caveat" }, sentence)] : []));
}
