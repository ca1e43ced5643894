import * as api from "./api";
import { AroundPanel } from "./around_panel";
import { announce, h, label, show } from "./dom";
import { factList, marksBar } from "./fact_list";
import { count } from "./format";
import { link } from "./navigate";
import { Panel } from "./panel";
import { problemBox } from "./problem";
import { ask, newFacts, type Part, type Parts } from "./route";

const MOST_MISSING = 8;
const PROBABLE = 0.5;
const WORTH_SHOWING = 0.1; // probability
const MOST_KNOWN = 200;
const MOST_OF_RELATION = 12;

/** One entity: what is probably missing, what is known, and the graph around it. */
export class EntityView {
  readonly element: HTMLElement;
  private readonly missing = new Panel("missing");
  private readonly known = new Panel("known-facts");
  private readonly around = new AroundPanel("around-entity");

  constructor() {
    this.element = h(
      "div",
      { class: "results entity", hidden: true },
      h("div", { class: "column" }, this.missing.element, this.known.element),
      h("div", { class: "column" }, this.around.element),
    );
  }

  hide(): void {
    this.element.hidden = true;
    this.missing.element.removeAttribute("aria-busy"); // what it was waiting for is not wanted any more
  }

  async draw(entity: string, signal: AbortSignal): Promise<void> {
    const facts = await api.factsAround(entity, MOST_KNOWN, signal);
    this.element.hidden = false;
    show(this.missing.title, "Probably missing");
    show(this.missing.body);
    this.missing.hidden = false;
    this.showKnown(entity, facts);
    announce(`${count(facts.facts.length, "known fact")} about ${entity}`);
    const scene = {
      fact: { head: entity, relation: "", tail: "" },
      around: facts.facts,
      explanation: null,
      answer: "",
    };
    void this.findMissing(entity, signal); // may take seconds, which the rest need not wait for
    await this.around.draw(scene, signal);
  }

  private async findMissing(entity: string, signal: AbortSignal): Promise<void> {
    const { element, body } = this.missing;
    element.setAttribute("aria-busy", "true");
    try {
      const wanted = { ...newFacts({ entity }), atLeast: WORTH_SHOWING, k: MOST_MISSING };
      const [{ facts }, marks] = await Promise.all([api.newFactsOf(wanted, signal), api.marksOfModel()]);
      const probable = facts.filter((fact) => fact.probability >= PROBABLE);
      const others = facts.filter((fact) => fact.probability < PROBABLE);
      if (signal.aborted) return;
      show(
        body,
        probable.length > 0
          ? factList(`Facts about ${entity} that are probably missing`, probable, marks, signal)
          : h("p", { class: "soft" }, "No fact about this entity is more likely than not to be missing."),
        others.length > 0 && h("h3", {}, "Less probable"),
        others.length > 0 && factList(`Less probable facts about ${entity}`, others, marks, signal),
        h(
          "div",
          { class: "below" },
          link(newFacts({ entity }), {}, "All new facts about ", label(entity)),
          marksBar(marks, signal),
        ),
      );
    } catch (error) {
      if (signal.aborted) return;
      show(
        body,
        problemBox(error, () => void this.findMissing(entity, signal)),
      );
    }
    element.removeAttribute("aria-busy");
  }

  private showKnown(entity: string, { facts, truncated }: api.FactsAround): void {
    show(
      this.known.title,
      truncated ? `The first ${count(facts.length)} known facts` : count(facts.length, "known fact"),
    );
    const asHead = facts.filter((fact) => fact.head === entity);
    const asTail = facts.filter((fact) => fact.head !== entity);
    show(
      this.known.body,
      facts.length === 0 && h("p", { class: "soft" }, "The model contains no known facts about this entity."),
      asHead.length > 0 && byRelation(asHead, "tail", [label(entity), " …"]),
      asTail.length > 0 && byRelation(asTail, "head", ["… ", label(entity)]),
    );
    this.known.hidden = false;
  }
}

/** The ends of facts by relation, each of which leads to its query, and each end to its entity. */
function byRelation(facts: Parts[], end: Part, title: (Node | string)[]): HTMLElement {
  const relations = [...new Set(facts.map((fact) => fact.relation))].sort();
  const row = (relation: string) => {
    const own = facts.filter((fact) => fact.relation === relation);
    const some = own
      .slice(0, MOST_OF_RELATION)
      .flatMap((fact, i) => [i > 0 ? ", " : "", link(ask({ head: fact[end] }), {}, label(fact[end]))]);
    const rest = own.length - MOST_OF_RELATION;
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, link(ask({ ...own[0]!, [end]: "" }), {}, label(relation))),
      h("td", {}, ...some, rest > 0 && ` and ${count(rest)} more`),
    );
  };
  return h("table", { class: "plain known" }, h("caption", {}, ...title), h("tbody", {}, ...relations.map(row)));
}
