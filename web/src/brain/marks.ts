// SPDX-License-Identifier: BSD-3-Clause
// What stands beside each slice and the render: left and right, the place, and a scale.
import { seen, type Axis, type Frame, type Look, type Tile } from "./tiles";

const ink = "#c3ccd6";
const names = ["x", "y", "z"];
const font = (size: number) => `${size}px system-ui, sans-serif`;

/** Letters of the render: where they stand in its tile, from 0 to 1, and how much of a pixel is a millimetre. */
export interface RenderMarks {
  letters: { text: string; x: number; y: number }[];
  /** Heights of the tile per millimetre. */
  perMillimetre: number;
}

/** 1, 2 or 5 times a power of ten, at most `most`. */
export function roundLength(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1);
}

export function coordinate(axis: Axis, value: number, inWorld: boolean): string {
  const text = (Math.abs(value) < 0.05 ? 0 : value).toFixed(1).replace(/\.0$/, "").replace("-", "−");
  return inWorld ? `${names[axis]} = ${text} mm` : `${names[axis]} = ${text}`;
}

function scaleBar(
  context: CanvasRenderingContext2D,
  { left, top, width, height }: Tile,
  perUnit: number,
  inWorld: boolean,
): void {
  const length = roundLength((0.4 * width) / perUnit);
  const unit = inWorld ? "mm" : length === 1 ? "voxel" : "voxels";
  const [right, y] = [left + width, top + height + 8];
  const start = right - length * perUnit;
  context.strokeStyle = ink;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(start, y);
  context.lineTo(right, y);
  context.stroke();
  context.font = font(11);
  context.textAlign = "right";
  context.textBaseline = "top";
  context.fillText(`${length} ${unit}`, right, y + 2);
}

/** `render` is null where it is not drawn. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  tile: Tile,
  frame: Frame,
  look: Look,
  inWorld: boolean,
  render: RenderMarks | null,
): void {
  const { plane, left, top, width, height } = tile;
  context.save();
  context.fillStyle = ink;
  if (plane) {
    const { low, high } = seen(frame, look);
    context.font = font(12);
    context.textBaseline = "middle";
    context.textAlign = "center";
    context.fillText(plane.letters[0], left - 8, top + height / 2);
    context.fillText(plane.letters[1], left + width + 8, top + height / 2);
    scaleBar(context, tile, width / (high[plane.right] - low[plane.right]), inWorld);
    context.font = font(12);
    context.textAlign = "left";
    context.textBaseline = "top";
    context.fillText(coordinate(plane.through, look.place[plane.through], inWorld), left, top + height + 4);
  } else if (render) {
    scaleBar(context, tile, render.perMillimetre * height, inWorld);
    context.font = `600 ${font(14)}`;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineWidth = 3;
    context.strokeStyle = "#000";
    const within = (value: number) => Math.min(0.97, Math.max(0.03, value));
    for (const { text, x, y } of render.letters) {
      const [across, down] = [left + within(x) * width, top + within(y) * height];
      context.strokeText(text, across, down);
      context.fillText(text, across, down);
    }
    context.font = font(12);
    context.textAlign = "left";
    context.textBaseline = "top";
    const places = ([0, 1, 2] as Axis[]).map((axis) => coordinate(axis, look.place[axis], false).split(" = ")[1]);
    const words = `${places.join(", ")}${inWorld ? " mm" : ""}`;
    // On a small render the scale needs the room; the slices beside it have the places.
    if (context.measureText(words).width < 0.6 * width) context.fillText(words, left, top + height + 4);
  }
  context.restore();
}
