// SPDX-License-Identifier: BSD-3-Clause
// The keys of a brain: the crosshair by a voxel, and the zoom.
import type { Vector } from "./nifti";

const moves: { [key: string]: Vector } = {
  ArrowLeft: [-1, 0, 0],
  ArrowRight: [1, 0, 0],
  ArrowUp: [0, 1, 0],
  ArrowDown: [0, -1, 0],
  PageUp: [0, 0, 1],
  PageDown: [0, 0, -1],
};
const zooms: { [key: string]: number } = { "+": 1.25, "=": 1.25, "-": 0.8, "0": 0 };

export interface Keys {
  /** The size of a voxel. */
  step(): Vector;
  moveBy(way: Vector): void;
  /** A factor of 0 shows everything again. */
  zoom(factor: number): void;
}

/** Captured above the canvases, so that a viewer's own keys, wheel and double click do not compete with the page's. */
export function bindKeys(stage: HTMLElement, keys: Keys): void {
  stage.addEventListener(
    "keydown",
    (event) => {
      if (event.key !== "Tab") event.stopPropagation();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const [move, zoom] = [moves[event.key], zooms[event.key]];
      if (!move && zoom === undefined) return;
      event.preventDefault();
      if (move) keys.moveBy(move.map((sign, axis) => sign * keys.step()[axis]!) as Vector);
      else keys.zoom(zoom!);
    },
    true,
  );
  stage.addEventListener("keyup", (event) => event.stopPropagation(), true);
  stage.addEventListener("dblclick", (event) => event.stopPropagation(), true);
  stage.addEventListener("wheel", (event) => document.activeElement !== event.target && event.stopPropagation(), true);
}
