// SPDX-License-Identifier: BSD-3-Clause
// Printed by tests/schema/print_schema.cpp from what the program writes; scripts/schema.sh prints it again.

export type Rgb = [number, number, number];

/** Weights above zero, from weak to strong. */
export const positive: Rgb[] = [
  [158, 68, 8],
  [214, 102, 20],
  [244, 150, 40],
  [254, 196, 79],
  [255, 240, 160],
];

/** Weights below zero, from weak to strong. */
export const negative: Rgb[] = [
  [22, 72, 142],
  [33, 110, 184],
  [66, 153, 214],
  [120, 196, 236],
  [196, 236, 255],
];

/** Shares and scores, from 0 to 1. */
export const cividis: Rgb[] = [
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

/** Methods on a light page, in their order. */
export const methods: Rgb[] = [
  [0, 114, 178],
  [213, 94, 0],
  [0, 158, 115],
  [184, 88, 143],
  [201, 133, 0],
  [58, 155, 217],
  [91, 63, 140],
  [122, 122, 0],
  [136, 34, 85],
  [74, 79, 87],
];
