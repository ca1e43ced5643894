import type { Histogram } from "./api";
import { count } from "./format";

/** Where a value stands among all, in words. */
export function standing({ low, high, counts }: Histogram, margin: number): string {
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const own = high > low ? Math.min(counts.length - 1, Math.floor(((margin - low) / (high - low)) * counts.length)) : 0;
  return `This answer scores above at least ${count(sum(counts.slice(0, own)))} of ${count(sum(counts), "candidate")}.`;
}
