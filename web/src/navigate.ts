import { h } from "./dom";
import { address, type Route } from "./route";

let shown: (route: Route) => void = () => {};

/** Who shows a route; called once. */
export function onNavigate(show: (route: Route) => void): void {
  shown = show;
}

export function go(route: Route, how: "push" | "replace" = "push"): void {
  history[how === "push" ? "pushState" : "replaceState"](null, "", address(route));
  shown(route);
}

/** A link that the page follows by itself, and the browser where it is asked for a new tab. */
export function link(
  route: Route,
  attributes: Record<string, string | null>,
  ...children: (Node | string)[]
): HTMLAnchorElement {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    go(route);
  };
  return h("a", { href: address(route), click: follow, ...attributes }, ...children);
}
