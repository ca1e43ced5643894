import * as api from "./api";
import { answerTable } from "./answers";
import { AroundPanel } from "./around_panel";
import { chip } from "./chips";
import { Combobox } from "./combobox";
import { announce, h, label, show } from "./dom";
import { EntityView } from "./entity_view";
import { explanationPanel } from "./explanation";
import { count, percent } from "./format";
import { go, link } from "./navigate";
import { exampleQuestions, questionLine, welcome } from "./welcome";
import { Panel } from "./panel";
import { meantLabels, notice, problemBox } from "./problem";
import { address, ask, asked, completed, MANY, newFacts, PARTS, type AskRoute, type Part, type Parts } from "./route";
import { SpreadPanel } from "./spread_panel";

const NAMES: Record<Part, string> = { head: "Head", relation: "Relation", tail: "Tail" };
const SHOWN_KNOWN = 8;
const HINTS: Record<Part, string> = { head: "an entity", relation: "a relation", tail: "an entity" };

const stacked = window.matchMedia("(max-width: 860px)"); // as in style.css: panels stand below each other

/** Ask for the missing part of a fact; see answers, why, and the graph around them. */
export class AskView {
  readonly element: HTMLElement;
  private readonly fields: Record<Part, Combobox>;
  private readonly message = h("div", { class: "message" });
  private readonly answers = new Panel("answers");
  private readonly why = new Panel("why");
  private readonly around = new AroundPanel();
  private readonly spread = new SpreadPanel();
  private readonly entity = new EntityView();
  private readonly known = h("p", { class: "chips small" });
  private route = ask({});
  private request = new AbortController();
  private wantsWhy = false; // an answer was chosen by hand
  private predicted: { question: string; result: api.Predicted } | null = null;

