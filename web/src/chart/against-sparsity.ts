// SPDX-License-Identifier: BSD-3-Clause
// The score against sparsity: the second picture of the verdict.
import { s } from "../dom";
import { methodColour, methodMarker } from "../colours";
import * as format from "../format";
import { headline } from "../ranking";
import type { Study } from "../study";
import { figure, type Figure } from "./figure";
import { placeLabel } from "./labels";
import { bottomAxis, leftAxis, marker, shorten, text, type Box } from "./parts";
import { extent, linear, nearOne } from "./scale";
import { tip } from "./tip";

export function againstSparsity(study: Study): Figure | null {
  const key = study.score;
  const points = study.methods
    .map((method, index) => ({ method, index, x: method.sparsity.in_mask, y: headline(method, key) }))
    .filter((point): point is typeof point & { x: number; y: number } => point.x !== null && point.y !== null);
  if (points.length === 0) return null;
  const draw = (width: number) => {
    const height = Math.max(260, Math.min(360, 72 + study.methods.length * 34));
    const box: Box = { left: 46, right: width - 16, top: 28, bottom: height - 44 };
    const deviation = (value: number, sd: number | null | undefined) => [value - (sd ?? 0), value + (sd ?? 0)];
    const xs = points.flatMap(({ method, x }) => deviation(x, method.sparsity.in_mask_sd));
    const ys = points.flatMap(({ method, y }) => deviation(y, method.scores[key]?.sd));
    const [lowY, highY] = extent([...ys, study.chance]);
    // A deviation can reach past one, where the axis has no end; the means themselves set its length.
    const lowest = Math.max(0, Math.min(...xs));
    const x = nearOne(
      [...points.map((point) => point.x), Math.min(lowest, ...points.map((point) => point.x))],
      [box.left + 10, box.right - 14],
      44,
    );
    const top = format.isPercent(key) ? Math.min(1, highY) : highY;
    const y = linear([lowY * format.axisUnit(key), top * format.axisUnit(key)], [box.bottom - 8, box.top + 8]);
    const clampX = (value: number) => Math.min(box.right, Math.max(box.left, x(Math.min(1, Math.max(0, value)))));
    const clampY = (value: number) =>
      y(format.axisUnit(key) * (format.isPercent(key) ? Math.min(1, Math.max(0, value)) : value));
    const parts: SVGElement[] = [
      ...leftAxis(y, box, format.scoreTitleWithUnit(key)),
      ...bottomAxis(x, box, "Sparsity (% of coefficients in the mask that are zero)"),
    ];
    if (study.chance !== null) {
      const level = y(study.chance * format.axisUnit(key));
      parts.push(
        s("line", {
          x1: box.left,
          x2: box.right,
          y1: level,
          y2: level,
          stroke: "var(--soft)",
          "stroke-dasharray": "5 4",
          "stroke-width": 1.25,
        }),
      );
      parts.push(text(box.left + 6, level - 6, "chance", { fill: "var(--soft)", "font-size": 11 }));
    }
    const taken: Box[] = points.map((point) => {
      const [cx, cy] = [clampX(point.x), clampY(point.y)];
      return { left: cx - 7, right: cx + 7, top: cy - 7, bottom: cy + 7 };
    });
    for (const { method, index, x: sparsity, y: score } of points) {
      const colour = methodColour(index);
      const [left, right] = deviation(sparsity, method.sparsity.in_mask_sd).map(clampX);
      const [bottom, up] = deviation(score, method.scores[key]?.sd).map(clampY);
      const [cx, cy] = [clampX(sparsity), clampY(score)];
      parts.push(
        s("line", {
          x1: left!,
          x2: right!,
          y1: cy,
          y2: cy,
          stroke: colour,
          "stroke-opacity": 0.45,
          "stroke-width": 1.5,
        }),
      );
      parts.push(
        s("line", {
          x1: cx,
          x2: cx,
          y1: bottom!,
          y2: up!,
          stroke: colour,
          "stroke-opacity": 0.45,
          "stroke-width": 1.5,
        }),
      );
    }
    for (const { method, index, x: sparsity, y: score } of points) {
      const [cx, cy] = [clampX(sparsity), clampY(score)];
      parts.push(
        tip(
          marker(methodMarker(index), cx, cy, 6.5, {
            fill: methodColour(index),
            stroke: "var(--card)",
            "stroke-width": 1.5,
          }),
          [
            method.title || method.name,
            `${format.scoreTitle(key)}: ${format.plusMinus(key, score, method.scores[key]?.sd)}${format.isPercent(key) ? " %" : ""}`,
            `Sparsity: ${format.plusMinus("sparsity", sparsity, method.sparsity.in_mask_sd)} %`,
          ],
        ),
      );
      const label = shorten(method.name, 18);
      const place = placeLabel(cx, cy, label, taken, box);
      parts.push(
        text(place.x, place.y, label, {
          "text-anchor": place.anchor,
          "font-weight": 600,
          "paint-order": "stroke",
          stroke: "var(--card)",
          "stroke-width": 3,
        }),
      );
    }
    return { width, height, parts };
  };
  return figure({
    name: "score_against_sparsity",
    title: `${format.scoreTitle(key)} against sparsity`,
    caption:
      "Mean over folds; lines are one standard deviation either way. Up and to the right is better: right more often, with fewer voxels. The axis widens towards 100 %.",
    draw,
    rows: () => [
      ["method", "sparsity_mean", "sparsity_sd", `${key}_mean`, `${key}_sd`],
      ...points.map(({ method, x, y }) => [method.name, x, method.sparsity.in_mask_sd, y, method.scores[key]?.sd]),
    ],
  });
}
