// SPDX-License-Identifier: BSD-3-Clause
// Where the crosshair is, and the value there.
import { h } from "../dom";
import * as format from "../format";
import { transform, valueAt, type Vector } from "./nifti";
import type { Side } from "./side";

function valueWords({ shown }: Side, place: Vector): string {
  const value = valueAt(shown!.layer.image, place);
  if (!Number.isFinite(value)) return "outside";
  return format.general(value) + (shown!.volume.exact || value === 0 ? "" : " (rounded)");
}

export function readout(sides: Side[], place: Vector): HTMLElement[] {
  const { volume, layer } = sides[0]!.shown!;
  const entries = [
    ...(volume.in_world
      ? [{ name: "mm", value: place.map((at) => at.toFixed(1).replace("-", "−")).join(", "), id: "crosshair-mm" }]
      : []),
    { name: "voxel", value: transform(layer.image.inverse, place).map(Math.round).join(", "), id: "crosshair-voxel" },
    {
      name: volume.kind === "stability" ? "agreement of folds on the sign" : "value",
      value: valueWords(sides[0]!, place),
      id: "crosshair-value",
    },
    ...(sides[1]?.shown
      ? [{ name: "value in the second", value: valueWords(sides[1], place), id: "crosshair-second" }]
      : []),
  ];
  return entries.map((entry) => h("div", {}, h("dt", {}, entry.name), h("dd", { id: entry.id }, entry.value)));
}
