// SPDX-License-Identifier: BSD-3-Clause
// A brain as a picture of its own, to be saved or printed: slices, render, marks, what is shown, and the key to its colours.
import { h } from "../dom";
import { drawColourBar } from "./colour-bar";
import { drawMarks, type RenderMarks } from "./marks";
import { drawSlice, type Scene } from "./slices";
import { arrange, type Look, type Tile } from "./tiles";

export interface Shot {
  scene: Scene;
  look: Look;
  inWorld: boolean;
  /** The canvas of the render and its marks; null where there is none. */
  render: { canvas: HTMLCanvasElement; marks: RenderMarks } | null;
  /** Draws the render alone. */
  renderOnly: boolean;
  /** Of which map, and what of it is shown. */
  title: string;
  sentence: string;
}

/** The canvas of the render in the middle of its tile, as large as it fits. */
function fitted(tile: Tile, canvas: HTMLCanvasElement): Tile {
  const scale = Math.min(tile.width / canvas.width, tile.height / canvas.height);
  const [width, height] = [canvas.width * scale, canvas.height * scale];
  return {
    ...tile,
    left: tile.left + (tile.width - width) / 2,
    top: tile.top + (tile.height - height) / 2,
    width,
    height,
  };
}

/** Slices, render and marks in a box of so many units. */
export function drawBrain(context: CanvasRenderingContext2D, shot: Shot, width: number, height: number): void {
  const { scene, look, inWorld, render } = shot;
  const whole: Tile = { plane: null, left: 16, top: 5, width: width - 32, height: height - 26 };
  const tiles = shot.renderOnly && render ? [whole] : arrange(scene.frame, width, height, render !== null).tiles;
  for (const tile of tiles) {
    if (tile.plane) {
      drawSlice(context, scene, look, tile);
      drawMarks(context, tile, scene.frame, look, inWorld, null);
    } else if (render) {
      const place = fitted(tile, render.canvas);
      context.imageSmoothingEnabled = true;
      context.drawImage(render.canvas, place.left, place.top, place.width, place.height);
      drawMarks(context, place, scene.frame, look, inWorld, render.marks);
    }
  }
}

const [barWidth, footer] = [200, 44];

/** `scale` pixels for a unit. */
export function takePicture(
  shot: Shot,
  width: number,
  height: number,
  scale: number,
  canvas = h("canvas"),
): HTMLCanvasElement {
  canvas.width = width * scale;
  canvas.height = height * scale;
  const context = canvas.getContext("2d")!;
  context.scale(scale, scale);
  context.fillStyle = "#000";
  context.fillRect(0, 0, width, height);
  drawBrain(context, shot, width, height - footer);
  context.fillStyle = "#c3ccd6";
  context.textBaseline = "top";
  const room = width - barWidth - 44;
  context.font = "600 13px system-ui, sans-serif";
  context.fillText(shot.title, 16, height - footer + 3, room);
  context.font = "12px system-ui, sans-serif";
  context.fillText(shot.sentence, 16, height - footer + 21, room);
  const { layer } = shot.scene;
  if (layer) drawColourBar(context, layer.signed, layer.limit, width - barWidth - 16, height - footer + 6, barWidth);
  return canvas;
}
