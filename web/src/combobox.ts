import { h, show } from "./dom";

export interface ComboboxOptions {
  id: string;
  name: string;
  placeholder: string;
  suggest: (text: string, signal: AbortSignal) => Promise<string[]>;
  commit: (value: string) => void; // "" when it was cleared
}

const WAIT_MS = 40; // a fast typist's keys are 60 ms apart, an answer takes a few

/** A text field with suggestions: the "editable combobox with list autocomplete" of the ARIA practices. */
export class Combobox {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly list: HTMLUListElement;
  private readonly clear: HTMLButtonElement;
  private readonly problem: HTMLElement;
  private suggestions: string[] = [];
  private active = -1;
  private committed = "";
  private timer = 0;
  private request = new AbortController();

  constructor(private readonly options: ComboboxOptions) {
    const { id, name, placeholder } = options;
    this.input = h("input", {
      id,
      placeholder,
      type: "text",
      role: "combobox",
      autocomplete: "off",
      autocapitalize: "none",
      spellcheck: "false",
      enterkeyhint: "search",
      "aria-autocomplete": "list",
      "aria-expanded": "false",
      "aria-controls": `${id}-list`,
      "aria-describedby": `${id}-problem`,
      input: () => this.suggestSoon(WAIT_MS),
      click: () => this.suggestSoon(0),
      keydown: (event: KeyboardEvent) => this.key(event),
      focus: () => this.input.select(),
      blur: () => void this.settle({ orFirst: false }),
    });
    // The list must not take the focus from the field, whose blur would close it before the click.
    this.list = h("ul", {
      id: `${id}-list`,
      role: "listbox",
      "aria-label": name,
      hidden: true,
      mousedown: (e: Event) => e.preventDefault(),
    });
    this.clear = h(
      "button",
      {
        type: "button",
        class: "clear",
        hidden: true,
        tabindex: -1, // by keyboard, the field is emptied as any other
        "aria-label": `Clear ${name.toLowerCase()}`,
        click: () => this.reset(),
      },
      "×",
    );
    this.problem = h("p", { id: `${id}-problem`, class: "problem", hidden: true });
    this.element = h(
      "div",
      { class: "combobox" },
      h("label", { for: id }, name),
      h("div", { class: "field" }, this.input, this.clear, this.list),
      this.problem,
    );
  }

  get value(): string {
    return this.committed;
  }

  set value(value: string) {
    this.committed = value;
    if (this.input.value !== value) this.input.value = value;
    this.clear.hidden = value === "";
    this.setProblem("");
  }

  set placeholder(text: string) {
    this.input.placeholder = text;
  }

  setProblem(text: string): void {
    this.problem.textContent = text;
    this.problem.hidden = text === "";
    this.input.setAttribute("aria-invalid", String(text !== ""));
  }

  focus(): void {
    this.input.focus();
  }

  private suggestSoon(wait: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => void this.suggest(), wait);
  }

  private async suggest(): Promise<void> {
    this.request.abort();
    this.request = new AbortController();
    const { signal } = this.request;
    const text = this.input.value === this.committed ? "" : this.input.value;
    try {
      const found = await this.options.suggest(text, signal);
      if (!signal.aborted && document.activeElement === this.input) this.open(found, text);
    } catch {
      this.close(); // suggestions are a courtesy: the question itself will say what is wrong
    }
  }

  private open(suggestions: string[], text: string): void {
    this.suggestions = suggestions;
    const items = suggestions.map((suggestion, i) =>
      h(
        "li",
        { id: `${this.options.id}-${i}`, role: "option", "aria-selected": "false", click: () => this.take(suggestion) },
        ...marked(suggestion, text),
      ),
    );
    const nothing = h(
      "li",
      { class: "nothing", role: "option", "aria-disabled": "true" },
      "No label matches",
    );
    show(this.list, ...(items.length > 0 ? items : [nothing]));
    this.list.hidden = false;
    this.list.scrollTop = 0;
    this.input.setAttribute("aria-expanded", "true");
    this.activate(-1);
  }

  private close(): void {
    window.clearTimeout(this.timer);
    this.request.abort();
    this.list.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.activate(-1);
  }

  private activate(index: number): void {
    this.active = index;
    for (const [i, item] of [...this.list.children].entries()) {
      item.setAttribute("aria-selected", String(i === index));
      if (i === index) item.scrollIntoView({ block: "nearest" });
    }
    if (index < 0) this.input.removeAttribute("aria-activedescendant");
    else this.input.setAttribute("aria-activedescendant", `${this.options.id}-${index}`);
  }

  private key(event: KeyboardEvent): void {
    if (event.isComposing) return;
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp":
        if (this.list.hidden) this.suggestSoon(0);
        else this.step(event.key === "ArrowDown" ? 1 : -1);
        break;
      case "Enter":
        if (this.active >= 0) this.take(this.suggestions[this.active]!);
        else void this.settle({ orFirst: true });
        break;
      case "Escape":
        if (!this.list.hidden) this.close();
        else this.input.value = this.committed;
        break;
      case "Tab":
        if (this.active >= 0) this.take(this.suggestions[this.active]!);
        return;
      default:
        return;
    }
    event.preventDefault();
  }

  /** -1, the field itself, is one of the places that the arrows go round. */
  private step(by: number): void {
    const places = this.suggestions.length + 1;
    this.activate(((this.active + 1 + by + places) % places) - 1);
  }

  /** Takes what was typed: the label that it names whatever the case; on Enter else the first that has it. */
  private async settle({ orFirst }: { orFirst: boolean }): Promise<void> {
    const typed = this.input.value;
    const text = typed.trim();
    this.close();
    if (text === this.committed || text === "") return this.take(text);
    const found = await this.options.suggest(text, new AbortController().signal).catch(() => []);
    if (this.input.value !== typed) return;
    const same = found.find((s) => s === text) ?? found.find((s) => s.toLowerCase() === text.toLowerCase());
    this.take(same ?? (orFirst ? found[0] : undefined) ?? text);
  }

  private take(value: string): void {
    this.close();
    this.input.value = value;
    if (value === this.committed) return;
    this.value = value;
    this.options.commit(value);
  }

  private reset(): void {
    this.take("");
    this.focus();
  }
}

/** A text with its first occurrence of another marked. */
function marked(text: string, part: string): Node[] {
  const at = part === "" ? -1 : text.toLowerCase().indexOf(part.toLowerCase());
  if (at < 0) return [document.createTextNode(text)];
  const end = at + part.length;
  return [
    document.createTextNode(text.slice(0, at)),
    h("mark", {}, text.slice(at, end)),
    document.createTextNode(text.slice(end)),
  ];
}
