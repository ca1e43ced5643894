import * as api from "./api";
import { chip, chips } from "./chips";
import { Combobox } from "./combobox";
import { announce, h, label, show } from "./dom";
import { count } from "./format";
import { gaugeCell } from "./gauge";
import { go, link } from "./navigate";
import { notice, problemBox } from "./problem";
import { ask, MOST, newFacts, type NewFactsRoute } from "./route";

const THRESHOLDS = [0, 0.25, 0.5, 0.75, 0.9];
const LISTED_RELATIONS = 100;

/** The facts of a relation that the graph lacks, most probable first. */
export class NewFactsView {
  readonly element: HTMLElement;
  private readonly relation = new Combobox({
    id: "new-relation",
    name: "Relation",
    placeholder: "a relation",
    suggest: (text, signal) => api.search("relations", text, 100, signal),
    commit: (relation) => go({ ...this.route, relation, k: newFacts("").k }),
  });
  private readonly atLeast = h(
    "select",
    { id: "at-least", change: () => go({ ...this.route, atLeast: Number(this.atLeast.value) }) },
    ...THRESHOLDS.map((value) => h("option", { value }, value === 0 ? "any" : `at least ${100 * value} %`)),
  );
  private readonly body = h("div", { class: "body" });
  private route = newFacts("");
  private request = new AbortController();

  constructor() {
    const controls = h(
      "div",
      { class: "combobox" },
      h("label", { for: "at-least" }, "Probability"),
      h("div", { class: "field" }, this.atLeast),
    );
    this.element = h(
      "div",
      { class: "new" },
      h("h1", { tabindex: -1 }, "New facts"),
      h("p", { class: "soft" }, "Facts that are missing from the graph and that the model considers likely."),
      h(
        "form",
        { class: "question two", submit: (event: Event) => event.preventDefault() },
        this.relation.element,
        controls,
      ),
      this.body,
    );
  }

  title(): string {
    return this.route.relation ? `New facts: ${this.route.relation}` : "New facts";
  }

  focus(): void {
    this.relation.focus();
  }

  async update(route: NewFactsRoute): Promise<void> {
    this.route = route;
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    this.relation.value = route.relation;
    this.atLeast.value = String(THRESHOLDS.findLast((value) => value <= route.atLeast));
    this.element.setAttribute("aria-busy", "true");
    const slow = window.setTimeout(() => announce("Searching for new facts"), 1000);
    try {
      const shown = await (route.relation ? this.facts(route, signal) : this.relations(signal));
      show(this.body, ...shown);
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

  private async relations(signal: AbortSignal): Promise<HTMLElement[]> {
    const relations = await api.search("relations", "", LISTED_RELATIONS, signal);
    const more =
      relations.length === LISTED_RELATIONS
        ? [h("p", { class: "soft" }, "There are more relations; type part of a name above.")]
        : [];
    return [chips(relations.map((relation) => chip(newFacts(relation), label(relation)))), ...more];
  }

  private async facts(route: NewFactsRoute, signal: AbortSignal): Promise<HTMLElement[]> {
    const { facts } = await api.newFactsOf(route.relation, route.k, route.atLeast, signal);
    announce(facts.length === 0 ? "No new facts" : count(facts.length, "new fact"));
    if (facts.length === 0) return [this.nothing(route)];
    const row = (fact: api.NewFact, i: number) =>
      h(
        "tr",
        {},
        h("td", { class: "rank" }, i + 1),
        h(
          "th",
          { scope: "row" },
          link(ask({ head: fact.head, relation: fact.relation, tail: fact.tail }), {}, label(fact.head)),
        ),
        h("td", {}, label(fact.tail)),
        gaugeCell(fact.probability),
      );
    const more = facts.length >= route.k && route.k < MOST;
    return [
      h(
        "table",
        { class: "facts" },
        h("caption", { class: "unseen" }, `New facts of ${route.relation}; select a head for the explanation`),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            h("th", { scope: "col", class: "rank" }, "#"),
            ...["Head", "Tail"].map((name) => h("th", { scope: "col" }, name)),
            h("th", { scope: "col", class: "gauge" }, "Probability"),
          ),
        ),
        h("tbody", {}, ...facts.map(row)),
      ),
      h(
        "p",
        { class: "below" },
        more ? link({ ...route, k: Math.min(MOST, 4 * route.k) }, {}, "Show more") : "No more facts.",
      ),
    ];
  }

  private nothing(route: NewFactsRoute): HTMLElement {
    if (route.atLeast === 0)
      return notice(
        h("strong", {}, "No new facts."),
        "All candidate facts of this relation are already known.",
      );
    return notice(
      h("strong", {}, "No new facts."),
      `No fact has a probability of at least ${100 * route.atLeast} %.`,
      link({ ...route, atLeast: 0 }, {}, "Show all"),
    );
  }
}
