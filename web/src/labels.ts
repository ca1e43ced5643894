import type { Point } from "./neighbourhood";

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
/** A text of a picture, with the places that it could have. */
export interface Label {
  id: string;
  kind: string; // as in style.css
  texts: string[]; // the best first; the last is the shortest
  height: number;
  widthOf: (text: string) => number;
  /** Centers, the best first, for a text of this width. */
  spots: (width: number) => Point[];
}
export interface PlacedLabel extends Box {
  id: string;
  kind: string;
  text: string;
}

const GAP = 2; // pixels between labels

export function areApart(a: Box, b: Box, gap = 0): boolean {
  return (
    a.left + a.width + gap <= b.left ||
    b.left + b.width + gap <= a.left ||
    a.top + a.height + gap <= b.top ||
    b.top + b.height + gap <= a.top
  );
}

/**
 * Places labels, the first ones first: the longest text for which some spot is free, moved into the picture where it
 * would stick out. A label without a free spot is left out, so that no two of those placed overlap.
 */
export function placeLabels(labels: Label[], obstacles: Box[], width: number, height: number): PlacedLabel[] {
  const taken = [...obstacles];
  const inside = (center: number, size: number, room: number) =>
    Math.max(0, Math.min(room - size, Math.round(center - size / 2)));
  return labels.flatMap((label) => {
    for (const text of label.texts) {
      const own = { width: Math.ceil(label.widthOf(text)), height: label.height };
      if (own.width > width) continue;
      for (const { x, y } of label.spots(own.width)) {
        const box = { ...own, left: inside(x, own.width, width), top: inside(y, own.height, height) };
        if (!taken.every((other) => areApart(box, other, GAP))) continue;
        taken.push(box);
        return [{ id: label.id, kind: label.kind, text, ...box }];
      }
    }
    return [];
  });
}

/** Centers of a label below, above, and beside a disk. */
export function spotsAround({ x, y }: Point, radius: number, height: number): (width: number) => Point[] {
  const off = radius + 2;
  return (width) => [
    { x, y: y + off + height / 2 },
    { x, y: y - off - height / 2 },
    { x: x + off + width / 2, y },
    { x: x - off - width / 2, y },
    { x: x + width / 3, y: y + off + height / 2 },
    { x: x - width / 3, y: y + off + height / 2 },
    { x: x + width / 3, y: y - off - height / 2 },
    { x: x - width / 3, y: y - off - height / 2 },
  ];
}

const SHARES = [0.5, 0.58, 0.42, 0.66, 0.34, 0.74, 0.26];

/** Points of a line, the middle first; bent where it has a control point. */
export function spotsAlong(from: Point, to: Point, bend: Point | undefined): () => Point[] {
  const control = bend ?? { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
  const at = (a: number, b: number, c: number, t: number) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t ** 2 * c;
  const points = SHARES.map((t) => ({ x: at(from.x, control.x, to.x, t), y: at(from.y, control.y, to.y, t) }));
  return () => points;
}
