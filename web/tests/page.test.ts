import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { Explanation, FactsAround, ModelCard, Predicted } from "../src/api";
import { percent } from "../src/format";
import {
  ACCENT,
  BAR,
  NASTY,
  painted,
  parameters,
  settled,
  single,
  TOY,
  toy,
  turnTo,
  useBrowser,
  visit,
  world,
  WORLD,
} from "./browser";
import { Server } from "./server";

useBrowser();

const head = (page: Page) => page.getByRole("combobox", { name: "Head" });
const relation = (page: Page) => page.getByRole("combobox", { name: "Relation" });
const picks = (page: Page) => page.locator("table.answers .pick");
const why = (page: Page) => page.getByRole("region", { name: /^(Why|How likely)/ });

describe("asking", () => {
  it("goes from nothing to an explained answer by the keyboard alone", async () => {
    const page = await visit(world, "/");
    await page.keyboard.press("/");
    await page.keyboard.type("norwa");
    await page.getByRole("option", { name: "Norway", exact: true }).waitFor();
    expect(await head(page).getAttribute("aria-expanded")).toBe("true");
    await page.keyboard.press("ArrowDown");
    const active = await head(page).getAttribute("aria-activedescendant");
    expect(await page.locator(`[id="${active}"]`).getAttribute("aria-selected")).toBe("true");
    await page.keyboard.press("Enter");
    await page.getByText("Now choose a relation").waitFor();
    expect(await head(page).getAttribute("aria-expanded")).toBe("false");
    await page.keyboard.press("Tab");
    await page.keyboard.type("bord");
    await page.keyboard.press("Enter");
    await picks(page).first().waitFor();
    await settled(page);
    expect(parameters(page)).toEqual({ head: "Norway", relation: "borders" });

    const { answers } = await world.get<Predicted>("predict", {
      ...parameters(page),
      k: 10,
      include_known: true,
      histogram: 48,
    });
    expect(await picks(page).allTextContents()).toEqual(answers.map(({ answer }) => answer));
    await picks(page).first().focus();
    await page.keyboard.press("ArrowDown");
    await why(page)
      .getByRole("heading", { name: `Why ${answers[1]!.answer}?` })
      .waitFor();
    await settled(page);
    expect(parameters(page)["answer"]).toBe(answers[1]!.answer);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(answers[1]!.answer);
  });

  it("shows the server's probabilities, and marks what is known", async () => {
    const question = { head: "Norway", relation: "continent" };
    const { answers } = await single.get<Predicted>("predict", { ...question, k: 10, include_known: true });
    expect(answers.some(({ known }) => known)).toBe(true);
    const page = await visit(single, "/?head=Norway&relation=continent");
    const rows = await page.locator("table.answers tbody tr").allInnerTexts();
    expect(rows.map((row) => row.includes("known"))).toEqual(answers.map(({ known }) => known));
    rows.forEach((row, i) => expect(row).toContain(percent(answers[i]!.probability)));
    await page.getByLabel("Include known answers").uncheck();
    await page.waitForURL(/known=hide/);
    await settled(page);
    expect(await page.locator("table.answers .badge").count()).toBe(0);
    expect(await picks(page).count()).toBe(10);
  });

  it("names known answers that are not on the list", async () => {
    const page = await visit(world, "/?head=Norway&relation=borders");
    const around = await world.get<FactsAround>("facts", { entity: "Norway", limit: 80 });
    const known = around.facts
      .filter((fact) => fact.head === "Norway" && fact.relation === "borders")
      .map((fact) => fact.tail);
    const listed = await picks(page).allTextContents();
    const chips = await page.locator(".small .chip").allTextContents();
    expect(known.length).toBeGreaterThan(0);
    expect([...listed, ...chips]).toEqual(expect.arrayContaining(known));
    if (chips.length === 0) return;
    await page.locator(".small .chip").first().click();
    await why(page)
      .getByRole("heading", { name: `Why ${chips[0]}?` })
      .waitFor();
    expect(await why(page).locator(".badge").textContent()).toBe("known");
  });

  it("answers for heads and relations too", async () => {
    const heads = await visit(world, "/?relation=continent&tail=Europe");
    expect(await picks(heads).count()).toBe(10);
    const relations = await visit(world, "/?head=Norway&tail=Sweden");
    const { answers } = await world.get<Predicted>("predict", {
      head: "Norway",
      tail: "Sweden",
      k: 10,
      include_known: true,
    });
    expect(await picks(relations).allTextContents()).toEqual(answers.map(({ answer }) => answer));
    await relations.getByRole("button", { name: "Swap head and tail" }).click();
    await relations.waitForURL(/head=Sweden&tail=Norway/);
  });

  it("draws the scores of all candidates, and says where the answer stands", async () => {
    const page = await visit(world, "/?head=Norway&relation=continent");
    const spread = page.getByRole("region", { name: "Scores of all candidates" });
    const [bars, line] = await painted(spread.locator("canvas"), BAR, ACCENT);
    expect(bars).toBeGreaterThan(1000);
    expect(line).toBeGreaterThan(50);
    const { entities } = await world.get<ModelCard>("model", {});
    expect(await spread.innerText()).toContain(`of ${entities.toLocaleString("en-US")} candidates`);
  });

  it("goes back and forth through questions", async () => {
    const page = await visit(world, "/?head=Norway&relation=borders");
    await relation(page).fill("continent");
    await page.keyboard.press("Enter");
    await page.waitForURL(/relation=continent/);
    await settled(page);
    const continents = await picks(page).allTextContents();
    await page.getByRole("combobox", { name: "Tail" }).focus(); // to pass through a field is no step
    await head(page).focus();
    await page.goBack();
    await expect.poll(() => relation(page).inputValue()).toBe("borders");
    await settled(page);
    expect(await picks(page).allTextContents()).not.toEqual(continents);
    await page.goForward();
    await expect.poll(() => relation(page).inputValue()).toBe("continent");
    await settled(page);
    expect(await picks(page).allTextContents()).toEqual(continents);
    expect(await page.title()).toBe("Norway · continent · ? — GreenKGC");
  });
});

