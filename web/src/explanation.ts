import type { Answer, Evidence, Explanation, MarginParts } from "./api";
import { bar, h, label } from "./dom";
import { percent, rank, short, signed } from "./format";
import { link } from "./navigate";
import { ask, type Parts } from "./route";

export function factLine({ head, relation, tail }: Parts): HTMLElement {
  return h(
    "span",
    { class: "fact" },
    label(head),
    " ",
    h("span", { class: "relation" }, label(relation)),
    " ",
    label(tail),
  );
}

function evidenceItem(evidence: Evidence, { head, tail }: Parts): HTMLElement {
  const kinds = { path: "Path", attribute: `Like ${short(head, 12)}`, mirror: `Like ${short(tail, 12)}` };
  return h(
    "li",
    {},
    h(
      "div",
      { class: "measure" },
      h("span", { class: "kind" }, label(kinds[evidence.kind])),
      bar(evidence.confidence, "evidence"),
      h("span", { class: "unseen" }, `confidence ${evidence.confidence.toFixed(2)}`),
    ),
    h("p", {}, evidence.sentence),
  );
}

function grounds(explanation: Explanation): (HTMLElement | false)[] {
  const { evidence = [], against = [], base_rate: baseRate } = explanation;
  return [
    h("h3", {}, "Evidence for it"),
    evidence.length > 0 && h("ul", { class: "evidence" }, ...evidence.map((piece) => evidenceItem(piece, explanation))),
    evidence.length === 0 && h("p", { class: "soft" }, "No known facts support it."),
    baseRate ? h("p", { class: "soft" }, `Base rate: ${baseRate}`) : false,
    against.length > 0 && h("h3", {}, "Evidence against it"),
    against.length > 0 && h("ul", { class: "against" }, ...against.map((sentence) => h("li", {}, sentence))),
  ];
}

function marginRows({ base, trees_expected: expected, sides }: MarginParts): [string, number][] {
  return [
    ["Constant", base.constant],
    ["Score of the embedding", base.score],
    ["Frequency of this head with the relation", base.head_count],
    ["Frequency of this tail with the relation", base.tail_count],
    ...(base.self !== 0 ? [["Head and tail are the same entity", base.self] as [string, number]] : []),
    ["Trees, average", expected],
    ["Trees, head features", sides.head],
    ["Trees, relation features", sides.relation],
    ["Trees, tail features", sides.tail],
  ];
}

function marginTable(parts: MarginParts, margin: number): HTMLElement {
  const rows = marginRows(parts).filter(([, value]) => value !== 0);
  const largest = Math.max(...rows.map(([, value]) => Math.abs(value)), 1e-9);
  const row = (name: string, value: number, kind: string) =>
    h(
      "tr",
      { class: kind },
      h("th", { scope: "row" }, name),
      h("td", { class: "number" }, signed(value)),
      h("td", { class: "meter" }, bar(Math.abs(value) / largest, value < 0 ? "minus" : "")),
    );
  return h(
    "table",
    { class: "margin" },
    h("caption", { class: "unseen" }, "Parts of the score (log-odds)"),
    h(
      "tbody",
      {},
      ...rows.map(([name, value]) => row(name, value, "")),
      h(
        "tr",
        { class: "sum" },
        h("th", { scope: "row" }, "Score"),
        h("td", { class: "number" }, signed(margin)),
        h("td"),
      ),
    ),
  );
}

function firstStage(explanation: Explanation): HTMLElement | false {
  const first = explanation.first_stage ?? (explanation.base ? (explanation as Explanation & MarginParts) : null);
  if (!first) return false;
  const support = first.support ?? [];
  return h(
    "details",
    { open: explanation.first_stage === undefined },
    h("summary", {}, explanation.first_stage ? "First stage" : "Parts of the score"),
    explanation.first_stage &&
      h(
        "p",
        { class: "soft" },
        `${percent(first.probability)}; rank ${rank(first.tail_rank)} among tails, ${rank(first.head_rank)} among heads.`,
      ),
    marginTable(first, first.margin),
    support.length > 0 && h("h3", {}, "Most similar known facts"),
    support.length > 0 &&
      h(
        "ul",
        { class: "support" },
        ...support.map((fact) =>
          h("li", {}, factLine(fact), h("span", { class: "soft" }, ` similarity ${fact.cosine.toFixed(2)}`)),
        ),
      ),
  );
}

/** Where the figure comes from, if the same fact has another one elsewhere. */
function note(explanation: Explanation, listed: Answer | undefined): string {
  if (explanation.known) return " This fact is known; it was scored as if it were not.";
  const asTail = percent(explanation.probability);
  return listed && percent(listed.probability) !== asTail ? ` Asked for its tail, the fact has ${asTail}.` : "";
}

/** Given the answer as it was listed, if it was. */
export function explanationPanel(explanation: Explanation, answer: string, listed?: Answer): HTMLElement[] {
  const { head, tail, known } = explanation;
  const about = answer === head || answer === tail ? [answer] : [head, tail];
  const probability = known ? explanation.probability : (listed?.probability ?? explanation.probability);
  const ranks = `Rank ${rank(explanation.tail_rank)} among tails, ${rank(explanation.head_rank)} among heads, other known answers left out.`;
  const badge = known ? h("span", { class: "badge" }, "known") : h("span", { class: "badge new" }, "new");
  return [
    h("p", { class: "verdict" }, h("strong", {}, percent(probability)), " ", factLine(explanation), " ", badge),
    h("p", { class: "soft" }, ranks, note(explanation, listed)),
    ...[...(explanation.evidence ? grounds(explanation) : []), firstStage(explanation)].filter(
      (part) => part !== false,
    ),
    h("p", { class: "next" }, ...about.map((entity) => link(ask({ head: entity }), {}, "Ask about ", label(entity)))),
  ];
}
