import * as api from "./api";
import { completionSection } from "./completion";
import { h, show } from "./dom";
import { bytes, count, outputTitle, percent } from "./format";
import { problemBox } from "./problem";
import { tile } from "./tile";

const NO_METRICS =
  "There is no metrics.json next to the model file. Serve the model from its run folder, or run greenkgc evaluate.";

function metricsTable(metrics: api.Metrics[], served: string, stages: number): HTMLElement {
  const row = ({ of, split, protocol, queries, both: { realistic } }: api.Metrics) =>
    h(
      "tr",
      { class: of === served ? "served" : null },
      h("th", { scope: "row" }, outputTitle(of, stages)),
      h("td", {}, split),
      h("td", {}, protocol),
      ...[realistic.mrr, realistic.hits_at_1, realistic.hits_at_3, realistic.hits_at_10].map((value) =>
        h("td", { class: "number" }, value.toFixed(3)),
      ),
      h("td", { class: "number" }, count(queries)),
    );
  const numbers = ["MRR", "Hits@1", "Hits@3", "Hits@10", "Queries"];
  return h(
    "div",
    { class: "wide" },
    h(
      "table",
      { class: "plain numbers" },
      h("caption", { class: "unseen" }, "Accuracy after each step of the run"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["Step", "Split", "Protocol"].map((name) => h("th", { scope: "col" }, name)),
          ...numbers.map((name) => h("th", { scope: "col", class: "number" }, name)),
        ),
      ),
      h("tbody", {}, ...metrics.map(row)),
    ),
  );
}

function provenance({ metrics: _, second_stage: second, provenance: made, ...card }: api.ModelCard): HTMLElement {
  const secondStage = Object.entries(second ?? {}).map(([key, value]) => [`second_stage.${key}`, value]);
  const rows = [...Object.entries(card), ...secondStage, ...Object.entries(made)].map(([key, value]) =>
    h("tr", {}, h("th", { scope: "row" }, String(key)), h("td", {}, String(value))),
  );
  return h(
    "details",
    {},
    h("summary", {}, "All metadata of the model file"),
    h("div", { class: "wide" }, h("table", { class: "plain" }, h("tbody", {}, ...rows))),
  );
}

function quality(metrics: api.Metrics[], served: string): HTMLElement[] {
  const own = metrics.find(({ of, split, protocol }) => of === served && split === "test" && protocol === "filtered");
  if (!own) return [];
  const { mrr, hits_at_1: first, hits_at_10: ten } = own.both.realistic;
  return [
    h(
      "dl",
      { class: "tiles good" },
      tile(mrr.toFixed(3), "MRR"),
      tile(percent(first), "Hits@1"),
      tile(percent(ten), "Hits@10"),
    ),
    h(
      "p",
      { class: "soft" },
      `Measured on ${count(own.queries, "query", "queries")} from the test facts; other known answers are left out.`,
    ),
  ];
}

/** What the model is: sizes, quality, how it was made. */
export class ModelView {
  readonly element = h("div", { class: "model" }, h("h1", { tabindex: -1 }, "The model"));
  private readonly body = h("div", { class: "body" });
  private request = new AbortController();

  constructor() {
    this.element.append(this.body);
  }

  title(): string {
    return "The model";
  }

  focus(): void {}

  async update(): Promise<void> {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    try {
      show(this.body, ...this.card(await api.modelCard(signal)));
    } catch (error) {
      if (!signal.aborted)
        show(
          this.body,
          problemBox(error, () => void this.update()),
        );
    }
  }

  private card(card: api.ModelCard): HTMLElement[] {
    const metrics = card.metrics?.metrics ?? [];
    const trees = card.trees + (card.second_stage?.trees ?? 0);
    return [
      h(
        "dl",
        { class: "tiles" },
        tile(count(card.entities), "Entities"),
        tile(count(card.relations), "Relations"),
        tile(count(card.facts), "Known facts"),
        tile(bytes(card.bytes), "File"),
        tile(count(card.dims), "Dimensions"),
        tile(count(trees), card.stages === 2 ? "Trees, in two stages" : "Trees"),
      ),
      completionSection(card.metrics?.completion),
      h("h2", {}, "Queries with a missing answer"),
      ...quality(metrics, card.file),
      metrics.length > 0 ? metricsTable(metrics, card.file, card.stages) : h("p", { class: "soft" }, NO_METRICS),
      provenance(card),
    ];
  }
}
