// SPDX-License-Identifier: BSD-3-Clause
// Inner scores against sparsity along the settings of each method that has a path from few voxels to many.
import { s } from "../dom";
import { methodColour, methodMarker } from "../colours";
import * as format from "../format";
import type { PathPoint, Study } from "../study";
import { figure, type Figure } from "./figure";
import { placeLabel } from "./labels";
import { bottomAxis, leftAxis, legend, marker, shorten, text, type Box } from "./parts";
import { extent, linear, nearOne } from "./scale";
import { tip } from "./tip";

type Known = PathPoint & { score: number; sparsity_in_mask: number };
/** Points that are drawn large. */
const isLarge = ({ front, chosen, readable }: Known): boolean => front || chosen || readable;
const isKnown = (point: PathPoint): point is Known => point.score !== null && point.sparsity_in_mask !== null;

/** What the two marks look like, whatever the colour: a ring and a standing cross. */
function chosenMark(cx: number, cy: number): SVGElement {
  return s("circle", { cx, cy, r: 9, fill: "none", stroke: "var(--ink)", "stroke-width": 2, "data-mark": "chosen" });
}
function readableMark(cx: number, cy: number): SVGElement {
  return s("path", {
    d: `M${cx} ${cy - 12}V${cy + 12}M${cx - 12} ${cy}H${cx + 12}`,
    stroke: "var(--ink)",
    "stroke-width": 2,
    "data-mark": "readable",
  });
}

export function pathChart(study: Study): Figure | null {
  const key = study.score;
  const curves = study.methods
    .map((method, index) => ({ method, index, points: method.path.filter(isKnown) }))
    .filter(({ points }) => points.length > 0);
  if (curves.length === 0) return null;
  const unit = format.axisUnit(key);
  const draw = (width: number) => {
    const height = width < 520 ? 340 : 380;
    const box: Box = { left: 46, right: width - 16, top: 28, bottom: height - 44 };
    const all = curves.flatMap(({ points }) => points);
    // Settings that leave nothing are at 100 %, where this axis has no end.
    const drawn = all.filter(({ sparsity_in_mask }) => sparsity_in_mask < 1);
    const x = nearOne(
      (drawn.length ? drawn : all).map(({ sparsity_in_mask }) => sparsity_in_mask),
      [box.left + 10, box.right - 22],
      44,
    );
    const [low, high] = extent([...all.map(({ score }) => score), study.chance]);
    const y = linear([low * unit, high * unit], [box.bottom - 8, box.top + 8]);
    const place = ({ sparsity_in_mask, score }: Known): [number, number] => [
      Math.min(box.right - 4, x(sparsity_in_mask)),
      y(score * unit),
    ];
    const parts: SVGElement[] = [
      ...leftAxis(y, box, `${format.scoreTitle(key)} in the inner folds${format.isPercent(key) ? " (%)" : ""}`),
      ...bottomAxis(x, box, "Weights in the mask that are zero (%)"),
    ];
    if (study.chance !== null) {
      const level = y(study.chance * unit);
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
        text(box.left + 6, level - 6, "chance", { fill: "var(--soft)", "font-size": 11 }),
      );
    }
    for (const { index, points } of curves)
      for (const point of points.filter((one) => !isLarge(one))) {
        const [cx, cy] = place(point);
        parts.push(marker(methodMarker(index), cx, cy, 2.4, { fill: methodColour(index), "fill-opacity": 0.35 }));
      }
    const taken: Box[] = [];
    for (const { method, index, points } of curves) {
      const front = points
        .filter((point) => point.front)
        .sort((a, b) => a.sparsity_in_mask - b.sparsity_in_mask);
      const line = front.map((point, i) => `${i ? "L" : "M"}${place(point).map((v) => v.toFixed(2)).join(" ")}`).join("");
      parts.push(
        s("path", { d: line, fill: "none", stroke: methodColour(index), "stroke-width": 1.8, "stroke-linejoin": "round" }),
      );
      const error = method.readable?.standard_error ?? null;
      for (const point of points.filter(isLarge)) {
        const [cx, cy] = place(point);
        taken.push({ left: cx - 7, right: cx + 7, top: cy - 7, bottom: cy + 7 });
        if (point.chosen && error !== null)
          parts.push(
            s("line", {
              x1: cx,
              x2: cx,
              y1: cy,
              y2: y((point.score - error) * unit),
              stroke: methodColour(index),
              "stroke-width": 1.5,
            }),
          );
        if (point.chosen) parts.push(chosenMark(cx, cy));
        if (point.readable) parts.push(readableMark(cx, cy));
        parts.push(
          tip(
            marker(methodMarker(index), cx, cy, 4.5, {
              fill: methodColour(index),
              stroke: "var(--card)",
              "stroke-width": 1,
            }),
            [
              method.title || method.name,
              `${format.scoreTitle(key)} in the inner folds: ${format.scoreWithUnit(key, point.score)}`,
              `Sparsity in the mask: ${format.scoreWithUnit("sparsity", point.sparsity_in_mask)}`,
              format.setting(point.setting),
              ...(point.chosen ? ["The chosen setting"] : []),
              ...(point.readable ? ["The sparsest within one standard error"] : []),
            ],
          ),
        );
      }
      const end = points.find(({ chosen }) => chosen) ?? front[0];
      if (!end) continue;
      const label = shorten(method.name, 18);
      const at = placeLabel(...place(end), label, taken, box);
      parts.push(
        text(at.x, at.y, label, {
          "text-anchor": at.anchor,
          "font-weight": 600,
          "paint-order": "stroke",
          stroke: "var(--card)",
          "stroke-width": 3,
        }),
      );
    }
    const methods = legend(
      curves.map(({ method, index }) => ({
        label: method.name,
        colour: methodColour(index),
        marker: methodMarker(index),
      })),
      8,
      height + 2,
      width - 16,
    );
    const top = height + 2 + methods.height + 12;
    const words = width < 520 ? [22, top + 26] : [width / 2, top];
    parts.push(
      ...methods.parts,
      chosenMark(20, top),
      text(36, top + 4, "chosen setting, and one standard error"),
      readableMark(words[0]! - (width < 520 ? 2 : 0), words[1]!),
      text(words[0]! + (width < 520 ? 14 : 18), words[1]! + 4, "sparsest within one standard error"),
    );
    return { width, height: words[1]! + 18, parts };
  };
  return figure({
    name: "score_along_the_path",
    title: `${format.scoreTitle(key)} along the path from many voxels to few`,
    caption: study.sentences.path,
    draw,
    wide: true,
    rows: () => [
      ["method", "resize", "setting", "sparsity_in_mask", `inner_${key}`, "best_of_neighbours", "chosen", "readable"],
      ...curves.flatMap(({ method, points }) =>
        points.map((point) => [
          method.name,
          point.resize,
          Object.entries(point.setting)
            .map(([name, value]) => `${name}=${value}`)
            .join(" "),
          point.sparsity_in_mask,
          point.score,
          Number(point.front),
          Number(point.chosen),
          Number(point.readable),
        ]),
      ),
    ],
  });
}
