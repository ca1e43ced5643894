import { describe, expect, it } from "vitest";
import { tsv } from "./tsv";

describe("tab-separated values", () => {
  it("have six digits, as the command writes them, and a line for each row", () => {
    expect(
      tsv([
        ["a", "b", 0.98765432],
        ["c", "d", 1],
      ]),
    ).toBe("a\tb\t0.987654\nc\td\t1\n");
    expect(tsv([])).toBe("");
  });

  it("keep their columns, whatever the labels", () => {
    expect(tsv([["a\tb\r\nc", "d"]])).toBe("a b  c\td\n");
  });
});
