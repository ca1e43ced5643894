import * as api from "./api";
import { h, show } from "./dom";
import { bytes, count } from "./format";
import { problemBox } from "./problem";

function tile(figure: string, name: string): HTMLElement {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, figure));
}

function metricsTable(metrics: api.Metrics[]): HTMLElement {
  const row = ({ of, split, protocol, queries, both: { realistic } }: api.Metrics) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, of),
      h("td", {}, split),
      h("td", {}, protocol),
      ...[realistic.mrr, realistic.hits_at_1, realistic.hits_at_3, realistic.hits_at_10].map((value) =>
        h("td", { class: "number" }, value.toFixed(3)),
      ),
      h("td", { class: "number" }, count(queries)),
    );
  const numbers = ["MRR", "Hits@1", "Hits@3", "Hits@10", "Questions"];
  return h(
    "div",
    { class: "wide" },
    h(
      "table",
      { class: "plain" },
      h("caption", { class: "unseen" }, "How well the files of the run answer"),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          ...["What", "Split", "Protocol"].map((name) => h("th", { scope: "col" }, name)),
          ...numbers.map((name) => h("th", { scope: "col", class: "number" }, name)),
        ),
      ),
      h("tbody", {}, ...metrics.map(row)),
    ),
  );
}

function isPlain(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

function provenance(card: api.ModelCard): HTMLElement {
  const rows = Object.entries(card)
    .flatMap(([key, value]) =>
      value !== null && typeof value === "object" && key !== "metrics"
        ? Object.entries(value)
        : [[key, value] as const],
    )
    .filter(([, value]) => isPlain(value))
    .map(([key, value]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, String(value))));
  return h(
    "details",
    {},
    h("summary", {}, "Everything that the file says of itself"),
    h("div", { class: "wide" }, h("table", { class: "plain" }, h("tbody", {}, ...rows))),
  );
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
    return [
      h(
        "dl",
        { class: "tiles" },
        tile(count(card.entities), "Entities"),
        tile(count(card.relations), "Relations"),
        tile(count(card.facts), "Known facts"),
        tile(bytes(card.bytes), "File"),
      ),
      h("h2", {}, "How well it answers"),
      metrics.length > 0
        ? metricsTable(metrics)
        : h(
            "p",
            { class: "soft" },
            "There is no metrics.json beside the model's file. Run greenkgc evaluate, or serve the model from the folder of its run.",
          ),
      provenance(card),
    ];
  }
}
