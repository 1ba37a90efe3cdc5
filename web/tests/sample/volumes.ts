// SPDX-License-Identifier: BSD-3-Clause
// Made-up volumes, written as the program writes them: int16, 127 steps a side, gzipped NIfTI-1.
import { gunzipSync, gzipSync } from "node:zlib";
import { readFileSync } from "node:fs";

export type Shape = [number, number, number];
export type Field = (x: number, y: number, z: number) => number;

/** Numbers in [0, 1) that are the same on every run. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export interface Space {
  shape: Shape;
  voxel: number;
  origin: Shape;
}

export const whole: Space = { shape: [91, 109, 91], voxel: 2, origin: [-90, -126, -72] };
export const coarse: Space = { shape: [31, 37, 31], voxel: 6, origin: [-90, -126, -72] };

export function encode(space: Space, values: Float32Array): { bytes: Uint8Array; limit: number } {
  let limit = 0;
  for (const value of values) limit = Math.max(limit, Math.abs(value));
  const bytes = Buffer.alloc(352 + 2 * values.length);
  bytes.writeInt32LE(348, 0);
  [3, ...space.shape, 1, 1, 1, 1].forEach((size, i) => bytes.writeInt16LE(size, 40 + 2 * i));
  bytes.writeInt16LE(4, 70);
  bytes.writeInt16LE(16, 72);
  [1, space.voxel, space.voxel, space.voxel].forEach((size, i) => bytes.writeFloatLE(size, 76 + 4 * i));
  bytes.writeFloatLE(352, 108);
  bytes.writeFloatLE((limit || 1) / 127, 112);
  bytes.writeUInt8(10, 123);
  bytes.writeInt16LE(4, 254);
  for (let row = 0; row < 3; ++row) {
    bytes.writeFloatLE(space.voxel, 280 + 16 * row + 4 * row);
    bytes.writeFloatLE(space.origin[row]!, 280 + 16 * row + 12);
  }
  bytes.write("n+1\0", 344, "latin1");
  values.forEach((value, i) => bytes.writeInt16LE(Math.round((127 * value) / (limit || 1)), 352 + 2 * i));
  return { bytes: gzipSync(bytes, { level: 9 }), limit };
}

export function fill({ shape, voxel, origin }: Space, field: Field): Float32Array {
  const values = new Float32Array(shape[0] * shape[1] * shape[2]);
  let at = 0;
  for (let k = 0; k < shape[2]; ++k)
    for (let j = 0; j < shape[1]; ++j)
      for (let i = 0; i < shape[0]; ++i)
        values[at++] = field(origin[0] + voxel * i, origin[1] + voxel * j, origin[2] + voxel * k);
  return values;
}

/** How far out of the head a point is: below 1 is inside. */
export const depth: Field = (x, y, z) => Math.hypot(x / 70, (y + 18) / 86, (z - 8) / 64);

/** A head with folds, for looking at. */
export const anatomy: Field = (x, y, z) => {
  const r = depth(x, y, z);
  if (r > 1) return 0;
  const folds =
    Math.sin(x / 5 + 2 * Math.sin(y / 11)) +
    Math.sin(y / 6 + 2 * Math.sin(z / 9)) +
    Math.sin(z / 5 + 2 * Math.sin(x / 12));
  const rind = r > 0.72 ? 0.62 : 0.86;
  const ventricle = Math.hypot((Math.abs(x) - 9) / 7, (y + 18) / 26, (z - 14) / 13) < 1 ? 0.45 : 0;
  const cleft = Math.abs(x) < 2 && r > 0.4 ? 0.35 : 0;
  return Math.max(0.05, rind + (r > 0.6 ? 0.13 * folds : 0.02 * folds) - ventricle - cleft);
};

export interface Blob {
  centre: Shape;
  radius: number;
  weight: number;
  region: string;
}

export const blobs: Blob[] = [
  { centre: [-44, -62, -10], radius: 11, weight: 1, region: "Left fusiform gyrus" },
  { centre: [42, -60, -12], radius: 9, weight: 0.8, region: "Right fusiform gyrus" },
  { centre: [-48, 16, 22], radius: 10, weight: -0.75, region: "Left inferior frontal gyrus" },
  { centre: [8, -84, 4], radius: 8, weight: 0.6, region: "Right calcarine sulcus" },
  { centre: [-26, -4, -20], radius: 7, weight: -0.5, region: "Left amygdala" },
];

export const truth: Field = (x, y, z) => {
  let sum = 0;
  for (const { centre, radius, weight } of blobs) {
    const distance = Math.hypot(x - centre[0], y - centre[1], z - centre[2]);
    if (distance < radius) sum += weight * (1 - 0.5 * (distance / radius) ** 2);
  }
  return sum;
};

/** A real template, where one is given, shows the page at its best. Needs the shape of `whole` to be told. */
export function readTemplate(path: string): { bytes: Uint8Array; shape: Shape } {
  const bytes = readFileSync(path);
  const plain = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
  return { bytes: gzipSync(plain, { level: 9 }), shape: [42, 44, 46].map((at) => plain.readInt16LE(at)) as Shape };
}
