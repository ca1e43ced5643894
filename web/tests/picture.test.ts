import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { areApart, type Box } from "../src/labels";
import { PHONE, turnTo, useBrowser, visit, world } from "./browser";

useBrowser();

const ENTITIES = ["Norway", "Brazil", "United States", "Oslo", "Nile", "Portuguese"];
const FACTS = [
  { head: "Norway", relation: "borders", tail: "Sweden" },
  { head: "Brazil", relation: "official_language", tail: "Portuguese" },
  { head: "Germany", relation: "member_of", tail: "European Union" },
  { head: "France", relation: "borders", tail: "France" },
];
const PATHS = [...ENTITIES.map((head) => ({ head })), ...FACTS].map((parts) => `/?${new URLSearchParams(parts)}`);

interface Drawn {
  picture: Box;
  labels: (Box & { text: string; kind: string })[];
}

/** The boxes of what is drawn, as the browser has them. */
const drawn = (page: Page): Promise<Drawn> =>
  page.locator(".graph:visible").evaluate((graph) => {
    const box = (element: Element) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      return { left, top, width, height };
    };
    // A label's text may be wider than the box that it was given.
    const inner = (element: Element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const { left, width, height } = range.getBoundingClientRect();
      const own = box(element);
      return {
        left: Math.min(left, own.left),
        top: own.top,
        width: Math.max(width, own.width),
        height: Math.max(height, own.height),
      };
    };
    return {
      picture: box(graph),
      labels: [...graph.querySelectorAll(".labels span")].map((span) => ({
        ...inner(span),
        text: span.textContent!,
        kind: span.className,
      })),
    };
  });

/** How many entities and pairs of linked ones the table beside the picture has. */
const listed = (page: Page) =>
  page.locator(".around:visible details tbody").evaluate((body) => {
    const ends = [...body.querySelectorAll("tr")].map((row) => [
      row.children[0]!.textContent!,
      row.children[2]!.textContent!,
    ]);
    return {
      entities: new Set(ends.flat()).size,
      links: new Set(ends.map((pair) => JSON.stringify(pair.sort()))).size,
    };
  });

function expectOrder({ picture, labels }: Drawn, path: string): void {
  labels.forEach((a, i) => {
    for (const b of labels.slice(i + 1)) expect(areApart(a, b), `${path}: '${a.text}' and '${b.text}'`).toBe(true);
    expect(
      a.left >= picture.left - 1 && a.left + a.width <= picture.left + picture.width + 1,
      `${path}: ${a.text}`,
    ).toBe(true);
    expect(a.top >= picture.top - 1 && a.top + a.height <= picture.top + picture.height + 1, `${path}: ${a.text}`).toBe(
      true,
    );
  });
}

describe("the picture of a neighborhood", () => {
  for (const [device, options] of [
    ["a desktop", {}],
    ["a phone", PHONE],
  ] as const) {
    it(`has no labels that overlap on ${device}`, async () => {
      const page = await visit(world, "/", options);
      for (const path of PATHS) {
        await turnTo(page, path);
        await page.locator(".graph:visible").waitFor();
        const picture = await drawn(page);
        expectOrder(picture, path);
        expect(picture.labels.filter(({ kind }) => kind === "end").length, path).toBeGreaterThan(0);
        const { entities, links } = await listed(page);
        const nodes = picture.labels.filter(({ kind }) => !kind.startsWith("edge")).length;
        const edges = picture.labels.length - nodes;
        expect(nodes, path).toBeGreaterThanOrEqual(0.9 * entities);
        expect(edges, path).toBeGreaterThanOrEqual(0.6 * links);
      }
    });
  }

  it("names what is pointed at in full", async () => {
    const page = await visit(world, "/?head=Brazil&relation=official_language&tail=Portuguese");
    const graph = page.locator(".graph:visible");
    const before = await drawn(page);
    const short = before.labels.find(({ text }) => / \+\d$/.test(text))!; // of a line of several relations
    await page.mouse.move(short.left + short.width / 2, short.top + short.height / 2);
    const ofLine = await drawn(page);
    expectOrder(ofLine, "pointing at a line");
    const full = ofLine.labels.filter(({ kind }) => kind.startsWith("edge")).map(({ text }) => text);
    expect(full).toHaveLength(1);
    expect(full[0]!.split(", ")).toHaveLength(1 + Number(/\d$/.exec(short.text)![0]));
    const { width, height } = before.picture;
    await graph.hover({ position: { x: 0.31 * width, y: 0.5 * height } }); // the head's place
    const ofHead = await drawn(page);
    expectOrder(ofHead, "pointing at Brazil");
    expect(ofHead.labels.map(({ text }) => text)).not.toEqual(before.labels.map(({ text }) => text));
    await page.mouse.move(0, 0);
    await expect.poll(async () => (await drawn(page)).labels).toEqual(before.labels);
  });
});
