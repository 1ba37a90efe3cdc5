// SPDX-License-Identifier: BSD-3-Clause
// Texts from files stay texts: in the document, in attributes, in exports.
import { expect, test } from "@playwright/test";
import { expectQuiet, openSample, startViewer } from "./open";
import { hostile } from "./sample/hostile";

test("forty hostile texts in every field are shown, and none runs", async ({ page }) => {
  expect(hostile.length).toBe(40);
  const watch = await openSample(page, "hostile");
  await startViewer(page);
  for (const more of await page.getByRole("button", { name: "Show all" }).all()) await more.click();
  const shown = await page
    .locator("body")
    .evaluate((body) => (body.querySelector("main") as HTMLElement).textContent ?? "");
  // The parser of HTML and of JSON keep all but the zero byte and half a surrogate as they are.
  for (const text of hostile) expect(shown).toContain(text);
  // Everything that can be pressed is pressed, and every mark is pointed at; real moves of a mouse would take minutes.
  await page.evaluate(() => {
    for (const control of document.querySelectorAll("select"))
      for (let i = 0; i < Math.min(control.options.length, 3); ++i) {
        control.selectedIndex = i;
        control.dispatchEvent(new Event("change"));
      }
    for (const row of document.querySelectorAll<HTMLElement>("tr.clickable")) row.click();
    for (const mark of document.querySelectorAll("figure.chart svg *"))
      mark.dispatchEvent(new PointerEvent("pointerenter", { clientX: 400, clientY: 300 }));
  });
  await page.waitForTimeout(300);
  expect(await page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
  expect(
    await page
      .locator(
        "main iframe, main object, main embed, main form, main base, main meta, main link, main style, main img:not(.picture), main script, body > img",
      )
      .count(),
  ).toBe(0);
  const links = await page.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  for (const link of links) expect(link).toMatch(/^#[a-z]+(-\d+)?$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
  expectQuiet(watch);
});

test("the policy stops scripts, pictures and requests that are not the page's own", async ({ page }) => {
  const watch = await openSample(page, "auc");
  const answers = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.broken = 1";
    document.body.append(script);
    const button = document.createElement("button");
    button.setAttribute("onclick", "window.broken = 1");
    document.body.append(button);
    button.click();
    const picture = new Image();
    const shown = new Promise((done) => {
      picture.onload = () => done("loaded");
      picture.onerror = () => done("blocked");
    });
    picture.src = "https://example.org/x.png";
    const fetched = await fetch("https://example.org/").then(
      () => "fetched",
      () => "blocked",
    );
    return [await shown, fetched, (window as unknown as { broken?: number }).broken];
  });
  expect(answers).toEqual(["blocked", "blocked", undefined]);
  // The watch of the other tests is not blind.
  expect(watch.problems.length).toBeGreaterThanOrEqual(4);
});
