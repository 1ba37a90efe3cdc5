// SPDX-License-Identifier: BSD-3-Clause
// Reads and writes the map files of a folder of results, without anything of the page's own.
import { readFileSync, writeFileSync } from "node:fs";
import { gunzipSync, gzipSync } from "node:zlib";

export interface MapFile {
  shape: [number, number, number];
  /** Three rows of four. */
  affine: number[][];
  values: Float64Array;
  datatype: number;
}

const sizes: { [type: number]: [number, (view: DataView, at: number) => number] } = {
  2: [1, (view, at) => view.getUint8(at)],
  4: [2, (view, at) => view.getInt16(at, true)],
  16: [4, (view, at) => view.getFloat32(at, true)],
  64: [8, (view, at) => view.getFloat64(at, true)],
};

/** One volume of a NIfTI-1 file. */
export function readNifti(bytes: Uint8Array, volume = 0): MapFile {
  const raw = gunzipSync(bytes);
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  const shape = [42, 44, 46].map((at) => view.getInt16(at, true)) as [number, number, number];
  const datatype = view.getInt16(70, true);
  const [size, read] = sizes[datatype]!;
  const [slope, intercept] = [view.getFloat32(112, true) || 1, view.getFloat32(116, true)];
  const count = shape[0] * shape[1] * shape[2];
  const start = view.getFloat32(108, true) + volume * count * size;
  return {
    shape,
    datatype,
    affine: [0, 1, 2].map((row) => [0, 1, 2, 3].map((column) => view.getFloat32(280 + 16 * row + 4 * column, true))),
    values: Float64Array.from({ length: count }, (_, i) => read(view, start + i * size) * slope + intercept),
  };
}

export const readMap = (file: string, volume = 0): MapFile => readNifti(readFileSync(file), volume);

/** Multiplies the float32 values of a file, in place. */
export function scaleMap(file: string, factor: number): void {
  const raw = gunzipSync(readFileSync(file));
  const view = new DataView(raw.buffer, raw.byteOffset, raw.byteLength);
  if (view.getInt16(70, true) !== 16) throw new Error(`${file} is not float32.`);
  for (let at = view.getFloat32(108, true); at < raw.byteLength; at += 4)
    view.setFloat32(at, view.getFloat32(at, true) * factor, true);
  writeFileSync(file, gzipSync(raw));
}

export const countAtLeast = ({ values }: MapFile, least: number): number =>
  values.reduce((count, value) => count + (value !== 0 && Math.abs(value) >= least ? 1 : 0), 0);
