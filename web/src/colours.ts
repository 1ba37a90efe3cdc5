// SPDX-License-Identifier: BSD-3-Clause
// Colours that stay apart for colour-blind readers: Okabe and Ito for methods (the sheet has them, light and dark),
// cividis for heat maps and stability, blue and orange on either side of zero for coefficients.

export type Rgb = [number, number, number];

/** A colour of the sheet; the marker tells methods apart without colour. */
export const methodColour = (index: number): string => `var(--method-${index % 10})`;
export const markers = ["circle", "square", "triangle", "diamond", "down", "cross"] as const;
export type Marker = (typeof markers)[number];
export const methodMarker = (index: number): Marker => markers[index % markers.length]!;

const cividis: Rgb[] = [
  [0, 34, 78],
  [18, 53, 112],
  [59, 73, 108],
  [87, 93, 109],
  [112, 113, 115],
  [138, 134, 121],
  [165, 157, 117],
  [194, 182, 104],
  [225, 204, 85],
  [254, 232, 56],
];
// Over grey anatomy weak weights are dark and strong ones bright, on both sides.
const positive: Rgb[] = [
  [158, 68, 8],
  [214, 102, 20],
  [244, 150, 40],
  [254, 196, 79],
  [255, 240, 160],
];
const negative: Rgb[] = [
  [22, 72, 142],
  [33, 110, 184],
  [66, 153, 214],
  [120, 196, 236],
  [196, 236, 255],
];
export const palettes = { cividis, positive, negative };

/** Colour of a share in [0, 1]. */
export function ramp(colours: Rgb[], share: number): Rgb {
  const place = Math.min(1, Math.max(0, Number.isFinite(share) ? share : 0)) * (colours.length - 1);
  const low = Math.min(colours.length - 2, Math.floor(place));
  const a = colours[low]!;
  const b = colours[low + 1]!;
  const t = place - low;
  return [0, 1, 2].map((i) => Math.round(a[i]! + t * (b[i]! - a[i]!))) as Rgb;
}

export const css = ([r, g, b]: Rgb): string => `rgb(${r},${g},${b})`;

/** Black or white, whichever reads better on it. */
export const inkOn = ([r, g, b]: Rgb): string => (0.299 * r + 0.587 * g + 0.114 * b > 140 ? "#14181f" : "#ffffff");
