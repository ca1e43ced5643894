import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { Server } from "./server";

// Made by tests/cli/test_web.py: a run on `world`, and a small graph whose labels would be markup, were they not text.
export const WORLD = process.env["GREENKGC_WORLD"]!;
export const TOY = process.env["GREENKGC_TOY"]!;
export const NASTY = "<img src=x onerror=alert(1)>&\"'`";
export const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

export let world: Server; // two stages
export let single: Server; // one
export let toy: Server;
let browser: Browser;
const open: Page[] = [];
const complaints: string[] = [];

/** Starts the servers and a browser for the tests of a file. */
export function useBrowser(): void {
  beforeAll(async () => {
    [world, single, toy] = await Promise.all([
      Server.start(`${WORLD}/model.gkgc`),
      Server.start(`${WORLD}/first_stage.gkgc`),
      Server.start(`${TOY}/model.gkgc`),
    ]);
    browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  }, 60_000);

  afterAll(async () => {
    await browser?.close();
    await Promise.all([world, single, toy].map((server) => server?.stop()));
  });

  afterEach(async () => {
    for (const page of open.splice(0)) await page.context().close();
    expect(complaints.splice(0)).toEqual([]);
  });
}

/** A page in a browser of its own; what its console complains of, and requests to elsewhere, fail the test. */
export async function visit(server: Server, path: string, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1200, height: 900 }, ...options });
  context.setDefaultTimeout(15_000);
  const page = await context.newPage();
  open.push(page);
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    const isStatus = message.text().startsWith("Failed to load resource"); // an answer of ours that is no 200
    if (["error", "warning"].includes(message.type()) && !isStatus) complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(`${server.url}/`)) complaints.push(`a request to ${request.url()}`);
  });
  await page.goto(server.url + path);
  await settled(page);
  return page;
}

export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(
    () => !document.querySelector("[aria-busy]") && document.querySelector("main")?.textContent,
  );
}

export async function turnTo(page: Page, path: string): Promise<void> {
  await page.goto(new URL(path, page.url()).href);
  await settled(page);
}

export const parameters = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);
export const BAR = [157, 184, 201]; // as in style.css, by day
export const ACCENT = [31, 122, 77];
/** How many pixels of a canvas have each colour. */
export const painted = (canvas: Locator, ...colours: number[][]) =>
  canvas.evaluate((element: HTMLCanvasElement, wanted) => {
    const { data } = element.getContext("2d")!.getImageData(0, 0, element.width, element.height);
    const pixels = wanted.map(() => 0);
    for (let i = 0; i < data.length; i += 4)
      wanted.forEach((colour, c) => (pixels[c]! += Number(colour.every((value, part) => data[i + part] === value))));
    return pixels;
  }, colours);
