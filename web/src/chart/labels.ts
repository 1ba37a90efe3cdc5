// SPDX-License-Identifier: BSD-3-Clause
// Where a label goes beside its point.
import { labelWidth, type Box } from "./parts";

/** Puts a label beside its point where it covers neither another label nor a point. */
export function placeLabel(
  x: number,
  y: number,
  label: string,
  taken: Box[],
  area: Box,
): { x: number; y: number; anchor: string } {
  const width = labelWidth(label);
  const options = [
    { x: x + 11, y: y + 4, anchor: "start" },
    { x: x - 11, y: y + 4, anchor: "end" },
    { x, y: y - 11, anchor: "middle" },
    { x, y: y + 19, anchor: "middle" },
    { x: x + 9, y: y - 9, anchor: "start" },
    { x: x - 9, y: y - 9, anchor: "end" },
    { x: x - 9, y: y + 17, anchor: "end" },
    { x: x - 11, y: y + 30, anchor: "end" },
    { x: x - 11, y: y - 22, anchor: "end" },
    { x: x + 11, y: y - 20, anchor: "start" },
    { x: x + 11, y: y + 28, anchor: "start" },
    { x, y: y - 26, anchor: "middle" },
    { x, y: y + 34, anchor: "middle" },
  ];
  let found = options[0]!;
  let least = Infinity;
  for (const option of options) {
    const left =
      option.anchor === "start" ? option.x : option.anchor === "end" ? option.x - width : option.x - width / 2;
    const box = { left, right: left + width, top: option.y - 11, bottom: option.y + 3 };
    let cost = 0;
    for (const other of taken) {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (across > 0 && down > 0) cost += across * down;
    }
    if (box.left < area.left || box.right > area.right || box.top < area.top - 10 || box.bottom > area.bottom)
      cost += 1000;
    if (cost < least) {
      least = cost;
      found = option;
    }
  }
  const left = found.anchor === "start" ? found.x : found.anchor === "end" ? found.x - width : found.x - width / 2;
  taken.push({ left, right: left + width, top: found.y - 11, bottom: found.y + 3 });
  return found;
}