describe("explaining", () => {
  const fact = { head: "Norway", relation: "borders", tail: "Sweden" };
  const path = `/?${new URLSearchParams(fact)}`;

  it("gives the evidence in the server's words", async () => {
    const page = await visit(world, path);
    const explanation = await world.get<Explanation>("explain", { ...fact, most: 5 });
    const text = await why(page).innerText();
    expect(text).toContain(percent(explanation.probability));
    for (const { sentence } of explanation.evidence!) expect(text).toContain(sentence);
    for (const sentence of explanation.against!) expect(text).toContain(sentence);
    await page.getByText("First stage").click();
    expect(await why(page).innerText()).toContain("Score of the embedding");
  });

  it("takes the score apart where there is one stage", async () => {
    const page = await visit(single, path);
    const { support } = await single.get<Explanation>("explain", { ...fact, most: 5 });
    const text = await why(page).innerText();
    expect(text).toContain("Score of the embedding");
    expect(text).toContain(`${support![0]!.head} ${support![0]!.relation} ${support![0]!.tail}`);
  });

  it("draws the neighbourhood, which leads on to its entities", async () => {
    const page = await visit(world, path);
    const around = page.getByRole("region", { name: "Around Norway and Sweden" });
    const [ends] = await painted(around.locator("canvas").last(), ACCENT);
    expect(ends).toBeGreaterThan(300);
    await around.getByText("Show as a table").click();
    const known = await world.get<FactsAround>("facts", { entity: "Norway", limit: 80 });
    const lines = known.facts.map((f) => [f.head, f.relation, f.tail].join("\t"));
    const rows = (await around.locator("tbody tr").allInnerTexts()).map((row) =>
      row.split("\t").slice(0, 3).join("\t"),
    );
    expect(rows.filter((row) => lines.includes(row)).length).toBeGreaterThan(5);
    const box = (await around.locator(".graph").boundingBox())!;
    await page.mouse.click(box.x + 0.31 * box.width, box.y + 0.5 * box.height); // the head's place
    await page.waitForURL(/\?head=Norway$/);
    await page.getByRole("region", { name: "Around Norway" }).waitFor();
  });
});

