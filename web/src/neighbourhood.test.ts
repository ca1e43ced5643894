import { describe, expect, it } from "vitest";
import { layOut, layOutAround, linesOf, pictureOf } from "./neighbourhood";
import type { Parts } from "./route";

const fact = (text: string): Parts => {
  const [head, relation, tail] = text.split(" ") as [string, string, string];
  return { head, relation, tail };
};
const places = (picture: ReturnType<typeof pictureOf>) =>
  Object.fromEntries(picture.nodes.map(({ label, place }) => [label, place]));

describe("the picture of a fact", () => {
  const around = ["a r x", "b s x", "a r y", "z t b", "a u b"].map(fact);

  it("has what both ends know between them, the rest behind each end", () => {
    const picture = pictureOf({ fact: fact("a q b"), known: false, around, evidence: [] }, 5);
    expect(places(picture)).toEqual({ a: "head", b: "tail", x: "between", y: "near head", z: "near tail" });
    expect(picture.edges.find((edge) => edge.relation === "q")?.kind).toBe("asked");
    expect(picture.edges).toHaveLength(6);
  });

  it("draws evidence first, and known facts of it as evidence", () => {
    const picture = pictureOf({ fact: fact("a q b"), known: true, around, evidence: ["a r y", "y v b"].map(fact) }, 1);
    expect(places(picture)).toEqual({ a: "head", b: "tail", y: "between", z: "near tail" });
    expect(picture.edges.filter((edge) => edge.kind === "evidence").map((edge) => edge.relation)).toEqual(["r", "v"]);
  });

  it("is that of one entity where there is no other", () => {
    expect(
      places(pictureOf({ fact: { head: "a", relation: "", tail: "" }, known: true, around, evidence: [] }, 9)),
    ).toEqual({
      a: "head",
      x: "between",
      y: "between",
      b: "between",
    });
    expect(places(pictureOf({ fact: fact("a r a"), known: true, around: [fact("a r a")], evidence: [] }, 9))).toEqual({
      a: "head",
    });
  });

  it("takes one neighbour of each relation before a second of any", () => {
    const hub = [...Array.from({ length: 9 }, (_, i) => fact(`h r n${i}`)), fact("h s other")];
    expect(
      Object.keys(
        places(pictureOf({ fact: { head: "h", relation: "", tail: "" }, known: true, around: hub, evidence: [] }, 2)),
      ),
    ).toEqual(["h", "n0", "other"]);
  });
});

it("facts between the same two are one line, but for what is asked", () => {
  const known = ["a r b", "b s a", "a r c"].map((text) => ({ ...fact(text), kind: "known" as const }));
  const lines = linesOf([...known, { ...fact("c t a"), kind: "evidence" }, { ...fact("a q b"), kind: "asked" }]);
  expect(lines).toEqual([
    { from: "a", to: "b", both: false, kind: "asked", relations: ["q"] },
    { from: "c", to: "a", both: true, kind: "evidence", relations: ["t", "r"] },
    { from: "a", to: "b", both: true, kind: "known", relations: ["r", "s"] },
  ]);
});

it("everything drawn is inside the box, and nothing on the line between the ends", () => {
  const around = Array.from({ length: 9 }, (_, i) => [
    fact(`a r${i} x${i}`),
    fact(`b r x${i}`),
    fact(`a s y${i}`),
  ]).flat();
  const picture = pictureOf({ fact: fact("a q b"), known: false, around, evidence: [] }, 5);
  for (const [lay, width, height] of [
    [layOut, 600, 400],
    [layOut, 300, 480],
    [layOutAround, 600, 400],
  ] as const) {
    const positions = lay(picture, width, height);
    expect(positions.size).toBe(picture.nodes.length);
    for (const { x, y } of positions.values()) expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
  }
  for (const [label, { y }] of layOut(picture, 600, 400))
    expect(Math.abs(y - 200) > 20 || label === "a" || label === "b" || label.startsWith("y")).toBe(true);
});
