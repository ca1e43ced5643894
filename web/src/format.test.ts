import { describe, expect, it } from "vitest";
import { bytes, count, outputTitle, percent, rank, short, signed } from "./format";
import { meantLabels } from "./problem";

it("a probability is never said to be nothing or everything", () => {
  expect([0, 0.0009, 0.001, 0.1234, 0.9994, 1].map(percent)).toEqual([
    "< 0.1 %",
    "< 0.1 %",
    "0.1 %",
    "12.3 %",
    "> 99.9 %",
    "> 99.9 %",
  ]);
});

it("numbers are read as words", () => {
  expect([count(1234567), count(1, "fact"), count(2, "fact"), count(0, "entity", "entities")]).toEqual([
    "1,234,567",
    "1 fact",
    "2 facts",
    "0 entities",
  ]);
  expect([0, 999, 1000, 690176, 2_500_000, 123_456_789].map(bytes)).toEqual([
    "0 B",
    "999 B",
    "1.0 kB",
    "690 kB",
    "2.5 MB",
    "123 MB",
  ]);
  expect([signed(1.234), signed(-0.5), rank(3), rank(3.5)]).toEqual(["+1.23", "−0.50", "3", "3.5"]);
});

describe("short", () => {
  it("keeps the last part of IRIs and paths, and plain labels whole", () => {
    expect(short("http://dbpedia.org/resource/Norway")).toBe("Norway");
    expect(short("<http://example.org/vocab#borders>")).toBe("borders");
    expect(short("/location/country/form_of_government")).toBe("form_of_government");
    expect(short("AC/DC")).toBe("AC/DC");
    expect(short("/")).toBe("/");
    expect(short("a".repeat(30), 10)).toBe(`${"a".repeat(9)}…`);
  });
});

it("files of a run have names for people", () => {
  expect(outputTitle("model.gkgc", 2)).toBe("model, both stages");
  expect(outputTitle("model.gkgc", 1)).toBe("model");
  expect(outputTitle("first_stage.gkgc", 2)).toBe("model, first stage");
  expect(outputTitle("other.gkgc", 1)).toBe("other.gkgc");
});

it("labels that may have been meant are read from the server's sentence, quotes in them too", () => {
  expect(meantLabels("the model has no entity 'x'; did you mean 'Norway' or 'Côte d'Ivoire'?")).toEqual([
    "Norway",
    "Côte d'Ivoire",
  ]);
  expect(meantLabels("the model has no entity 'x'")).toEqual([]);
});
