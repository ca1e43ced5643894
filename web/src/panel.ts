import { h } from "./dom";

/** A titled part of the page, hidden until it has something to say. */
export class Panel {
  readonly title = h("h2");
  readonly body = h("div", { class: "body" });
  readonly element: HTMLElement;

  /** An element's id needs a kind of its own. */
  constructor(kind: string, id = kind) {
    this.title.id = id;
    this.element = h("section", { class: `panel ${kind}`, hidden: true, "aria-labelledby": id }, this.title, this.body);
  }

  get hidden(): boolean {
    return this.element.hidden;
  }

  set hidden(hidden: boolean) {
    this.element.hidden = hidden;
  }
}
