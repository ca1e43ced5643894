import * as api from "./api";
import { answerTable } from "./answers";
import { Combobox } from "./combobox";
import { drawDistribution, type DrawnChart } from "./distribution";
import { announce, h, label, show } from "./dom";
import { explanationPanel, factLine } from "./explanation";
import { count, percent } from "./format";
import type { DrawnGraph } from "./graph";
import { standing } from "./histogram";
import { go, link } from "./navigate";
import { pictureOf, shownEvidence } from "./neighbourhood";
import { meantLabels, notice, problemBox } from "./problem";
import { address, ask, asked, completed, MANY, newFacts, PARTS, type AskRoute, type Part, type Parts } from "./route";
import { onThemeChange } from "./theme";

const NAMES: Record<Part, string> = { head: "Head", relation: "Relation", tail: "Tail" };
const SHOWN_KNOWN = 8;
const HINTS: Record<Part, string> = { head: "an entity", relation: "a relation", tail: "an entity" };

function panel(title: string, kind: string): { section: HTMLElement; title: HTMLElement; body: HTMLElement } {
  const heading = h("h2", {}, title);
  const body = h("div", { class: "body" });
  return { section: h("section", { class: `panel ${kind}`, hidden: true, "aria-label": title }, heading, body), title: heading, body };
}

/** Ask for the missing part of a fact; see answers, why, and the graph around them. */
export class AskView {
  readonly element: HTMLElement;
  private readonly fields: Record<Part, Combobox>;
  private readonly message = h("div", { class: "message" });
  private readonly answers = panel("Answers", "answers-panel");
  private readonly why = panel("Why", "why-panel");
  private readonly around = panel("Around it", "around-panel");
  private readonly spread = panel("Scores of all candidates", "spread-panel");
  private readonly results: HTMLElement;
  private readonly known = h("p", { class: "chips small" });
  private route = ask({});
  private request = new AbortController();
  private predicted: { question: string; result: api.Predicted } | null = null;
  private graph: DrawnGraph | null = null;
  private chart: DrawnChart | null = null;
  private redrawChart = () => {};

  constructor() {
    const field = (part: Part) =>
      new Combobox({
        id: part,
        name: NAMES[part],
        placeholder: HINTS[part],
        suggest: (text, signal) => api.search(part === "relation" ? "relations" : "entities", text, part === "relation" ? 100 : 12, signal),
        commit: (value) => go({ ...this.route, answer: "", k: ask({}).k, [part]: value }),
      });
    this.fields = { head: field("head"), relation: field("relation"), tail: field("tail") };
    const swap = h("button", { type: "button", class: "swap", title: "Swap head and tail", "aria-label": "Swap head and tail", click: () => this.swap() }, "⇄");
    this.results = h(
      "div",
      { class: "results" },
      h("div", { class: "column" }, this.answers.section, this.around.section),
      h("div", { class: "column" }, this.why.section, this.spread.section),
    );
    this.element = h(
      "div",
      { class: "ask" },
      h("h1", { class: "unseen", tabindex: -1 }, "Ask"),
      h("form", { class: "question", role: "search", "aria-label": "Question", submit: (event: Event) => event.preventDefault() }, ...PARTS.map((part) => this.fields[part].element), swap),
      this.message,
      this.results,
    );
    onThemeChange(() => {
      this.graph?.restyle();
      this.redrawChart();
    });
    window.addEventListener("resize", () => this.redrawChart());
  }

  title(): string {
    const { head, relation, tail } = this.route;
    return [head || "?", relation || "?", tail || "?"].join(" · ");
  }

  focus(): void {
    const open = PARTS.find((part) => this.route[part] === "") ?? "head";
    this.fields[open].focus();
  }

  async update(route: AskRoute): Promise<void> {
    this.route = route;
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    const open = asked(route);
    for (const part of PARTS) {
      this.fields[part].value = route[part];
      this.fields[part].placeholder = part === open ? "?" : HINTS[part];
    }
    this.element.setAttribute("aria-busy", "true");
    try {
      await this.load(route, signal);
    } catch (error) {
      if (signal.aborted) return;
      this.hide(this.answers, this.spread, this.why, this.around);
      show(this.message, problemBox(error, () => void this.update(this.route), this.waysOut(error)));
    }
    if (!signal.aborted) this.element.removeAttribute("aria-busy");
  }

  /** Marks the field with the unknown label, and offers those that may have been meant. */
  private waysOut(error: unknown): HTMLElement[] {
    if (!(error instanceof api.ApiError) || error.code !== "unknown_label") return [];
    const unknown = PARTS.find((part) => this.route[part] !== "" && error.message.includes(`'${this.route[part]}'`));
    if (!unknown) return [];
    this.fields[unknown].setProblem("Not in the model");
    return meantLabels(error.message).map((meant) => link({ ...this.route, [unknown]: meant }, { class: "chip" }, label(meant)));
  }