describe("what goes wrong", () => {
  it("an unknown entity is named, with those that may have been meant", async () => {
    const page = await visit(world, "/?head=Norwya&relation=borders");
    expect(await page.getByRole("alert").innerText()).toContain("no entity 'Norwya'");
    expect(await head(page).getAttribute("aria-invalid")).toBe("true");
    await page.getByRole("link", { name: "Norway", exact: true }).click();
    await picks(page).first().waitFor();
    expect(await head(page).getAttribute("aria-invalid")).toBe("false");
  });

  it("a name that nothing has is kept, and refused in words", async () => {
    const page = await visit(world, "/?relation=borders");
    await head(page).fill("qqqq");
    await page.getByText("No label matches").waitFor();
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").innerText()).toContain("no entity 'qqqq'");
    expect(await page.getByRole("alert").innerText()).toContain("Check the spelling");
  });

  it("no answers are explained, with a way on", async () => {
    const [fact] = (await toy.get<FactsAround>("facts", { entity: "e0", limit: 10 })).facts;
    const page = await visit(toy, `/?${new URLSearchParams({ head: fact!.head, tail: fact!.tail, known: "hide" })}`);
    await page.getByText("No answers.").waitFor();
    await page.getByRole("link", { name: "Include known answers" }).click();
    await picks(page).first().waitFor();
    expect(await page.locator("table.answers .badge").count()).toBe(1);
  });

  it("a server that is gone is said to be, and can come back", async () => {
    const first = await Server.start(`${WORLD}/model.gkgc`);
    const page = await visit(first, "/?head=Norway&relation=borders");
    await first.stop();
    await relation(page).fill("continent");
    await page.keyboard.press("Enter");
    expect(await page.getByRole("alert").innerText()).toContain("The server does not respond.");
    const second = await Server.start(`${WORLD}/model.gkgc`, { port: first.port });
    await page.getByRole("button", { name: "Try again" }).click();
    await picks(page).first().waitFor();
    await settled(page);
    await second.stop();
  });

  it("a token is asked for, and used", async () => {
    const token = "a-token-that-is-long-enough";
    const guarded = await Server.start(`${TOY}/model.gkgc`, { token });
    const page = await visit(guarded, "/?view=model");
    for (const given of ["another", token]) {
      await page.getByLabel("Token").fill(given);
      await page.getByRole("button", { name: "Continue" }).click();
      if (given !== token) await page.getByText("The server rejected this token.").waitFor();
    }
    await page.getByText("Known facts", { exact: true }).waitFor();
    await guarded.stop();
  });

  it("labels are text, whatever they look like", async () => {
    const page = await visit(toy, `/?${new URLSearchParams({ head: `e1${NASTY}`, relation: `r${NASTY}` })}`);
    expect(await picks(page).count()).toBe(10);
    expect(await page.getByRole("heading", { level: 2 }).first().innerText()).toContain(NASTY);
    expect(await page.locator("main img").count()).toBe(0);
  });
});

describe("how it looks", () => {
  const PATHS = [
    "/",
    "/?head=Norway",
    "/?head=Norway&relation=member_of",
    "/?view=new",
    "/?view=new&relation=borders&entity=Norway",
    "/?view=model",
  ];

  it("fits a phone", async () => {
    const phone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
    const page = await visit(world, "/", phone);
    for (const path of PATHS) {
      await turnTo(page, path);
      expect(await page.evaluate(() => document.documentElement.scrollWidth), path).toBeLessThanOrEqual(360);
    }
    await turnTo(page, "/?head=Norway&relation=member_of");
    const second = (await picks(page).allTextContents())[1]!;
    await picks(page).nth(1).tap();
    const reason = why(page).getByRole("heading", { name: `Why ${second}?` });
    await reason.waitFor();
    await expect.poll(async () => (await reason.boundingBox())!.y).toBeLessThan(100); // scrolled to
    const tops = await page
      .locator(".panel")
      .evaluateAll((panels) => panels.map((panel) => panel.getBoundingClientRect().top));
    expect(tops[0]).toBeLessThan(tops[2]!); // answers, then why, then the picture
    expect(tops[2]).toBeLessThan(tops[1]!);
  });

  it("is dark where the system is, or where it is chosen, and stays so", async () => {
    const back = (page: Page) => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const page = await visit(world, "/?head=Norway&relation=borders", { colorScheme: "dark" });
    const dark = await back(page);
    await page.getByRole("button", { name: "Light colors" }).click();
    const light = await back(page);
    expect([dark, light]).toEqual(["rgb(18, 22, 26)", "rgb(246, 248, 247)"]);
    await page.reload();
    await settled(page);
    expect(await back(page)).toBe(light);
  });

  it("names everything for screen readers", async () => {
    const page = await visit(world, "/");
    for (const path of PATHS) {
      await turnTo(page, path);
      const nameless = await page.evaluate(() => {
        const named = (element: Element) =>
          element.getAttribute("aria-label") ||
          element.textContent?.trim() ||
          (element as HTMLInputElement).labels?.length;
        const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
        return {
          controls: [...document.querySelectorAll("a, button, input, select")]
            .filter((e) => !named(e))
            .map((e) => e.outerHTML),
          tables: [...document.querySelectorAll("table")].filter((table) => !table.querySelector("th[scope]")).length,
          twice: ids.filter((id, i) => ids.indexOf(id) !== i),
          main: document.querySelectorAll("main h1").length,
        };
      });
      expect(nameless, path).toEqual({ controls: [], tables: 0, twice: [], main: 1 });
    }
  });
});
