// SPDX-License-Identifier: BSD-3-Clause
// A page worked with the keys alone, whatever drives the browser.
import { expect } from "@playwright/test";

/** What a browser has to offer. Functions run in the page, and know nothing of what is around them here. */
export interface Driver {
  press: (key: string) => Promise<void>;
  run: <Result>(code: () => Result | Promise<Result>) => Promise<Result>;
  runWith: <Given, Result>(code: (given: Given) => Result | Promise<Result>, given: Given) => Promise<Result>;
}

interface Focus {
  what: string;
  /** Whether a reader sees that it has the focus: an outline, and all of it in the window. */
  seen: boolean;
}

/** Everything that a key should reach gets a number; how many there are. */
function number(): number {
  const reachable = "a[href], button, select, input, summary, [tabindex='0']";
  let count = 0;
  for (const element of document.querySelectorAll<HTMLElement>(reachable)) {
    delete element.dataset["stop"];
    if (!element.checkVisibility({ visibilityProperty: true }) || (element as HTMLButtonElement).disabled) continue;
    element.dataset["stop"] = String(count++);
  }
  return count;
}

function focused(): Focus & { stop: number | null } {
  const element = document.activeElement as HTMLElement | null;
  if (!element || element === document.body) return { what: "nothing", seen: false, stop: null };
  const style = getComputedStyle(element);
  const outlined = style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  const { top, bottom, left, right, width, height } = element.getBoundingClientRect();
  const inWindow = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth && width > 0 && height > 0;
  const stop = element.dataset["stop"];
  return {
    what: `${element.tagName.toLowerCase()}${element.id && `#${element.id}`} ${(element.getAttribute("aria-label") ?? element.textContent ?? "").slice(0, 40)}`,
    seen: outlined && inWindow,
    stop: stop === undefined ? null : Number(stop),
  };
}

