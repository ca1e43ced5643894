import type { NewFact } from "./api";
import { h, show } from "./dom";
import { factLine } from "./explanation";
import { count } from "./format";
import { gaugeCell } from "./gauge";
import type { Mark, Marks } from "./marks";
import { link } from "./navigate";
import { ask } from "./route";
import { download, tsv } from "./tsv";

const SIGNS: Record<Mark, [string, string]> = { accepted: ["✓", "Accept"], rejected: ["✗", "Reject"] };

/** Two buttons, of which at most one is pressed. */
function markCell(fact: NewFact, marks: Marks, row: HTMLElement, signal: AbortSignal): HTMLElement {
  const names = `${fact.head} ${fact.relation} ${fact.tail}`;
  const buttons = (["accepted", "rejected"] as const).map((mark) => {
    const [sign, name] = SIGNS[mark];
    const click = () => marks.set(fact, marks.of(fact) === mark ? null : mark);
    const attributes = { type: "button", class: `mark ${mark}`, title: name, "aria-label": `${name}: ${names}`, click };
    return [mark, h("button", attributes, sign)] as const;
  });
  const update = () => {
    const own = marks.of(fact);
    row.classList.toggle("is-accepted", own === "accepted");
    row.classList.toggle("is-rejected", own === "rejected");
    for (const [mark, button] of buttons) button.setAttribute("aria-pressed", String(mark === own));
  };
  update();
  marks.addEventListener("change", update, { signal });
  return h("td", { class: "marks" }, h("div", {}, ...buttons.map(([, button]) => button)));
}

/** New facts with their reasons, each of which leads to its explanation and can be marked until `signal`. */
export function factList(caption: string, facts: NewFact[], marks: Marks, signal: AbortSignal): HTMLElement {
  const row = (fact: NewFact) => {
    const { head, relation, tail, reason } = fact;
    const element = h("tr");
    show(
      element,
      h(
        "th",
        { scope: "row" },
        link(ask({ head, relation, tail }), {}, factLine(fact)),
        reason !== undefined && h("p", { class: "reason" }, reason ?? "No known facts support it."),
      ),
      gaugeCell(fact.probability),
      markCell(fact, marks, element, signal),
    );
    return element;
  };
  const heads = [
    h("th", { scope: "col" }, "Fact"),
    h("th", { scope: "col", class: "gauge" }, "Probability"),
    h("th", { scope: "col", class: "marks" }, "Mark"),
  ];
  return h(
    "table",
    { class: "facts" },
    h("caption", { class: "unseen" }, `${caption}; select a fact for its explanation`),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...facts.map(row)),
  );
}

/** How many facts are marked, with their download; empty where none are. */
export function marksBar(marks: Marks, signal: AbortSignal): HTMLElement {
  const element = h("div", { class: "marks-bar" });
  const update = () => {
    const all = marks.all();
    element.hidden = all.length === 0;
    const save = () =>
      download(
        "marks.tsv",
        tsv(all.map(({ head, relation, tail, probability, mark }) => [head, relation, tail, probability, mark])),
      );
    const clear = () => {
      if (window.confirm(`Remove ${count(all.length, "mark")} from this browser?`)) marks.clear();
    };
    show(
      element,
      h("span", {}, `${count(marks.count("accepted"))} accepted, ${count(marks.count("rejected"))} rejected`),
      h("button", { type: "button", class: "plain-button", click: save }, "Download marks"),
      h("button", { type: "button", class: "plain-button", click: clear }, "Remove marks"),
    );
  };
  update();
  marks.addEventListener("change", update, { signal });
  return element;
}
