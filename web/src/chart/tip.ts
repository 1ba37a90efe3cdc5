// SPDX-License-Identifier: BSD-3-Clause
// The one tooltip of the page: for a mark of a chart under the pointer or the finger, and for a term that is pointed at,
// focused or tapped.
import { h, replace } from "../dom";

let box: HTMLElement | null = null;
/** What has the box, and how to put it there again; null: a mark of a chart, or nothing. */
let about: { element: HTMLElement; open: () => void } | null = null;
let leaving = 0;

const hasFocus = () => about !== null && about.element === document.activeElement;

/** Made when it is first asked for. */
function theBox(): HTMLElement {
  if (box) return box;
  const made = (box = h("div", { class: "tip", role: "tooltip", hidden: true }));
  made.addEventListener("pointerenter", () => clearTimeout(leaving));
  made.addEventListener("pointerleave", () => hasFocus() || hideTip());
  // What gets the focus is scrolled into sight: its lines go along.
  addEventListener("scroll", () => (hasFocus() ? about!.open() : hideTip()), { passive: true, capture: true });
  addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
  // Before the mark that is tapped shows its own.
  addEventListener("pointerdown", (event) => made.contains(event.target as Node) || hideTip(), { capture: true });
  return made;
}

export function hideTip(): void {
  clearTimeout(leaving);
  if (box) box.hidden = true;
  about = null;
}

/** Before marks go: what is said of a term stays. */
export function hideMarkTip(): void {
  if (!about) hideTip();
}

function fill(lines: string[]): DOMRect {
  const box = theBox();
  clearTimeout(leaving);
  if (!box.isConnected) (document.querySelector("main") ?? document.body).append(box);
  replace(box, ...lines.map((line, index) => h(index === 0 ? "strong" : "span", {}, line)));
  box.hidden = false;
  // Measured where nothing squeezes it.
  box.style.left = box.style.top = "0";
  return box.getBoundingClientRect();
}

/** Puts the box somewhere, all of it within the window. */
function put(left: number, top: number, { width, height }: DOMRect): void {
  const box = theBox();
  const within = (at: number, size: number, room: number) => Math.max(6, Math.min(at, room - size - 6));
  box.style.left = `${within(left, width, document.documentElement.clientWidth)}px`;
  box.style.top = `${within(top, height, innerHeight)}px`;
}

function show(lines: string[], x: number, y: number): void {
  about = null;
  theBox().classList.remove("stays");
  const size = fill(lines);
  const above = y - size.height - 12;
  put(x + 14, above < 6 ? y + 18 : above, size);
}

/** Gives a mark its lines; the first is the heading. A finger's lines stay when it is lifted. */
export function tip<T extends SVGElement>(mark: T, lines: string[]): T {
  const point = (event: PointerEvent) => show(lines, event.clientX, event.clientY);
  mark.classList.add("pointed");
  mark.addEventListener("pointerenter", point);
  mark.addEventListener("pointermove", point);
  mark.addEventListener("pointerdown", point);
  mark.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && hideTip());
  return mark;
}

/** The same for an element that can have the focus; the lines stand below it, or above it where there is no room. */
export function explain(element: HTMLElement, lines: string[]): void {
  const open = () => {
    const box = theBox();
    const { left, top, bottom } = element.getBoundingClientRect();
    box.classList.add("stays");
    const size = fill(lines);
    put(left, bottom + 6 + size.height > innerHeight ? top - size.height - 6 : bottom + 6, size);
    // Out of sight until the page has been scrolled there, and when it is scrolled on.
    box.hidden = bottom < 0 || top > innerHeight;
    about = { element, open };
  };
  const close = () => about?.element === element && hideTip();
  element.addEventListener("pointerenter", (event) => event.pointerType !== "touch" && open());
  // The pointer may move onto the lines themselves.
  element.addEventListener("pointerleave", (event) => {
    if (event.pointerType === "touch" || document.activeElement === element) return;
    leaving = window.setTimeout(close, 250);
  });
  element.addEventListener("focus", open);
  element.addEventListener("blur", close);
  element.addEventListener("click", open);
}
