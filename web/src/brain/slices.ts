// SPDX-License-Identifier: BSD-3-Clause
// Draws slices on any 2-D canvas: voxel by voxel, so that what is coloured is what passes the threshold.
import { h } from "../dom";
import { colourOf, isShown, type Layer } from "./layer";
import { transform, type Image, type Vector } from "./nifti";
import { seen, type Frame, type Look, type Plane, type Tile } from "./tiles";

export interface Scene {
  background: Image;
  frame: Frame;
  layer: Layer | null;
  threshold: number;
}

/** The value of a volume at each pixel of a slice; NaN outside. A pixel is a voxel, but for oblique volumes. */
function sampler(image: Image, plane: Plane, frame: Frame, at: number): (column: number, row: number) => number {
  const { right, up, through } = plane;
  const corner: Vector = [0, 0, 0];
  corner[right] = frame.low[right] + 0.5 * frame.step[right];
  corner[up] = frame.high[up] - 0.5 * frame.step[up];
  corner[through] = at;
  const start = transform(image.inverse, corner);
  const aside = image.inverse.map((row) => row[right]! * frame.step[right]);
  const down = image.inverse.map((row) => -row[up]! * frame.step[up]);
  const [ni, nj, nk] = image.shape;
  return (column, row) => {
    const i = Math.round(start[0] + column * aside[0]! + row * down[0]!);
    const j = Math.round(start[1] + column * aside[1]! + row * down[1]!);
    const k = Math.round(start[2] + column * aside[2]! + row * down[2]!);
    if (i < 0 || j < 0 || k < 0 || i >= ni || j >= nj || k >= nk) return NaN;
    return image.values[i + ni * (j + nj * k)]! * image.slope + image.intercept;
  };
}

function sliceOf({ background, frame, layer, threshold }: Scene, plane: Plane, at: number): HTMLCanvasElement {
  const count = (axis: 0 | 1 | 2) => Math.max(1, Math.round((frame.high[axis] - frame.low[axis]) / frame.step[axis]));
  const [columns, rows] = [count(plane.right), count(plane.up)];
  const picture = h("canvas", { width: columns, height: rows });
  // In memory rather than on a graphics card, where a small picture takes longer to arrive than to draw.
  const context = picture.getContext("2d", { willReadFrequently: true })!;
  const pixels = context.createImageData(columns, rows);
  const grey = sampler(background, plane, frame, at);
  const weight = layer && sampler(layer.image, plane, frame, at);
  for (let row = 0; row < rows; ++row)
    for (let column = 0; column < columns; ++column) {
      const value = weight ? weight(column, row) : 0;
      const start = 4 * (row * columns + column);
      if (isShown(value, threshold)) {
        const [r, g, b] = colourOf(layer!, value);
        pixels.data[start] = r;
        pixels.data[start + 1] = g;
        pixels.data[start + 2] = b;
      } else pixels.data.fill(grey(column, row) || 0, start, start + 3);
      pixels.data[start + 3] = 255;
    }
  context.putImageData(pixels, 0, 0);
  return picture;
}

/** One slice in its tile, with the crosshair over it. */
export function drawSlice(context: CanvasRenderingContext2D, scene: Scene, look: Look, tile: Tile): void {
  const { plane, left, top, width, height } = tile;
  if (!plane) return;
  const { frame } = scene;
  const { low, high } = seen(frame, look);
  const { right, up, through } = plane;
  const picture = sliceOf(scene, plane, look.place[through]);
  context.imageSmoothingEnabled = false;
  context.drawImage(
    picture,
    (low[right] - frame.low[right]) / frame.step[right],
    (frame.high[up] - high[up]) / frame.step[up],
    (high[right] - low[right]) / frame.step[right],
    (high[up] - low[up]) / frame.step[up],
    left,
    top,
    width,
    height,
  );
  const x = left + ((look.place[right] - low[right]) / (high[right] - low[right])) * width;
  const y = top + ((high[up] - look.place[up]) / (high[up] - low[up])) * height;
  context.save();
  context.beginPath();
  context.rect(left, top, width, height);
  context.clip();
  context.strokeStyle = "rgba(80, 220, 150, 0.8)";
  context.lineWidth = 1;
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, top + height);
  context.moveTo(left, y);
  context.lineTo(left + width, y);
  context.stroke();
  context.restore();
}

/** The place of the world under a point of a tile, in the plane that is shown there. */
export function placeIn(tile: Tile, frame: Frame, look: Look, x: number, y: number): Vector | null {
  const { plane, left, top, width, height } = tile;
  if (!plane || x < left || y < top || x > left + width || y > top + height) return null;
  const { low, high } = seen(frame, look);
  const place: Vector = [...look.place];
  place[plane.right] = low[plane.right] + ((x - left) / width) * (high[plane.right] - low[plane.right]);
  place[plane.up] = high[plane.up] - ((y - top) / height) * (high[plane.up] - low[plane.up]);
  return place;
}
