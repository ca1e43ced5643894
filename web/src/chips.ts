import { h } from "./dom";
import { link } from "./navigate";
import type { Route } from "./route";

/** A link as large as a finger. */
export function chip(route: Route, content: Node, isCurrent = false): HTMLAnchorElement {
  return link(route, { class: "chip", "aria-current": isCurrent ? "true" : null }, content);
}

export function chips(all: Node[]): HTMLElement {
  return h("p", { class: "chips", hidden: all.length === 0 }, ...all);
}
