// SPDX-License-Identifier: BSD-3-Clause
// A map and how its values are coloured: the same for slices, the 3-D render, prints and pictures.
import { palettes, ramp, type Rgb } from "../colours";
import type { Image } from "./nifti";

export interface Layer {
  image: Image;
  /** Signed maps are blue and orange; shares from 0 to 1 are cividis. */
  signed: boolean;
  /** The value with the last colour. */
  limit: number;
}

/** Zero is never a weight to show, whatever the threshold. */
export const isShown = (value: number, threshold: number): boolean =>
  value !== 0 && Math.abs(value) >= threshold && Math.abs(value) < Infinity;

const levels = 256;
const table = (colours: Rgb[]): Rgb[] => Array.from({ length: levels }, (_, i) => ramp(colours, i / (levels - 1)));
const [positive, negative, share] = [palettes.positive, palettes.negative, palettes.cividis].map(table) as [
  Rgb[],
  Rgb[],
  Rgb[],
];

/** By the share of the limit alone, so that weights of any size are coloured alike. */
export function colourOf(layer: Layer, value: number): Rgb {
  const level = Math.min(levels - 1, Math.round((Math.abs(value) / (layer.limit || 1)) * (levels - 1)));
  return (!layer.signed ? share : value > 0 ? positive : negative)[level]!;
}

/** Red, green, blue and opacity of every voxel: those below the threshold are clear. */
export function paint(layer: Layer, threshold: number, pixels: Uint8Array): void {
  const { values, slope, intercept } = layer.image;
  pixels.fill(0);
  for (let i = 0; i < values.length; ++i) {
    const value = values[i]! * slope + intercept;
    if (!isShown(value, threshold)) continue;
    const [r, g, b] = colourOf(layer, value);
    pixels[4 * i] = r;
    pixels[4 * i + 1] = g;
    pixels[4 * i + 2] = b;
    pixels[4 * i + 3] = 255;
  }
}

/** Voxels that two maps of one grid both show; null where the grids differ. */
export function shownInBoth(a: Layer, atLeastA: number, b: Layer, atLeastB: number): number | null {
  if (a.image.shape.some((n, axis) => n !== b.image.shape[axis])) return null;
  const valueOf = ({ image }: Layer, i: number) => image.values[i]! * image.slope + image.intercept;
  let both = 0;
  for (let i = 0; i < a.image.values.length; ++i)
    if (isShown(valueOf(a, i), atLeastA) && isShown(valueOf(b, i), atLeastB)) ++both;
  return both;
}