/** From the top of the page to its end by Tab: every control has its turn, in order, and is seen to have it. */
export async function walk(driver: Driver): Promise<number> {
  await driver.run(() => {
    document.documentElement.style.scrollBehavior = "auto";
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  const count = await driver.run(number);
  const order: number[] = [];
  const unseen: string[] = [];
  for (let i = 0; i < count + 5; ++i) {
    await driver.press("Tab");
    let now = await driver.run(focused);
    // A chart above it may just be drawn, and a busy machine takes its time for that.
    for (let wait = 0; now.stop !== null && !now.seen && wait < 10; ++wait) {
      await driver.run(() => new Promise<void>((done) => setTimeout(done, 200)));
      now = await driver.run(focused);
    }
    if (now.stop === null || now.stop === order[0]) break;
    if (!now.seen) unseen.push(now.what);
    order.push(now.stop);
  }
  expect(unseen, "what has the focus is not seen to have it").toEqual([]);
  expect(order).toEqual(Array.from({ length: count }, (_, i) => i));
  return count;
}

const focus = (driver: Driver, selector: string): Promise<void> =>
  driver.runWith((it) => {
    const element = document.querySelector<HTMLElement>(it);
    if (!element) throw new Error(`there is no ${it}`);
    element.focus();
  }, selector);

const textOf = (driver: Driver, selector: string): Promise<string> =>
  driver.runWith((it) => document.querySelector(it)?.textContent ?? "", selector);

/** The skip link is the first stop, is seen, and leads past the list of sections. */
export async function skips(driver: Driver): Promise<void> {
  await driver.run(() => {
    (document.activeElement as HTMLElement | null)?.blur();
    scrollTo(0, 0);
  });
  await driver.press("Tab");
  expect(await driver.run(() => document.activeElement?.className)).toBe("skip");
  expect(await driver.run(() => document.activeElement!.getBoundingClientRect().top)).toBeGreaterThanOrEqual(0);
  await driver.press("Enter");
  await driver.press("Tab");
  expect(await driver.run(() => document.activeElement!.closest("main") !== null)).toBe(true);
}

/** A term says what it means under the focus, within the window, until Escape. */
export async function explains(driver: Driver): Promise<void> {
  const terms = await driver.run(() => document.querySelectorAll(".term").length);
  expect(terms).toBeGreaterThan(4);
  for (let i = 0; i < terms; ++i) {
    const shown = await driver.runWith(async (at) => {
      const term = document.querySelectorAll<HTMLElement>(".term")[at]!;
      term.scrollIntoView({ block: at % 2 ? "end" : "start", behavior: "instant" });
      term.focus();
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      const box = document.querySelector<HTMLElement>(".tip")!;
      const { left, top, right, bottom } = box.getBoundingClientRect();
      return {
        text: box.hidden ? "" : box.textContent!,
        meant: document.getElementById(term.getAttribute("aria-describedby")!)!.textContent!,
        inside: left >= 0 && top >= 0 && right <= document.documentElement.clientWidth && bottom <= innerHeight,
      };
    }, i);
    expect(shown.meant.length).toBeGreaterThan(10);
    expect(shown.text).toContain(shown.meant);
    expect(shown.inside, shown.text).toBe(true);
  }
  await driver.press("Escape");
  expect(await driver.run(() => document.querySelector<HTMLElement>(".tip")!.hidden)).toBe(true);
  await driver.press("Enter");
  expect(await driver.run(() => document.querySelector<HTMLElement>(".tip")!.hidden)).toBe(false);
}

/** The viewer, a table, a list, the numbers of a chart and the switch of colours, each by its keys. */
export async function operates(driver: Driver): Promise<void> {
  await focus(driver, ".stage canvas");
  const place = await textOf(driver, "#crosshair-mm");
  await driver.press("ArrowRight");
  expect(await textOf(driver, "#crosshair-mm")).not.toBe(place);

  await focus(driver, "#threshold");
  const shown = await textOf(driver, "#threshold-value");
  await driver.press("Home");
  const all = await textOf(driver, "#threshold-value");
  await driver.press("End");
  expect(new Set([shown, all, await textOf(driver, "#threshold-value")]).size).toBeGreaterThanOrEqual(2);

  await focus(driver, '#clusters thead th:nth-child(2) button');
  await driver.press("Enter");
  expect(await driver.run(() => document.querySelector("#clusters thead th:nth-child(2)")!.getAttribute("aria-sort"))).toBe(
    "descending",
  );
  await focus(driver, "#clusters tbody tr:nth-child(2) button");
  await driver.press("Enter");
  const [peak, at] = await driver.run(() => {
    const numbers = (texts: string[]) => texts.map((text) => Number(text.replace("−", "-")));
    const cells = [...document.querySelectorAll("#clusters tbody tr:nth-child(2) td")].slice(0, 3);
    return [numbers(cells.map((cell) => cell.textContent!)), numbers(document.querySelector("#crosshair-mm")!.textContent!.split(","))];
  });
  expect(at).toEqual(peak);

  await focus(driver, '[data-chart="methods"] .tools button');
  await driver.press("Enter");
  expect(await driver.run(() => document.querySelectorAll('[data-chart="methods"] tbody th[scope="row"]').length)).toBeGreaterThan(1);

  await focus(driver, "#clusters select");
  const method = await driver.run(() => document.querySelector<HTMLSelectElement>("#clusters select")!.value);
  await driver.press(await driver.run(() => (document.querySelector<HTMLSelectElement>("#clusters select")!.selectedIndex > 0 ? "ArrowUp" : "ArrowDown")));
  expect(await driver.run(() => document.querySelector<HTMLSelectElement>("#clusters select")!.value)).not.toBe(method);
  expect(await textOf(driver, "#clusters h3")).not.toBe(`Clusters of ${method}`);

  await focus(driver, ".theme");
  const theme = await driver.run(() => document.documentElement.dataset["theme"]);
  await driver.press("Enter");
  expect(await driver.run(() => document.documentElement.dataset["theme"])).not.toBe(theme);
}
