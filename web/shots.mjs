import { chromium } from "playwright-core";
const [url, out] = process.argv.slice(2);
const paths = { entity: "/?head=Equatorial%20Guinea", norway: "/?head=Norway", usa: "/?head=United%20States", fresh: "/?view=new", fact: "/?head=Brazil&relation=official_language&tail=Portuguese", model: "/?view=model", query: "/?head=Norway&relation=member_of" };
const only = process.argv[4]?.split(",");
const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
for (const [device, options] of [["desk", { viewport: { width: 1280, height: 900 } }], ["dark", { viewport: { width: 1280, height: 900 }, colorScheme: "dark" }], ["phone", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]]) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  for (const [name, path] of Object.entries(paths)) {
    if (only && !only.includes(name) && !only.includes(`${device}-${name}`)) continue;
    await page.goto(url + path);
    await page.waitForFunction(() => !document.querySelector("[aria-busy]") && document.querySelector("main")?.textContent);
    if (name === "fresh") { await page.locator(".mark.accepted").first().click(); await page.locator(".mark.rejected").nth(1).click(); }
    await page.waitForTimeout(300);
    await page.screenshot({ path: `${out}/${device}-${name}.png`, fullPage: name !== "fresh" });
  }
  await context.close();
}
await browser.close();
