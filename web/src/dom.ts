type Child = Node | string | number | null | undefined | false;
type Listener = (event: never) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;

/** An element: functions are listeners, true is an empty attribute, null, undefined and false are none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (value !== false && value != null) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter(isShown).map((child) => (typeof child === "number" ? String(child) : child)));
  return element;
}

function isShown(child: Child): child is Node | string | number {
  return child !== null && child !== undefined && child !== false;
}

/** Replaces what an element shows. */
export function show(element: Element, ...children: Child[]): void {
  element.replaceChildren(
    ...children.filter(isShown).map((child) => (typeof child === "number" ? String(child) : child)),
  );
}

/** A label of the graph: any text, in any direction. */
export function label(text: string): HTMLElement {
  return h("bdi", {}, text);
}

/** Said by screen readers, seen by nobody. */
export function announce(text: string): void {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/** A bar as long as a share of 1. */
export function bar(share: number, kind = ""): HTMLElement {
  const element = h("span", { class: `bar ${kind}`, "aria-hidden": "true" });
  element.style.setProperty("--share", String(Math.min(1, Math.max(0, share))));
  return element;
}
