import { bar, h } from "./dom";
import { percent } from "./format";

/** A table's cell with a probability as a number and as a bar. */
export function gaugeCell(probability: number, kind = ""): HTMLElement {
  return h("td", { class: "gauge" }, h("div", {}, h("span", {}, percent(probability)), bar(probability, kind)));
}
