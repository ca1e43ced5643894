import cytoscape from "cytoscape";
import { short } from "./format";
import { layOut, layOutAround, linesOf, type Picture } from "./neighbourhood";
import { colour } from "./theme";

function style(): cytoscape.StylesheetJson {
  const [ink, soft, line, back, accent, evidence] = ["ink", "soft", "line-strong", "card", "accent", "blue"].map(
    colour,
  ) as [string, string, string, string, string, string];
  const text = {
    color: ink,
    "font-family": "system-ui, sans-serif",
    "text-background-color": back,
    "text-background-opacity": 0.85,
    "text-background-padding": "1px",
  };
  return [
    {
      selector: "node",
      style: {
        ...text,
        label: "data(short)",
        width: 12,
        height: 12,
        "background-color": soft,
        "font-size": 11,
        "text-valign": "bottom",
        "text-margin-y": 3,
      },
    },
    {
      selector: ".end",
      style: { width: 24, height: 24, "background-color": accent, "font-size": 13, "font-weight": "bold" },
    },
    { selector: ".answer", style: { "background-color": back, "border-color": accent, "border-width": 4 } },
    {
      selector: "edge",
      style: {
        ...text,
        width: 1.2,
        "line-color": line,
        "target-arrow-color": line,
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.7,
        "curve-style": "bezier",
      },
    },
    { selector: "edge", style: { label: "data(short)", "font-size": 9, color: soft, "text-rotation": "autorotate" } },
    { selector: "edge.both", style: { "source-arrow-color": line, "source-arrow-shape": "triangle" } },
    {
      selector: "edge.evidence",
      style: { width: 2, "line-color": evidence, "target-arrow-color": evidence, "source-arrow-color": evidence },
    },
    {
      selector: "edge.asked",
      style: { width: 2.5, "line-color": accent, "target-arrow-color": accent, "line-style": "dashed", color: accent },
    },
    { selector: "edge.touched", style: { label: "data(all)", color: ink, "z-index": 9 } },
    { selector: "node:active, edge:active", style: { "overlay-opacity": 0 } },
  ];
}

export interface DrawnGraph {
  restyle: () => void;
  destroy: () => void;
}

/** Draws into a box; `answer` is the end that was asked for. */
export function drawGraph(
  box: HTMLElement,
  picture: Picture,
  answer: string,
  choose: (entity: string) => void,
): DrawnGraph {
  const { width, height } = box.getBoundingClientRect();
  const hasTail = picture.nodes.some((node) => node.place === "tail");
  const positions = (hasTail ? layOut : layOutAround)(picture, width, height);
  const nodes = picture.nodes.map(({ label, place }) => ({
    data: { id: label, short: short(label, width < 420 ? 14 : 20) },
    position: positions.get(label)!,
    classes: [place === "head" || place === "tail" ? "end" : "", label === answer ? "answer" : ""],
  }));
  const edges = linesOf(picture.edges).map(({ from, to, both, kind, relations }) => ({
    data: {
      source: from,
      target: to,
      short: short(relations[0]!, 20) + (relations.length > 1 ? ` +${relations.length - 1}` : ""),
      all: relations.map((relation) => short(relation)).join(", "),
    },
    classes: [kind, both ? "both" : ""],
  }));
  const graph = cytoscape({
    container: box,
    elements: { nodes, edges },
    style: style(),
    layout: { name: "preset", fit: false },
    userZoomingEnabled: false,
    userPanningEnabled: false,
    autoungrabify: true,
    boxSelectionEnabled: false,
    autounselectify: true,
  });
  graph.on("tap", "node", (event) => choose(event.target.id() as string));
  graph.on("mouseover", "node", (event) => {
    box.classList.add("pointing");
    event.target.connectedEdges().addClass("touched");
  });
  graph.on("mouseout", "node", (event) => {
    box.classList.remove("pointing");
    event.target.connectedEdges().removeClass("touched");
  });
  return {
    restyle: () => graph.style(style()),
    destroy: () => graph.destroy(),
  };
}
