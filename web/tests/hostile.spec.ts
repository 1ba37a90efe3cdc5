// SPDX-License-Identifier: BSD-3-Clause
// Texts from files stay texts: in the document, in attributes, in exports.
import { expect, test, type Page } from "@playwright/test";
import { expectQuiet, openSample, startViewer } from "./open";
import { hostile } from "./sample/hostile";
import { hostileRounds } from "./sample/make";
import { poison, textFields } from "./sample/poison";
import { readStudy } from "./sample/report";

/** Everything that can be pressed is pressed, and every mark is pointed at; real moves of a mouse would take minutes. */
async function tryEverything(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>("figure.chart .tools button:first-child")) button.click();
    for (const control of document.querySelectorAll("select"))
      for (let i = 0; i < Math.min(control.options.length, 3); ++i) {
        control.selectedIndex = i;
        control.dispatchEvent(new Event("change"));
      }
    for (const row of document.querySelectorAll<HTMLElement>("tr.clickable, .term")) row.click();
    for (const mark of document.querySelectorAll("figure.chart svg *"))
      mark.dispatchEvent(new PointerEvent("pointerenter", { clientX: 400, clientY: 300 }));
  });
  await page.waitForTimeout(200);
}

async function expectNothingRan(page: Page): Promise<void> {
  expect(await page.evaluate(() => (window as unknown as { broken?: number }).broken)).toBeUndefined();
  const made = "iframe, object, embed, applet, form, base, meta, link, style, img:not(.picture), image, script, video, audio, dialog, template, [popover], [onclick], [style]:not(.tip, .stage, .stage *)";
  expect(await page.locator("main").locator(made).evaluateAll((all) => all.map((it) => it.outerHTML.slice(0, 200)))).toEqual([]);
  expect(await page.locator("body > img").count()).toBe(0);
  const links = await page.locator("a").evaluateAll((all) => all.map((link) => link.getAttribute("href")));
  for (const link of links) expect(link).toMatch(/^#[a-z0-9-]+$/);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true);
}

test("a hundred hostile texts in every field are shown, and none runs", async ({ page }) => {
  expect(hostile.length).toBe(100);
  expect(new Set(hostile).size).toBe(100);
  const shown = new Set<string>();
  const look = async (name: string, viewer: boolean): Promise<void> => {
    const watch = await openSample(page, name);
    if (viewer) await startViewer(page);
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>(".more button:last-child")) button.click();
    });
    const words = await page.evaluate(() => document.querySelector("main")!.textContent!);
    for (const text of hostile) if (words.includes(text)) shown.add(text);
    await tryEverything(page);
    await expectNothingRan(page);
    expectQuiet(watch);
  };
  await look("hostile", true);
  // What stands once in a study, such as its title, is one text after the other.
  for (const first of hostileRounds) for (const of of ["paired", "fit"]) await look(`hostile_${of}_${first}`, false);
  expect(hostile.filter((text) => !shown.has(text))).toEqual([]);
});

test("every field of the schema that holds a text has been hostile", () => {
  const seen = new Set<string>();
  for (const name of ["study", "classes", "regression", "paired", "fit", "classes_fit"])
    for (const field of poison(readStudy(name)).fields) seen.add(field);
  expect(textFields.length).toBeGreaterThan(40);
  expect(textFields.filter((field) => !seen.has(field))).toEqual([]);
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
