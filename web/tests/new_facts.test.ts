import { readFile } from "node:fs/promises";
import type { Locator, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Explanation, FactsAround, NewFact, NewFacts } from "../src/api";
import { percent } from "../src/format";
import { NASTY, parameters, PHONE, settled, single, toy, turnTo, useBrowser, visit, world, WORLD } from "./browser";
import { Server } from "./server";

useBrowser();

const rows = (page: Page) => page.locator("table.facts tbody tr");
const lineOf = ({ head, relation, tail }: NewFact) => `${head} ${relation} ${tail}`;
const lines = (page: Page) => page.locator("table.facts tbody .fact").allTextContents();
const complete = (server: Server, query: Record<string, string | number | boolean>) =>
  server.get<NewFacts>("complete", { reasons: true, ...query });
const button = (row: Locator, name: "Accept" | "Reject") => row.getByRole("button", { name: new RegExp(`^${name}:`) });

async function saved(page: Page, name: string): Promise<string[][]> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
  const text = await readFile(await file.path(), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => line.split("\t"));
}

describe("new facts", () => {
  it("are one list over all relations, each with its reason and a link to its explanation", async () => {
    const { facts, queries_left_out: leftOut } = await complete(world, { k: 50 });
    const page = await visit(world, "/");
    await page.getByRole("link", { name: "New facts", exact: true }).click();
    await rows(page).first().waitFor();
    expect(new Set(facts.map(({ relation }) => relation)).size).toBeGreaterThan(3);
    expect(await lines(page)).toEqual(facts.map(lineOf));
    const texts = await rows(page).allInnerTexts();
    facts.forEach(({ probability, reason }, i) => {
      expect(texts[i]).toContain(percent(probability));
      expect(texts[i]).toContain(reason ?? "No known facts support it.");
    });
    expect((await page.locator("main").innerText()).includes("cut short")).toBe(leftOut > 0);
    await page.locator("table.facts tbody a").first().click();
    await page.getByRole("heading", { name: "How likely is it?" }).waitFor();
    const { head, relation, tail, reason } = facts[0]!;
    expect(parameters(page)).toEqual({ head, relation, tail });
    const { evidence } = await world.get<Explanation>("explain", { head, relation, tail });
    expect(evidence![0]?.sentence ?? null).toBe(reason);
  });

  it("are filtered by relation, type, gaps and probability, which the address keeps", async () => {
    const page = await visit(world, "/?view=new");
    await page.getByRole("combobox", { name: "Relation" }).fill("official_lang");
    await page.keyboard.press("Enter");
    await page.waitForURL(/relation=official_language/);
    await settled(page);
    const relation = "official_language";
    expect(await lines(page)).toEqual((await complete(world, { relation, k: 50 })).facts.map(lineOf));
    await page.getByRole("combobox", { name: "Type of the head" }).fill("Africa");
    await page.keyboard.press("Enter");
    await page.waitForURL(/type=Africa/);
    await page.getByLabel("Gaps only").check();
    await page.waitForURL(/gaps=only/);
    await page.getByLabel("Probability").selectOption("0.25");
    await page.waitForURL(/min=0.25/);
    await settled(page);
    const wanted = { relation, type: "Africa", only_gaps: true, min_probability: 0.25, k: 50 };
    expect(await lines(page)).toEqual((await complete(world, wanted)).facts.map(lineOf));
    const before = await lines(page);
    await page.reload();
    await settled(page);
    expect(await lines(page)).toEqual(before);
    expect(await page.getByLabel("Gaps only").isChecked()).toBe(true);
  });

  it("that are none are explained", async () => {
    const page = await visit(world, "/?view=new&relation=borders&min=1");
    await page.getByText("No new facts.").waitFor();
    await page.getByRole("link", { name: "Show all" }).click();
    await rows(page).first().waitFor();
  });

  it("keep the marks that a person gives them, which can be downloaded", async () => {
    const page = await visit(world, "/?view=new");
    const { facts } = await complete(world, { k: 50 });
    await button(rows(page).nth(0), "Accept").click();
    await button(rows(page).nth(1), "Reject").click();
    await button(rows(page).nth(2), "Accept").click();
    await button(rows(page).nth(2), "Reject").click(); // another opinion
    await button(rows(page).nth(3), "Accept").click();
    await button(rows(page).nth(3), "Accept").click(); // none after all
    const pressed = () =>
      page
        .locator(".mark")
        .evaluateAll((all) => all.slice(0, 8).map((one) => one.getAttribute("aria-pressed") === "true"));
    const expected = [true, false, false, true, false, true, false, false];
    expect(await pressed()).toEqual(expected);
    await page.reload();
    await settled(page);
    expect(await pressed()).toEqual(expected);
    expect(await page.locator(".marks-bar").innerText()).toContain("1 accepted, 2 rejected");
    const marks = ["accepted", "rejected", "rejected"];
    expect(await saved(page, "Download marks")).toEqual(
      marks.map((mark, i) => {
        const { head, relation, tail, probability } = facts[i]!;
        return [head, relation, tail, String(Number(probability.toPrecision(6))), mark];
      }),
    );
    const { head } = facts[0]!;
    await turnTo(page, `/?${new URLSearchParams({ head })}`); // another view, the same marks
    const marked = page.locator("tr.is-accepted .fact");
    expect(await marked.allTextContents()).toContain(lineOf(facts[0]!));
    await page.goBack();
    await settled(page);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("button", { name: "Remove marks" }).click();
    expect(await pressed()).toEqual(Array(8).fill(false));
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
  });

  it("do not show what else is in the browser's storage", async () => {
    const page = await visit(world, "/?view=new");
    await button(rows(page).nth(0), "Accept").click();
    const [place] = await page.evaluate(() => Object.keys(localStorage));
    for (const other of [
      "{]",
      "{}",
      '[{"head": 1}, null, {"head": "a", "relation": "b", "tail": "c", "probability": 1, "mark": "x"}]',
    ]) {
      await page.evaluate(([name, text]) => localStorage.setItem(name!, text!), [place!, other]);
      await page.reload();
      await settled(page);
      expect(await page.locator(".marks-bar").isHidden()).toBe(true);
    }
  });

  it("are downloaded as the command writes them", async () => {
    const page = await visit(world, "/?view=new&relation=borders");
    const { facts } = await complete(world, { relation: "borders", k: 50 });
    const expected = facts.map((f) => [f.head, f.relation, f.tail, String(Number(f.probability.toPrecision(6)))]);
    expect(await saved(page, "Download list")).toEqual(expected);
  });

  it("say so where the search was cut short, or probabilities assume a missing answer", async () => {
    const small = await Server.start(`${WORLD}/model.gkgc`, { flags: ["--max-queries=20"] });
    const page = await visit(small, "/?view=new");
    expect(await page.locator("main").innerText()).toContain("This list was cut short");
    await small.stop();
    const other = await visit(single, "/?view=new&relation=borders");
    expect(await other.locator("main").innerText()).toContain("every query has a missing answer");
    expect(await other.locator(".reason").count()).toBe(await rows(other).count());
  });

  it("have labels that are text, whatever they look like", async () => {
    const page = await visit(toy, "/?view=new");
    await button(rows(page).nth(0), "Accept").click();
    expect(await rows(page).first().innerText()).toContain(NASTY);
    const [marked] = await saved(page, "Download marks");
    expect(marked).toHaveLength(5);
    expect(await page.locator("main img").count()).toBe(0);
  });

  it("are marked by touch on a phone", async () => {
    const page = await visit(world, "/?view=new", PHONE);
    await button(rows(page).nth(0), "Reject").tap();
    expect(parameters(page)).toEqual({ view: "new" }); // not the explanation
    expect(await rows(page).first().getAttribute("class")).toBe("is-rejected");
    const box = (await button(rows(page).nth(0), "Reject").boundingBox())!;
    expect(Math.min(box.width, box.height)).toBeGreaterThanOrEqual(40);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  });
});

