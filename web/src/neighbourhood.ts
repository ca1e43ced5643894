import type { Evidence } from "./api";
import type { Parts } from "./route";

export type Place = "near head" | "head" | "between" | "tail" | "near tail";
export interface GraphNode {
  label: string;
  place: Place;
}
export interface GraphEdge extends Parts {
  kind: "known" | "evidence" | "asked";
}
export interface Picture {
  nodes: GraphNode[];
  edges: GraphEdge[];
}
/** The facts between two entities, drawn as one line. */
export interface Line {
  from: string;
  to: string;
  both: boolean; // ways
  kind: GraphEdge["kind"];
  relations: string[];
}

const keyOf = (fact: Parts) => JSON.stringify([fact.head, fact.relation, fact.tail]);
const otherEnd = (fact: Parts, entity: string) => (fact.head === entity ? fact.tail : fact.head);
const touches = (fact: Parts, entity: string) => fact.head === entity || fact.tail === entity;

/** Of what evidence rests on, the part that fits a picture: a whole path, else what is shared and one example. */
export function shownEvidence(evidence: Evidence[]): Parts[] {
  return evidence.flatMap((piece) => (piece.kind === "path" ? piece.facts : piece.facts.slice(0, 3)));
}

/** Neighbors of an entity, one of each relation before a second of any. */
function variedNeighbours(facts: Parts[], entity: string): string[] {
  const seen = new Map<string, number>();
  const turns = facts
    .filter((fact) => touches(fact, entity))
    .map((fact) => {
      const turn = seen.get(fact.relation) ?? 0;
      seen.set(fact.relation, turn + 1);
      return { turn, end: otherEnd(fact, entity) };
    });
  return [...new Set(turns.sort((a, b) => a.turn - b.turn).map(({ end }) => end))];
}

export interface Scene {
  fact: Parts; // without a tail: one entity
  known: boolean; // whether the fact is
  around: Parts[]; // known facts of its ends
  evidence: Parts[];
}

/**
 * What to draw around a fact, at most `most` entities at each place: its ends, what evidence rests on and what both ends
 * know between them, other neighbors behind each end. Given no tail, the head and its neighbours.
 */
export function pictureOf({ fact, known, around, evidence }: Scene, most: number): Picture {
  const { head, tail } = fact;
  const places = new Map<string, Place>([[head, "head"]]);
  if (tail !== "" && tail !== head) places.set(tail, "tail");
  const add = (labels: string[], place: Place) => {
    for (const label of labels.filter((l) => !places.has(l)).slice(0, most)) places.set(label, place);
  };
  const ofHead = variedNeighbours(around, head);
  const ofTail = tail === "" ? [] : variedNeighbours(around, tail);
  add(
    [...new Set([...evidence.flatMap(({ head: h, tail: t }) => [h, t]), ...ofHead.filter((l) => ofTail.includes(l))])],
    "between",
  );
  // Shared ones that found no place between would draw lines across.
  add(
    ofHead.filter((l) => !ofTail.includes(l)),
    tail === "" ? "between" : "near head",
  );
  add(
    ofTail.filter((l) => !ofHead.includes(l)),
    "near tail",
  );

  const edges = new Map<string, GraphEdge>();
  const drawn = (f: Parts) => places.has(f.head) && places.has(f.tail);
  for (const f of around.filter(drawn)) edges.set(keyOf(f), { ...f, kind: "known" });
  for (const f of evidence.filter(drawn)) edges.set(keyOf(f), { ...f, kind: "evidence" });
  if (tail !== "") edges.set(keyOf(fact), { head, relation: fact.relation, tail, kind: known ? "known" : "asked" });
  return { nodes: [...places].map(([label, place]) => ({ label, place })), edges: [...edges.values()] };
}

/** Evidence goes before other known facts; what is asked keeps a line of its own. */
export function linesOf(edges: GraphEdge[]): Line[] {
  const lines = new Map<string, Line>();
  for (const kind of ["asked", "evidence", "known"] as const) {
    for (const { head, relation, tail } of edges.filter((edge) => edge.kind === kind)) {
      const key = JSON.stringify([kind === "asked", ...[head, tail].sort()]);
      const line = lines.get(key) ?? { from: head, to: tail, both: false, kind, relations: [] };
      line.both ||= line.from !== head;
      if (!line.relations.includes(relation)) line.relations.push(relation);
      lines.set(key, line);
    }
  }
  return [...lines.values()];
}

export interface Point {
  x: number;
  y: number;
}

const ACROSS: Record<Place, number> = { "near head": 0.12, head: 0.31, between: 0.5, tail: 0.69, "near tail": 0.88 };

/** Places in columns from head to tail; in rows, from top to bottom, where there is more height than width. */
export function layOut(picture: Picture, width: number, height: number): Map<string, Point> {
  const positions = new Map<string, Point>();
  const rows = height > width;
  for (const place of Object.keys(ACROSS) as Place[]) {
    const labels = picture.nodes.filter((node) => node.place === place).map((node) => node.label);
    // The middle is left to the line from head to tail.
    const isOdd = place === "between" && labels.length % 2 === 1;
    const slots = labels.length + (isOdd ? 1 : 0);
    labels.forEach((label, i) => {
      const along = (i + (isOdd && i >= slots / 2 ? 1.5 : 0.5)) / slots;
      // Outer columns bend around the end that they belong to; neighbors are shifted apart, for their labels and lines.
      const bend = place === "near head" ? 0.1 : place === "near tail" ? -0.1 : 0;
      const shift = labels.length > 2 ? (i % 2 === 0 ? -1 : 1) * (place === "between" ? 0.055 : 0.025) : 0;
      const across = ACROSS[place] + bend * (2 * along - 1) ** 2 + shift;
      positions.set(
        label,
        rows ? { x: (0.04 + 0.92 * along) * width, y: across * height } : { x: across * width, y: along * height },
      );
    });
  }
  return positions;
}

/** Around one entity, its neighbors on an ellipse. */
export function layOutAround(picture: Picture, width: number, height: number): Map<string, Point> {
  const [centre, ...others] = picture.nodes;
  const positions = new Map<string, Point>();
  if (centre) positions.set(centre.label, { x: width / 2, y: height / 2 });
  others.forEach(({ label }, i) => {
    const angle = (2 * Math.PI * i) / others.length - Math.PI / 2;
    const reach = i % 2 === 0 || others.length < 9 ? 0.43 : 0.32;
    positions.set(label, {
      x: width * (0.5 + 0.95 * reach * Math.cos(angle)),
      y: height * (0.48 + reach * Math.sin(angle)),
    });
  });
  return positions;
}
