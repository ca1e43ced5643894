import { unreachable, type Explanation } from "./api";
import { h, label, show } from "./dom";
import { count } from "./format";
import type { DrawnGraph } from "./graph";
import { go } from "./navigate";
import { pictureOf, shownEvidence, type Picture } from "./neighbourhood";
import { Panel } from "./panel";
import { ask, PARTS, type Parts } from "./route";
import { onThemeChange } from "./theme";

export interface Surroundings {
  fact: Parts; // without a tail: one entity
  around: Parts[];
  explanation: Explanation | null;
  answer: string; // the end that was asked for
}

/** The known facts around a fact as a graph, and as a table for those who cannot see it. */
export class AroundPanel extends Panel {
  private graph: DrawnGraph | null = null;

  constructor(id?: string) {
    super("around", id);
    onThemeChange(() => this.graph?.restyle());
  }

  async draw({ fact, around, explanation, answer }: Surroundings, signal: AbortSignal): Promise<void> {
    const { drawGraph } = await import("./graph").catch(() => {
      throw unreachable();
    });
    if (signal.aborted) return;
    const isNarrow = window.innerWidth < 640;
    const most = fact.tail === "" ? (isNarrow ? 10 : 20) : isNarrow ? 4 : 6;
    const evidence = shownEvidence(explanation?.evidence ?? []);
    const picture = pictureOf({ fact, known: explanation?.known ?? true, around, evidence }, most);
    const isKnown = picture.edges.some((edge) => edge.kind !== "asked");
    const box = h("div", { class: "graph", "aria-hidden": "true" });
    const others = fact.tail && fact.tail !== fact.head ? [" and ", label(fact.tail)] : [];
    this.graph?.destroy();
    this.graph = null;
    this.hidden = false;
    show(this.title, "Around ", label(fact.head), ...others);
    if (!isKnown) return show(this.body, h("p", { class: "soft" }, "The model contains no known facts here."));
    show(this.body, box, legend(picture), asTable(picture));
    this.graph = drawGraph(box, picture, answer, (entity) => go(ask({ head: entity })));
  }
}

function legend({ edges }: Picture): HTMLElement {
  const kinds = (["asked", "evidence", "known"] as const).filter((kind) => edges.some((edge) => edge.kind === kind));
  return h("p", { class: "key soft", "aria-hidden": "true" }, ...kinds.map((kind) => h("span", { class: kind }, kind)));
}

function asTable({ edges }: Picture): HTMLElement {
  const heads = ["Head", "Relation", "Tail", "Is"].map((name) => h("th", { scope: "col" }, name));
  const rows = edges.map((edge) =>
    h("tr", {}, ...PARTS.map((part) => h("td", {}, label(edge[part]))), h("td", {}, edge.kind)),
  );
  const table = h("table", { class: "plain" }, h("thead", {}, h("tr", {}, ...heads)), h("tbody", {}, ...rows));
  return h(
    "details",
    {},
    h("summary", {}, `Show as a table of ${count(rows.length, "fact")}`),
    h("div", { class: "wide" }, table),
  );
}
