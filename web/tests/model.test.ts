import { describe, expect, it } from "vitest";
import type { ModelCard } from "../src/api";
import { PHONE, toy, useBrowser, visit, world } from "./browser";

useBrowser();

describe("the model page", () => {
  it("has sizes and metrics", async () => {
    const page = await visit(world, "/?view=model");
    const card = await world.get<ModelCard>("model", {});
    const text = await page.locator("main").innerText();
    for (const size of [card.entities, card.relations, card.facts])
      expect(text).toContain(size.toLocaleString("en-US"));
    for (const { both } of card.metrics!.metrics) expect(text).toContain(both.realistic.mrr.toFixed(3));
    await page.getByRole("link", { name: "Licenses" }).click();
    await page.getByText("The Cytoscape Consortium").waitFor();
  });

  it("shows how reliable new facts are, and how good for each relation", async () => {
    const page = await visit(world, "/?view=model");
    const { metrics } = await world.get<ModelCard>("model", {});
    const { bins, relations, r_precision: precision, hidden } = metrics!.completion!;
    const section = page.getByRole("region", { name: "New facts" });
    const text = await section.innerText();
    expect(text).toContain(precision.toFixed(2));
    expect(text).toContain(`${hidden} test facts were hidden`);
    expect(await section.locator("circle").count()).toBe(bins.filter((bin) => bin.candidates > 0).length);
    expect(await section.locator("circle title").first().textContent()).toMatch(
      /^predicted .* observed .* of \d+ facts$/,
    );
    const names = section.locator("table.qualities tbody th");
    const sorted = [...relations].sort((a, b) => b.hidden - a.hidden).map(({ relation }) => relation);
    expect(await names.allTextContents()).toEqual(sorted.slice(0, 15));
    await section.getByRole("button", { name: `Show all ${relations.length} relations` }).click();
    expect(await names.allTextContents()).toEqual(sorted);
    await section.getByText("Show as a table").click();
    expect(await section.locator("details tbody tr").count()).toBe(bins.length - 1); // one bin is empty
    await names.first().getByRole("link").click();
    await page.waitForURL(/view=new&relation=/);
  });

  it("says how to measure what was not measured", async () => {
    const page = await visit(toy, "/?view=model", PHONE);
    expect(await page.locator("main").innerText()).toContain("greenkgc evaluate DATA --model M --task completion");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});
