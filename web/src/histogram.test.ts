import { expect, it } from "vitest";
import { standing } from "./histogram";

it("an answer is above those whose bars are to its left", () => {
  const histogram = { low: -2, high: 2, counts: [900, 90, 9, 1] };
  expect(standing(histogram, 2)).toContain("above at least 999 of 1,000 candidates");
  expect(standing(histogram, -0.5)).toContain("above at least 900 of 1,000 candidates");
  expect(standing(histogram, -2)).toContain("above at least 0 of 1,000 candidates");
  expect(standing({ low: 1, high: 1, counts: [3, 0] }, 1)).toContain("at least 0 of 3");
});
