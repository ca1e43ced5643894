import type { Completion, RelationQuality, ReliabilityBin } from "./api";
import { h, label } from "./dom";
import { count, percent } from "./format";
import { link } from "./navigate";
import { newFacts } from "./route";
import { svg } from "./svg";
import { tile } from "./tile";

const WIDTH = 420;
const HEIGHT = 330;
const EDGE = { left: 46, right: 24, top: 12, bottom: 42 };
const SHOWN_RELATIONS = 15;

const share = (value: number | null) => (value === null ? "–" : percent(value));
const figure = (value: number) => value.toFixed(2);

/** How good new facts are: figures, a reliability picture, and a table by relation. */
export function completionSection(completion: Completion | null | undefined): HTMLElement {
  if (!completion || !Array.isArray(completion.bins) || !Array.isArray(completion.relations)) return howToGetIt();
  const { hidden, split, recall, calibration_error: error, second_values: second } = completion;
  const bins = completion.bins.filter((bin) => bin.candidates > 0);
  const sentences = [
    `${count(hidden, `${split} fact was`, `${split} facts were`)} hidden from the model, and looked for among the ${count(completion.proposals, "fact")} that it proposed; ${percent(recall)} of them are there.`,
    "Proposals that are true, but in no split of the data, count as wrong here. So the model may be better than these figures say.",
  ];
  return h(
    "section",
    { "aria-labelledby": "completion" },
    h("h2", { id: "completion" }, "New facts"),
    h(
      "dl",
      { class: "tiles good" },
      tile(figure(completion.r_precision), "R-precision"),
      tile(figure(completion.average_precision), "Average precision"),
      tile(share(completion.precision_90), `Right among ${count(completion.n_90)} with p ≥ 0.9`),
      tile(share(completion.precision_50), `Right among ${count(completion.n_50)} with p ≥ 0.5`),
    ),
    ...sentences.map((sentence) => h("p", { class: "soft" }, sentence)),
    h(
      "div",
      { class: "pair" },
      h(
        "div",
        { class: "panel" },
        h("h2", {}, "Reliability"),
        reliabilityPicture(bins),
        h(
          "p",
          { class: "soft" },
          `Each disk is a group of proposed facts: how probable they were said to be, and which share of them is right. On the dashed line both agree. The mean difference is ${error.toFixed(3)}.`,
        ),
        reliabilityTable(bins),
      ),
      h(
        "div",
        { class: "panel" },
        h("h2", {}, "By relation"),
        relationTable(completion.relations),
        typeof second === "number" &&
          h(
            "p",
            { class: "soft" },
            `Of the proposals for relations of which nearly every head has one value only, ${second === 0 ? "none is" : `${percent(second)} are`} a second value.`,
          ),
      ),
    ),
  );
}

function howToGetIt(): HTMLElement {
  return h(
    "section",
    { "aria-labelledby": "completion" },
    h("h2", { id: "completion" }, "New facts"),
    h(
      "p",
      { class: "soft" },
      "How good new facts are was not measured for this model. To measure it, run ",
      h("code", {}, "greenkgc evaluate DATA --model M --task completion"),
      ".",
    ),
  );
}

/** Disks at predicted and observed shares, as large as the logarithm of their candidates. */
function reliabilityPicture(bins: ReliabilityBin[]): HTMLElement {
  const x = (value: number) => EDGE.left + value * (WIDTH - EDGE.left - EDGE.right);
  const y = (value: number) => HEIGHT - EDGE.bottom - value * (HEIGHT - EDGE.top - EDGE.bottom);
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const most = Math.max(...bins.map((bin) => Math.log1p(bin.candidates)), 1);
  const radius = (bin: ReliabilityBin) => 3 + (7 * Math.log1p(bin.candidates)) / most;
  const said = (bin: ReliabilityBin) =>
    `predicted ${percent(bin.predicted)}, observed ${percent(bin.observed)} of ${count(bin.candidates, "fact")}`;
  const line = (kind: string, from: [number, number], to: [number, number]) =>
    svg("line", { class: kind, x1: x(from[0]), y1: y(from[1]), x2: x(to[0]), y2: y(to[1]) });
  const picture = svg(
    "svg",
    {
      class: "reliability",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": "Observed shares by predicted probability",
    },
    ...ticks.flatMap((tick) => [
      line("grid", [0, tick], [1, tick]),
      svg("text", { x: EDGE.left - 8, y: y(tick) + 4, "text-anchor": "end" }, `${100 * tick} %`),
      svg("text", { x: x(tick), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, `${100 * tick} %`),
    ]),
    svg("text", { x: x(0.5), y: HEIGHT - 6, "text-anchor": "middle" }, "predicted probability"),
    svg("text", { x: x(0) + 6, y: y(1) + 14 }, "observed share"),
    line("ideal", [0, 0], [1, 1]),
    svg("polyline", { class: "curve", points: bins.map((bin) => `${x(bin.predicted)},${y(bin.observed)}`).join(" ") }),
    ...bins.map((bin) =>
      svg(
        "circle",
        { class: "bin", cx: x(bin.predicted), cy: y(bin.observed), r: radius(bin) },
        svg("title", {}, said(bin)),
      ),
    ),
  );
  return h("div", {}, picture);
}

function headRow(first: string, numbers: string[]): HTMLElement {
  return h(
    "thead",
    {},
    h(
      "tr",
      {},
      h("th", { scope: "col" }, first),
      ...numbers.map((name) => h("th", { scope: "col", class: "number" }, name)),
    ),
  );
}

const numberCells = (values: (string | number)[]) => values.map((value) => h("td", { class: "number" }, value));

function reliabilityTable(bins: ReliabilityBin[]): HTMLElement {
  const row = ({ from, to, candidates, facts, predicted, observed }: ReliabilityBin) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, `${figure(from)} to ${figure(to)}`),
      ...numberCells([count(candidates), count(facts), percent(predicted), percent(observed)]),
    );
  return h(
    "details",
    {},
    h("summary", {}, "Show as a table"),
    h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: "plain" },
        headRow("Probability", ["Proposed", "Right", "Predicted", "Observed"]),
        h("tbody", {}, ...bins.map(row)),
      ),
    ),
  );
}

/** Relations with the most hidden facts first; some at once, all on demand. */
function relationTable(relations: RelationQuality[]): HTMLElement {
  const row = (quality: RelationQuality) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, link(newFacts({ relation: quality.relation }), {}, label(quality.relation))),
      ...numberCells([
        count(quality.hidden),
        figure(quality.r_precision),
        figure(quality.average_precision),
        quality.precision_50 === null ? "–" : `${figure(quality.precision_50)} of ${count(quality.n_50)}`,
        figure(quality.recall),
      ]),
    );
  const rows = [...relations].sort((a, b) => b.hidden - a.hidden).map(row);
  const body = h("tbody", {}, ...rows.slice(0, SHOWN_RELATIONS));
  const all = h(
    "button",
    {
      type: "button",
      class: "plain-button",
      click: () => {
        body.append(...rows.slice(SHOWN_RELATIONS));
        all.remove();
      },
    },
    `Show all ${count(rows.length, "relation")}`,
  );
  const names = ["Hidden", "R-precision", "Average precision", "Right, p ≥ 0.5", "Recall"];
  return h(
    "div",
    {},
    h(
      "div",
      { class: "wide" },
      h(
        "table",
        { class: "plain numbers qualities" },
        h("caption", { class: "unseen" }, "Quality of new facts by relation"),
        headRow("Relation", names),
        body,
      ),
    ),
    rows.length > SHOWN_RELATIONS && h("p", {}, all),
  );
}
