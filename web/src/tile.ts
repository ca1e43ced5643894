import { h } from "./dom";

/** A figure with its name, one of a `dl`. */
export function tile(figure: string, name: string): HTMLElement {
  return h("div", { class: "tile" }, h("dt", {}, name), h("dd", {}, figure));
}
