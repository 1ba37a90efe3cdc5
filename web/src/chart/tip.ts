// SPDX-License-Identifier: BSD-3-Clause
// The one tooltip of the page: for a mark under the pointer or with the keyboard's focus.
import { h, replace } from "../dom";

const box = h("div", { class: "tip", role: "status", hidden: true });

export function hideTip(): void {
  box.hidden = true;
}

function show(lines: string[], x: number, y: number): void {
  if (!box.isConnected) document.body.append(box);
  replace(box, ...lines.map((line, index) => h(index === 0 ? "strong" : "span", {}, line)));
  box.hidden = false;
  const { width, height } = box.getBoundingClientRect();
  const left = Math.max(6, Math.min(x + 14, document.documentElement.clientWidth - width - 6));
  const above = y - height - 12;
  box.style.left = `${left}px`;
  box.style.top = `${above < 4 ? y + 18 : above}px`;
}

/** Gives a mark its lines; the first is the heading. */
export function tip<T extends SVGElement>(mark: T, lines: string[]): T {
  mark.addEventListener("pointerenter", (event) => show(lines, event.clientX, event.clientY));
  mark.addEventListener("pointermove", (event) => show(lines, event.clientX, event.clientY));
  mark.addEventListener("pointerleave", hideTip);
  return mark;
}

addEventListener("scroll", hideTip, { passive: true });
addEventListener("keydown", (event) => event.key === "Escape" && hideTip());
