import cytoscape from "cytoscape";
import { h, label, show } from "./dom";
import { short } from "./format";
import { placeLabels, spotsAlong, spotsAround, type Label, type PlacedLabel } from "./labels";
import { layOut, layOutAround, linesOf, type Picture } from "./neighbourhood";
import { colour } from "./theme";

const NODE = 6; // radius
const END = 12;

function style(): cytoscape.StylesheetJson {
  const [soft, line, back, accent, evidence] = ["soft", "line-strong", "card", "accent", "blue"].map(colour) as [
    string,
    string,
    string,
    string,
    string,
  ];
  return [
    { selector: "node", style: { width: 2 * NODE, height: 2 * NODE, "background-color": soft } },
    { selector: ".end", style: { width: 2 * END, height: 2 * END, "background-color": accent } },
    { selector: ".answer", style: { "background-color": back, "border-color": accent, "border-width": 4 } },
    {
      selector: "edge",
      style: {
        width: 1.2,
        "line-color": line,
        "target-arrow-color": line,
        "target-arrow-shape": "triangle",
        "arrow-scale": 0.7,
        "curve-style": "bezier",
      },
    },
    { selector: "edge.both", style: { "source-arrow-color": line, "source-arrow-shape": "triangle" } },
    {
      selector: "edge.evidence",
      style: { width: 2, "line-color": evidence, "target-arrow-color": evidence, "source-arrow-color": evidence },
    },
    {
      selector: "edge.asked",
      style: { width: 2.5, "line-color": accent, "target-arrow-color": accent, "line-style": "dashed" },
    },
    { selector: "edge.touched", style: { width: 2.5, "z-index": 9 } },
    { selector: "node:active, edge:active", style: { "overlay-opacity": 0 } },
  ];
}

export interface DrawnGraph {
  restyle: () => void;
  destroy: () => void;
}

const FONTS = { end: "bold 13px", node: "11px", edge: "10px" };
const HEIGHTS = { end: 17, node: 14, edge: 13 };
const SIDES = 6; // padding of a label, both sides together, as in style.css

const pen = document.createElement("canvas").getContext("2d")!;

function widthIn(kind: keyof typeof FONTS): (text: string) => number {
  return (text) => {
    pen.font = `${FONTS[kind]} system-ui, sans-serif`;
    return pen.measureText(text).width + SIDES;
  };
}

/** A text and shorter ones; `most` is the longest that is shown. */
function shorter(text: string, most: number): string[] {
  return [...new Set([most, 22, 16, 11, 7].filter((length) => length <= most).map((length) => short(text, length)))];
}

function nodeLabel(node: cytoscape.NodeSingular, most: number): Label {
  const kind = node.hasClass("end") ? "end" : "node";
  const height = HEIGHTS[kind];
  return {
    id: node.id(),
    kind,
    texts: shorter(node.id(), most),
    height,
    widthOf: widthIn(kind),
    spots: spotsAround(node.position(), kind === "end" ? END : NODE, height),
  };
}

function edgeLabel(edge: cytoscape.EdgeSingular, touched: boolean): Label {
  const relations = edge.data("relations") as string[];
  const rest = relations.length > 1 ? ` +${relations.length - 1}` : "";
  const some = shorter(relations[0]!, 22).map((text) => text + rest);
  return {
    id: edge.id(),
    kind: `edge ${["asked", "evidence"].find((kind) => edge.hasClass(kind)) ?? "known"}`,
    texts: touched ? [relations.map((relation) => short(relation, 40)).join(", "), ...some] : some,
    height: HEIGHTS.edge,
    widthOf: widthIn("edge"),
    spots: spotsAlong(edge.sourceEndpoint(), edge.targetEndpoint(), edge.controlPoints()?.[0]),
  };
}

type Touched = cytoscape.NodeSingular | cytoscape.EdgeSingular;

function isNode(element: Touched): element is cytoscape.NodeSingular {
  return element.isNode();
}

/** The line itself, or all lines of a node. */
function linesAt(touched: Touched): cytoscape.EdgeCollection {
  return isNode(touched)
    ? touched.connectedEdges()
    : touched
        .cy()
        .edges()
        .filter((edge) => edge.id() === touched.id());
}

/** Names of nodes and lines over a graph: as many as there is room for. What is pointed at comes first, in full. */
class Names {
  readonly element = h("div", { class: "labels" });

  constructor(
    private readonly graph: cytoscape.Core,
    private readonly width: number,
    private readonly height: number,
  ) {}

  show(touched?: Touched): void {
    const most = this.width < 420 ? 16 : 22;
    const nodes = this.graph.nodes().toArray() as cytoscape.NodeSingular[];
    const isTouched = (node: cytoscape.NodeSingular) => touched?.id() === node.id();
    const rank = (node: cytoscape.NodeSingular) => (isTouched(node) ? 0 : node.hasClass("end") ? 1 : 2);
    const own = touched ? linesAt(touched) : this.graph.edges();
    const edges = ["asked", "evidence", "known"].flatMap((kind) => own.filter(`.${kind}`).toArray());
    const ofNodes = nodes
      .sort((a, b) => rank(a) - rank(b))
      .map((node) => nodeLabel(node, isTouched(node) ? 60 : node.hasClass("end") ? 30 : most));
    const ofEdges = (edges as cytoscape.EdgeSingular[]).map((edge) => edgeLabel(edge, touched !== undefined));
    const labels = touched && !isNode(touched) ? [...ofEdges, ...ofNodes] : [...ofNodes, ...ofEdges];
    const disks = nodes.map((node) => {
      const { x, y } = node.position();
      const radius = node.hasClass("end") ? END : NODE;
      return { left: x - radius, top: y - radius, width: 2 * radius, height: 2 * radius };
    });
    show(this.element, ...placeLabels(labels, disks, this.width, this.height).map(nameElement));
  }
}

function nameElement({ text, kind, left, top, width, height }: PlacedLabel): HTMLElement {
  const element = h("span", { class: kind }, label(text));
  Object.assign(element.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
  return element;
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
    data: { id: label },
    position: positions.get(label)!,
    classes: [place === "head" || place === "tail" ? "end" : "", label === answer ? "answer" : ""],
  }));
  const edges = linesOf(picture.edges).map(({ from, to, both, kind, relations }) => ({
    data: { source: from, target: to, relations },
    classes: [kind, both ? "both" : ""],
  }));
  const canvas = h("div", { class: "canvas" });
  show(box, canvas);
  const graph = cytoscape({
    container: canvas,
    elements: { nodes, edges },
    style: style(),
    layout: { name: "preset", fit: false },
    userZoomingEnabled: false,
    userPanningEnabled: false,
    autoungrabify: true,
    boxSelectionEnabled: false,
    autounselectify: true,
  });
  const names = new Names(graph, width, height);
  box.append(names.element);
  names.show();
  graph.on("tap", "node", (event) => choose(event.target.id() as string));
  graph.on("mouseover", "node, edge", (event) => {
    const touched = event.target as Touched;
    if (isNode(touched)) box.classList.add("pointing");
    linesAt(touched).addClass("touched");
    names.show(touched);
  });
  const leave = () => {
    box.classList.remove("pointing");
    graph.edges().removeClass("touched");
    names.show();
  };
  graph.on("mouseout", "node, edge", leave);
  canvas.addEventListener("mouseleave", leave);
  return {
    restyle: () => graph.style(style()),
    destroy: () => graph.destroy(),
  };
}