  private load(route: AskRoute, signal: AbortSignal): Promise<void> {
    const given = PARTS.filter((part) => route[part] !== "").length;
    if (given === 0) return this.welcome(signal);
    if (given === 1) return route.relation ? this.relationOnly(route.relation) : this.explore(route, signal);
    if (given === 2) return this.question(route, signal);
    this.hide(this.answers, this.spread);
    return this.fact(route, route.tail, signal).then(() => {});
  }

  private hide(...panels: { section: HTMLElement }[]): void {
    for (const { section } of panels) section.hidden = true;
    show(this.message);
  }

  private swap(): void {
    const { head, relation, tail } = this.route;
    go(ask({ head: tail, relation, tail: head }));
  }

  private async welcome(signal: AbortSignal): Promise<void> {
    const [questions, relations] = await Promise.all([exampleQuestions(signal), api.search("relations", "", 24, signal)]);
    this.hide(this.answers, this.spread, this.why, this.around);
    show(
      this.message,
      h(
        "div",
        { class: "welcome" },
        h("p", { class: "lead" }, "Ask the graph for a fact that it lacks."),
        h("p", {}, "Give two parts of a fact; the one that you leave open is the question."),
        questions.length > 0 && h("p", { class: "chips" }, ...questions.map((parts) => link(ask(parts), { class: "chip" }, questionLine(parts)))),
        h("p", { class: "soft" }, "Or browse new facts of"),
        h("p", { class: "chips" }, ...relations.map((relation) => link(newFacts(relation), { class: "chip" }, label(relation)))),
      ),
    );
  }

  private async relationOnly(relation: string): Promise<void> {
    this.hide(this.answers, this.spread, this.why, this.around);
    show(this.message, notice("Now choose a head or a tail.", link(newFacts(relation), {}, "Or browse new facts of ", label(relation))));
  }

  /** One entity alone: what is known of it, and what could be asked. */
  private async explore(route: AskRoute, signal: AbortSignal): Promise<void> {
    const entity = route.head || route.tail;
    const [facts, alike] = await Promise.all([api.factsAround(entity, 200, signal), api.alike(entity, 8, signal)]);
    this.hide(this.answers, this.spread, this.why);
    const end = route.head ? "head" : "tail";
    const relations = [...new Set(facts.facts.filter((fact) => fact[end] === entity).map((fact) => fact.relation))].sort();
    const chips = relations.map((relation) => link(ask({ [end]: entity, relation }), { class: "chip" }, label(relation)));
    show(
      this.message,
      h(
        "div",
        { class: "welcome" },
        h("p", {}, chips.length > 0 ? "Now choose a relation, such as one that it has already:" : "Now choose a relation."),
        h("p", { class: "chips" }, ...chips),
        alike.length > 0 && h("p", { class: "soft" }, "Most alike: ", ...alike.flatMap((other, i) => [i > 0 ? ", " : "", link(ask({ [end]: other }), {}, label(other))])),
      ),
    );
    announce(`${count(relations.length, "relation")} of ${entity}`);
    await this.drawAround({ head: entity, relation: "", tail: "" }, null, facts, "", signal);
  }

  private async question(route: AskRoute, signal: AbortSignal): Promise<void> {
    const question = address({ ...route, answer: "" });
    const isNew = this.predicted?.question !== question;
    if (isNew) this.predicted = { question, result: await api.predict(route, route.k, route.known, signal) };
    const { answers, histogram } = this.predicted!.result;
    if (answers.length === 0) return this.nothing(route);
    const chosen = route.answer || answers[0]!.answer;
    this.showAnswers(route, answers, chosen);
    this.showSpread(histogram, answers.find(({ answer }) => answer === chosen)?.margin ?? null);
    if (isNew) announce(`${count(answers.length, "answer")}. The best: ${answers[0]!.answer}, ${percent(answers[0]!.probability)}`);
    const around = await this.fact(completed(route, chosen), chosen, signal);
    this.showKnown(route, answers, around, chosen);
  }

  /** Known answers that did not make it onto the list. */
  private showKnown(route: AskRoute, answers: api.Answer[], around: Parts[], chosen: string): void {
    const open = asked(route)!;
    const fits = (fact: Parts) => PARTS.every((part) => part === open || fact[part] === route[part]);
    const listed = new Set(answers.map(({ answer }) => answer));
    const others = [...new Set(around.filter(fits).map((fact) => fact[open]))].filter((answer) => !listed.has(answer));
    const some = others.slice(0, SHOWN_KNOWN).map((answer) => link({ ...route, answer }, { class: "chip", "aria-current": answer === chosen ? "true" : null }, label(answer)));
    const more = others.length - some.length;
    show(this.known, ...(some.length > 0 ? [h("span", { class: "soft" }, "Known already"), ...some, more > 0 ? h("span", { class: "soft" }, `and ${count(more)} more`) : null] : []));
  }

  private nothing(route: AskRoute): void {
    this.hide(this.answers, this.spread, this.why, this.around);
    const all = link({ ...route, known: true }, {}, "List known answers too");
    show(
      this.message,
      notice(
        h("strong", {}, "No answers."),
        route.known ? "The model has no candidates for this question. Try another entity or relation." : "All candidates are known already, and known answers are left out here.",
        ...(route.known ? [] : [all]),
      ),
    );
    announce("No answers");
  }

