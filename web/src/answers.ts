import type { Answer } from "./api";
import { h, label } from "./dom";
import { gaugeCell } from "./gauge";

/** Ranked answers as a table whose rows are chosen by click, Enter or the arrows. */
export function answerTable(
  caption: string,
  answers: Answer[],
  chosen: string,
  choose: (answer: string, how: "push" | "replace") => void,
): HTMLElement {
  const row = (answer: Answer, i: number) => {
    const isChosen = answer.answer === chosen;
    return h(
      "tr",
      { class: isChosen ? "chosen" : null, click: () => choose(answer.answer, "push") },
      h("td", { class: "rank" }, i + 1),
      h(
        "th",
        { scope: "row" },
        h(
          "button",
          { type: "button", class: "pick", "aria-pressed": String(isChosen), tabindex: isChosen ? 0 : -1 },
          label(answer.answer),
        ),
        answer.known && h("span", { class: "badge" }, "known"),
      ),
      gaugeCell(answer.probability, answer.known ? "known" : ""),
    );
  };
  const heads = [
    h("th", { scope: "col", class: "rank" }, h("abbr", { title: "Rank" }, "#")),
    h("th", { scope: "col" }, "Answer"),
    h("th", { scope: "col", class: "gauge" }, "Probability"),
  ];
  return h(
    "table",
    { class: "answers", keydown: moveByArrows },
    h("caption", { class: "unseen" }, caption),
    h("thead", {}, h("tr", {}, ...heads)),
    h("tbody", {}, ...answers.map(row)),
  );

  function moveByArrows(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const at = answers.findIndex(({ answer }) => answer === chosen);
    const next = by === undefined ? undefined : answers[at + by];
    if (!next) return;
    event.preventDefault();
    choose(next.answer, "replace");
  }
}
