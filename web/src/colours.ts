// SPDX-License-Identifier: BSD-3-Clause
// Colours that stay apart for colour-blind readers: Okabe and Ito for methods (the sheet has them, light and dark),
// cividis for heat maps and stability, blue and orange on either side of zero for coefficients. They are the program's.

import { cividis, negative, positive, type Rgb } from "./palette";

export type { Rgb };

/** A colour of the sheet; the marker tells methods apart without colour. */
export const methodColour = (index: number): string => `var(--method-${index % 10})`;
export const markers = ["circle", "square", "triangle", "diamond", "down", "cross"] as const;
export type Marker = (typeof markers)[number];
export const methodMarker = (index: number): Marker => markers[index % markers.length]!;

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