  private showAnswers(route: AskRoute, answers: api.Answer[], chosen: string): void {
    const { section, title, body } = this.answers;
    const focused = body.contains(document.activeElement);
    this.hide();
    show(title, questionLine(route));
    const choose = (answer: string, how: "push" | "replace") => go({ ...this.route, answer }, how);
    const known = h("input", { type: "checkbox", checked: route.known, change: () => go({ ...this.route, known: !route.known, answer: "" }) });
    const more = answers.length >= route.k && route.k < MANY;
    show(
      body,
      answerTable(`Answers to ${route.head || "?"} ${route.relation || "?"} ${route.tail || "?"}`, answers, chosen, choose),
      h(
        "p",
        { class: "below" },
        h("label", {}, known, " List known answers too"),
        more && link({ ...route, k: MANY }, {}, `Show ${MANY}`),
      ),
      this.known,
    );
    section.hidden = false;
    if (focused) body.querySelector<HTMLElement>("tr.chosen .pick")?.focus();
  }

  private showSpread(histogram: api.Histogram | undefined, margin: number | null): void {
    const { section, body } = this.spread;
    section.hidden = !histogram;
    if (!histogram) return;
    this.redrawChart = () => {
      this.chart?.destroy();
      const box = h("div", { class: "chart", "aria-hidden": "true" });
      const words = margin === null ? "" : standing(histogram, margin);
      show(body, box, h("p", { class: "soft" }, words, " Bars count candidates by their score, in log-odds."));
      this.chart = section.hidden ? null : drawDistribution(box, histogram, margin);
    };
    this.redrawChart();
  }

  /** Why one fact is thought likely or not, and what is around it. */
  private async fact(fact: Parts, answer: string, signal: AbortSignal): Promise<Parts[]> {
    const ends = [...new Set([fact.head, fact.tail])];
    const [explanation, ...facts] = await Promise.all([api.explain(fact, signal), ...ends.map((end) => api.factsAround(end, 80, signal))]);
    show(this.why.title, asked(this.route) ? h("span", {}, "Why ", label(answer), "?") : "How likely is it?");
    show(this.why.body, ...explanationPanel(explanation, answer));
    this.why.section.hidden = false;
    const around = { facts: facts.flatMap((some) => some.facts), truncated: facts.some((some) => some.truncated) };
    await this.drawAround(fact, explanation, around, answer, signal);
    return around.facts;
  }

  private async drawAround(fact: Parts, explanation: api.Explanation | null, around: api.FactsAround, answer: string, signal: AbortSignal): Promise<void> {
    const { drawGraph } = await import("./graph");
    if (signal.aborted) return;
    const { section, body } = this.around;
    const narrow = window.innerWidth < 640;
    const evidence = shownEvidence(explanation?.evidence ?? []);
    const picture = pictureOf(fact, explanation?.known ?? true, around.facts, evidence, fact.tail === "" ? (narrow ? 10 : 20) : narrow ? 4 : 6);
    this.graph?.destroy();
    const box = h("div", { class: "graph", "aria-hidden": "true" });
    const rows = picture.edges.map((edge) => h("tr", {}, ...PARTS.map((part) => h("td", {}, label(edge[part]))), h("td", {}, edge.kind === "asked" ? "asked" : "known")));
    const heads = [...PARTS.map((part) => NAMES[part]), "Is"].map((name) => h("th", { scope: "col" }, name));
    const table = h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows));
    section.hidden = false;
    show(this.around.title, h("span", {}, "Around ", label(fact.head), ...(fact.tail && fact.tail !== fact.head ? [" and ", label(fact.tail)] : [])));
    show(
      body,
      box,
      h("p", { class: "key soft" }, fact.tail !== "" && !explanation?.known && h("span", { class: "asked" }, "asked"), evidence.length > 0 && h("span", { class: "evidence" }, "evidence"), h("span", {}, "known")),
      h("details", {}, h("summary", {}, `The same as a table of ${count(rows.length, "fact")}`), h("div", { class: "wide" }, table)),
    );
    this.graph = drawGraph(box, picture, answer, (entity) => go(ask({ head: entity })));
  }
}

function questionLine(parts: Parts): HTMLElement {
  return factLine({ head: parts.head || "?", relation: parts.relation || "?", tail: parts.tail || "?" });
}

/** A few questions that the graph could answer by itself, each of an entity beside one of the first labels. */
async function exampleQuestions(signal: AbortSignal): Promise<Parts[]> {
  const labels = await api.search("entities", "", 4, signal);
  const question = async (from: string, i: number): Promise<Parts[]> => {
    const [first] = (await api.factsAround(from, 2, signal)).facts;
    if (!first) return [];
    const head = first.head;
    const own = (await api.factsAround(head, 60, signal)).facts.filter((fact) => fact.head === head);
    const relations = [...new Set(own.map((fact) => fact.relation))];
    return relations.length > 0 ? [{ head, relation: relations[(5 * i) % relations.length]!, tail: "" }] : [];
  };
  return (await Promise.all(labels.map(question))).flat();
}