  constructor() {
    const field = (part: Part) =>
      new Combobox({
        id: part,
        name: NAMES[part],
        placeholder: HINTS[part],
        suggest: (text, signal) =>
          api.search(part === "relation" ? "relations" : "entities", text, part === "relation" ? 100 : 12, signal),
        commit: (value) => go({ ...this.route, answer: "", k: ask({}).k, [part]: value }),
      });
    this.fields = { head: field("head"), relation: field("relation"), tail: field("tail") };
    const swap = h(
      "button",
      {
        type: "button",
        class: "swap",
        title: "Swap head and tail",
        "aria-label": "Swap head and tail",
        click: () => this.swap(),
      },
      "⇄",
    );
    const results = h(
      "div",
      { class: "results" },
      h("div", { class: "column" }, this.answers.element, this.around.element),
      h("div", { class: "column" }, this.why.element, this.spread.element),
    );
    this.element = h(
      "div",
      { class: "ask" },
      h("h1", { class: "unseen", tabindex: -1 }, "Ask"),
      h(
        "form",
        {
          class: "question",
          role: "search",
          "aria-label": "Query",
          submit: (event: Event) => event.preventDefault(),
        },
        ...PARTS.map((part) => this.fields[part].element),
        swap,
      ),
      this.message,
      results,
      this.entity.element,
    );
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
      this.showMessage(problemBox(error, () => void this.update(this.route), this.waysOut(error)));
    }
    if (!signal.aborted) this.element.removeAttribute("aria-busy");
  }

  /** Marks the field with the unknown label, and offers those that may have been meant. */
  private waysOut(error: unknown): HTMLElement[] {
    if (!(error instanceof api.ApiError) || error.code !== "unknown_label") return [];
    const unknown = PARTS.find((part) => this.route[part] !== "" && error.message.includes(`'${this.route[part]}'`));
    if (!unknown) return [];
    this.fields[unknown].setProblem("Not in the model");
    return meantLabels(error.message).map((meant) => chip({ ...this.route, [unknown]: meant }, label(meant)));
  }

  private load(route: AskRoute, signal: AbortSignal): Promise<void> {
    const given = PARTS.filter((part) => route[part] !== "").length;
    if (given === 0) return this.welcome(signal);
    if (given === 1) return route.relation ? this.relationOnly(route.relation) : this.explore(route, signal);
    if (given === 2) return this.question(route, signal);
    return this.given(route, signal);
  }

  /** Leaves only what a message says. */
  private showMessage(...message: HTMLElement[]): void {
    for (const panel of [this.answers, this.why, this.around, this.spread]) panel.hidden = true;
    this.entity.hide();
    show(this.message, ...message);
  }

  private swap(): void {
    const { head, relation, tail } = this.route;
    go(ask({ head: tail, relation, tail: head }));
  }

  private async welcome(signal: AbortSignal): Promise<void> {
    const questions = exampleQuestions(signal);
    const relations = api.search("relations", "", 12, signal);
    this.showMessage(welcome(await questions, await relations));
  }

  private async relationOnly(relation: string): Promise<void> {
    this.showMessage(
      notice(
        "Now choose a head or a tail.",
        link(newFacts({ relation }), {}, "Or browse new facts of ", label(relation)),
      ),
    );
  }

  /** One entity alone: what is probably missing, what is known, and what could be asked. */
  private async explore(route: AskRoute, signal: AbortSignal): Promise<void> {
    const entity = route.head || route.tail;
    const end = route.head ? "head" : "tail";
    const alike = await api.alike(entity, 8, signal);
    const others = alike.flatMap((other, i) => [i > 0 ? ", " : "", link(ask({ [end]: other }), {}, label(other))]);
    this.showMessage(
      h("p", { class: "lead" }, label(entity)),
      h("p", {}, "Now choose a relation to ask about this entity."),
      h("p", { class: "soft" }, "Most similar: ", ...others),
    );
    await this.entity.draw(entity, signal);
  }

  private async question(route: AskRoute, signal: AbortSignal): Promise<void> {
    const question = address({ ...route, answer: "" });
    const isNew = this.predicted?.question !== question;
    if (isNew) this.predicted = { question, result: await api.predict(route, route, signal) };
    const { answers, histogram } = this.predicted!.result;
    if (answers.length === 0) return this.nothing(route);
    const chosen = route.answer || answers[0]!.answer;
    const listed = answers.find(({ answer }) => answer === chosen);
    this.showAnswers(route, answers, chosen);
    this.spread.draw(histogram, listed?.margin ?? null);
    if (isNew)
      announce(
        `${count(answers.length, "answer")}. Best answer: ${answers[0]!.answer}, ${percent(answers[0]!.probability)}`,
      );
    const around = await this.fact(completed(route, chosen), chosen, signal, listed);
    this.showKnown(route, answers, around, chosen);
  }

  /** Known answers that did not make it onto the list. */
  private showKnown(route: AskRoute, answers: api.Answer[], around: Parts[], chosen: string): void {
    const open = asked(route)!;
    const fits = (fact: Parts) => PARTS.every((part) => part === open || fact[part] === route[part]);
    const listed = new Set(answers.map(({ answer }) => answer));
    const others = [...new Set(around.filter(fits).map((fact) => fact[open]))].filter((answer) => !listed.has(answer));
    const some = others.slice(0, SHOWN_KNOWN);
    const rest = others.length - some.length;
    const ways = some.map((answer) => chip({ ...route, answer }, label(answer), answer === chosen));
    this.known.hidden = some.length === 0;
    show(
      this.known,
      h("span", { class: "soft" }, "Already known"),
      ...ways,
      rest > 0 && h("span", { class: "soft" }, `and ${count(rest)} more`),
    );
  }

  private nothing(route: AskRoute): void {
    const all = link({ ...route, known: true }, {}, "Include known answers");
    this.showMessage(
      notice(
        h("strong", {}, "No answers."),
        route.known
          ? "The model has no candidates for this query. Try another entity or relation."
          : "All candidates are already known, and known answers are left out here.",
        ...(route.known ? [] : [all]),
      ),
    );
    announce("No answers");
  }

  private showAnswers(route: AskRoute, answers: api.Answer[], chosen: string): void {
    const { title, body } = this.answers;
    const focused = body.contains(document.activeElement);
    show(this.message);
    show(title, questionLine(route));
    const choose = (answer: string, how: "push" | "replace") => {
      this.wantsWhy = how === "push";
      go({ ...this.route, answer }, how);
    };
    const known = h("input", {
      type: "checkbox",
      checked: route.known,
      change: () => go({ ...this.route, known: !route.known, answer: "" }),
    });
    const more = answers.length >= route.k && route.k < MANY;
    show(
      body,
      answerTable(
        `Answers to ${route.head || "?"} ${route.relation || "?"} ${route.tail || "?"}`,
        answers,
        chosen,
        choose,
      ),
      h(
        "p",
        { class: "below" },
        h("label", {}, known, " Include known answers"),
        more && link({ ...route, k: MANY }, {}, `Show ${MANY}`),
      ),
      this.known,
    );
    this.answers.hidden = false;
    if (focused) body.querySelector<HTMLElement>("tr.chosen .pick")?.focus();
  }

  private async given(route: AskRoute, signal: AbortSignal): Promise<void> {
    await this.fact(route, route.tail, signal);
    this.answers.hidden = this.spread.hidden = true;
    show(this.message);
  }

  /** Why one fact is thought likely or not, and what is around it. */
  private async fact(fact: Parts, answer: string, signal: AbortSignal, listed?: api.Answer): Promise<Parts[]> {
    const ends = [...new Set([fact.head, fact.tail])];
    const [explanation, ...facts] = await Promise.all([
      api.explain(fact, signal),
      ...ends.map((end) => api.factsAround(end, 80, signal)),
    ]);
    this.entity.hide();
    show(this.why.title, asked(this.route) ? h("span", {}, "Why ", label(answer), "?") : "How likely is it?");
    show(this.why.body, ...explanationPanel(explanation, answer, listed));
    this.why.hidden = false;
    if (this.wantsWhy && stacked.matches) this.why.element.scrollIntoView();
    this.wantsWhy = false;
    const around = facts.flatMap((some) => some.facts);
    await this.around.draw({ fact, around, explanation, answer }, signal);
    return around;
  }
}
