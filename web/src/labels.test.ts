import { describe, expect, it } from "vitest";
import { areApart, placeLabels, spotsAlong, spotsAround, type Label } from "./labels";

const label = (id: string, texts: string[], ...spots: [number, number][]): Label => ({
  id,
  kind: "",
  texts,
  height: 10,
  widthOf: (text) => 10 * text.length,
  spots: () => spots.map(([x, y]) => ({ x, y })),
});
const texts = (labels: Label[], obstacles = [] as Parameters<typeof placeLabels>[1]) =>
  Object.fromEntries(placeLabels(labels, obstacles, 200, 100).map((placed) => [placed.id, placed.text]));

describe("labels", () => {
  it("take the first free spot, then a shorter text, then none", () => {
    const first = label("a", ["aaaa"], [50, 50]);
    expect(texts([first, label("b", ["bbbb"], [50, 50], [50, 80])])).toEqual({ a: "aaaa", b: "bbbb" });
    expect(texts([first, label("b", ["bbbb", "b"], [90, 50])])).toEqual({ a: "aaaa", b: "b" });
    expect(texts([first, label("b", ["bbbb", "b"], [50, 50])])).toEqual({ a: "aaaa" });
    expect(texts([first], [{ left: 45, top: 45, width: 4, height: 4 }])).toEqual({});
  });

  it("stay inside the picture", () => {
    const [placed] = placeLabels([label("a", ["aaaa"], [195, -30])], [], 200, 100);
    expect(placed).toMatchObject({ left: 160, top: 0 });
    expect(texts([label("a", ["a".repeat(21), "aa"], [50, 50])])).toEqual({ a: "aa" });
  });

  it("never overlap, whatever their places", () => {
    const many = Array.from({ length: 60 }, (_, i) =>
      label(`${i}`, ["x".repeat(1 + (i % 7)), "x"], [(i * 37) % 200, (i * 53) % 100], [(i * 11) % 200, (i * 29) % 100]),
    );
    const placed = placeLabels(many, [], 200, 100);
    expect(placed.length).toBeGreaterThan(20);
    placed.forEach((a, i) => placed.slice(i + 1).forEach((b) => expect(areApart(a, b)).toBe(true)));
  });

  it("have spots beside their disk, and along their line", () => {
    for (const { x, y } of spotsAround({ x: 100, y: 50 }, 6, 12)(40))
      expect(
        areApart({ left: x - 20, top: y - 6, width: 40, height: 12 }, { left: 94, top: 44, width: 12, height: 12 }),
      ).toBe(true);
    expect(spotsAlong({ x: 0, y: 0 }, { x: 10, y: 20 }, undefined)()[0]).toEqual({ x: 5, y: 10 });
    expect(spotsAlong({ x: 0, y: 0 }, { x: 10, y: 0 }, { x: 5, y: 8 })()[0]).toEqual({ x: 5, y: 4 });
  });
});
