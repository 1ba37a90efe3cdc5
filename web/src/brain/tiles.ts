// SPDX-License-Identifier: BSD-3-Clause
// Where the slices and the 3-D render stand, and which part of the world each of them shows.
import { bounds, type Image, type Vector } from "./nifti";

export type Axis = 0 | 1 | 2;

export interface Plane {
  name: "axial" | "coronal" | "sagittal";
  /** World axes to the right, upward and out of the picture. */
  right: Axis;
  up: Axis;
  through: Axis;
  letters: [string, string];
}

/** Left is left. */
export const planes: Plane[] = [
  { name: "axial", right: 0, up: 1, through: 2, letters: ["L", "R"] },
  { name: "coronal", right: 0, up: 2, through: 1, letters: ["L", "R"] },
  { name: "sagittal", right: 1, up: 2, through: 0, letters: ["P", "A"] },
];

/** The box of a volume in the world. */
export interface Frame {
  low: Vector;
  high: Vector;
  /** The size of a voxel along each axis of the world; of an oblique volume the least, along all of them. */
  step: Vector;
}

export function frameOf(image: Image): Frame {
  const { low, high } = bounds(image);
  const columns = [0, 1, 2].map((column) => image.affine.map((row) => row[column]!));
  const least = Math.min(...columns.map((column) => Math.hypot(...column))) || 1;
  const step = [0, 1, 2].map((axis) => {
    const sizes = columns.map((column) => Math.abs(column[axis]!)).filter((size) => size > 1e-6 * least);
    return sizes.length === 1 ? sizes[0]! : null;
  });
  const straight =
    step.every((size) => size !== null) &&
    columns.every((c) => c.filter((v) => Math.abs(v) > 1e-6 * least).length === 1);
  return { low, high, step: straight ? (step as Vector) : [least, least, least] };
}

/** What is looked at: a place, and how close. */
export interface Look {
  place: Vector;
  /** The middle of what is seen; with a zoom of 1 that is all. */
  centre: Vector;
  zoom: number;
}

/** The part of the world that is seen: less than all of it where the zoom is above 1. */
export function seen(frame: Frame, { centre, zoom }: Look): { low: Vector; high: Vector } {
  const half = frame.low.map((low, axis) => (frame.high[axis]! - low) / (2 * zoom));
  const middle = frame.low.map((low, axis) =>
    Math.min(frame.high[axis]! - half[axis]!, Math.max(low + half[axis]!, centre[axis]!)),
  );
  return {
    low: middle.map((at, axis) => at - half[axis]!) as Vector,
    high: middle.map((at, axis) => at + half[axis]!) as Vector,
  };
}

/** In the unit of the canvas; letters stand to the sides of it, place and scale below. */
export interface Tile {
  /** Null: the render. */
  plane: Plane | null;
  left: number;
  top: number;
  width: number;
  height: number;
}

export const margin = { side: 16, above: 5, below: 21 };

interface Layout {
  /** In millimetres, without margins. */
  width: number;
  height: number;
  columns: number;
  rows: number;
  /** Of axial, coronal, sagittal, render: corner in millimetres, column and row. */
  at: [number, number, number, number][];
}

/** In a row, two by two, or in a column: whichever makes the slices largest. */
export function arrange(
  frame: Frame,
  width: number,
  height: number,
  withRender: boolean,
): { scale: number; tiles: Tile[] } {
  const [x, y, z] = frame.high.map((value, axis) => value - frame.low[axis]!) as Vector;
  const deep = withRender ? Math.max(x, y) : 0;
  const tall = Math.max(y, z);
  const layouts: Layout[] = [
    {
      width: 2 * x + y + deep,
      height: tall,
      columns: withRender ? 4 : 3,
      rows: 1,
      at: [
        [0, 0, 0, 0],
        [x, 0, 1, 0],
        [2 * x, 0, 2, 0],
        [2 * x + y, 0, 3, 0],
      ],
    },
    {
      width: x + Math.max(y, deep),
      height: y + z,
      columns: 2,
      rows: 2,
      at: [
        [0, z, 0, 1],
        [0, 0, 0, 0],
        [x, 0, 1, 0],
        [x, z, 1, 1],
      ],
    },
    {
      width: Math.max(x, y),
      height: y + 2 * z + (withRender ? tall : 0),
      columns: 1,
      rows: withRender ? 4 : 3,
      at: [
        [0, 0, 0, 0],
        [0, y, 0, 1],
        [0, y + z, 0, 2],
        [0, y + 2 * z, 0, 3],
      ],
    },
  ];
  const across = 2 * margin.side;
  const along = margin.above + margin.below;
  const scaleOf = (layout: Layout) =>
    Math.max(
      0.01,
      Math.min((width - across * layout.columns) / layout.width, (height - along * layout.rows) / layout.height),
    );
  const best = layouts.reduce((a, b) => (scaleOf(b) > scaleOf(a) ? b : a));
  const scale = scaleOf(best);
  const left = (width - best.width * scale - across * best.columns) / 2;
  const top = (height - best.height * scale - along * best.rows) / 2;
  const size = (axis: Axis) => (frame.high[axis] - frame.low[axis]) * scale;
  const tile = (plane: Plane | null, i: number): Tile => {
    const [right, down, column, row] = best.at[i]!;
    return {
      plane,
      left: left + right * scale + across * column + margin.side,
      top: top + down * scale + along * row + margin.above,
      width: plane ? size(plane.right) : deep * scale,
      height: plane ? size(plane.up) : (best.rows === 2 ? y : tall) * scale,
    };
  };
  const tiles = planes.map(tile);
  return { scale, tiles: withRender ? [...tiles, tile(null, 3)] : tiles };
}

/** How high a picture of that width is whose slices stand in a row. */
export function rowHeight(frame: Frame, width: number, withRender: boolean): number {
  const [x, y, z] = frame.high.map((value, axis) => value - frame.low[axis]!) as Vector;
  const tiles = withRender ? 4 : 3;
  const scale = (width - 2 * margin.side * tiles) / (2 * x + y + (withRender ? Math.max(x, y) : 0));
  return Math.round(Math.max(y, z) * scale + margin.above + margin.below + 46);
}