describe("an entity", () => {
  it("leads with what is probably missing, then what is known", async () => {
    const { facts } = await complete(world, { k: 50, min_probability: 0.5 });
    const { head } = facts[0]!;
    const page = await visit(world, `/?${new URLSearchParams({ head })}`);
    const missing = page.getByRole("region", { name: "Probably missing" });
    const about = (await complete(world, { entity: head, min_probability: 0.1, k: 8 })).facts;
    expect(await missing.locator(".fact").allTextContents()).toEqual(about.map(lineOf));
    expect(about.map(lineOf)).toContain(lineOf(facts[0]!));
    expect(await missing.locator("table").first().locator("tbody tr").count()).toBe(
      about.filter(({ probability }) => probability >= 0.5).length,
    );
    const known = page.getByRole("region", { name: /known facts?$/ });
    const around = await world.get<FactsAround>("facts", { entity: head, limit: 200 });
    for (const fact of around.facts) expect(await known.innerText()).toContain(fact.relation);
    const top = async (panel: Locator) => (await panel.boundingBox())!.y;
    expect(await top(missing)).toBeLessThan(await top(known));
    await missing.getByRole("link", { name: "All new facts about" }).click();
    await page.waitForURL(/view=new&entity=/);
    await settled(page);
    expect(await lines(page)).toEqual((await complete(world, { entity: head, k: 50 })).facts.map(lineOf));
    await page.getByRole("link", { name: "Show all entities" }).click();
    await page.waitForURL((url) => url.search === "?view=new");
  });

  it("leads from a known relation to its query, and from an end to its entity", async () => {
    const page = await visit(world, "/?head=Norway");
    const known = page.getByRole("region", { name: /known facts?$/ });
    await known.getByRole("link", { name: "borders", exact: true }).first().click();
    await page.waitForURL(/\?head=Norway&relation=borders$/);
    await page.goBack();
    await settled(page);
    await known.getByRole("link", { name: "Sweden", exact: true }).first().click();
    await page.waitForURL(/\?head=Sweden$/);
  });

  it("is not left beside the answers to a query, not even while it is looked for", async () => {
    const page = await visit(world, "/");
    await page.route("**/v1/complete?*", () => {}); // never answered
    await page.getByRole("combobox", { name: "Head" }).fill("Norway");
    await page.keyboard.press("Enter");
    await page
      .getByText("Looking for")
      .or(page.getByRole("region", { name: "Probably missing" }))
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "Relation" }).fill("borders");
    await page.keyboard.press("Enter");
    await page.locator("table.answers").waitFor();
    await settled(page);
    expect(await page.getByRole("region", { name: "Probably missing" }).count()).toBe(0);
  });
});
