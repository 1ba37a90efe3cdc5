// SPDX-License-Identifier: BSD-3-Clause
// The score against the size of the training sets, with intervals.
import { s } from "../dom";
import { methodColour, methodMarker } from "../colours";
import * as format from "../format";
import type { LearningPoint, Study } from "../study";
import { figure, type Figure } from "./figure";
import { bottomAxis, leftAxis, legend, marker, text, type Box } from "./parts";
import { extent, linear } from "./scale";
import { tip } from "./tip";

type Known = LearningPoint & { samples: number; pooled: number };
const isKnown = (point: LearningPoint): point is Known => point.samples !== null && point.pooled !== null;

export function learningChart(study: Study): Figure | null {
  const key = study.score;
  const curves = study.methods
    .map((method, index) => ({ method, index, points: method.learning.filter(isKnown) }))
    .filter(({ points }) => points.length > 0);
  if (curves.length === 0) return null;
  const unit = format.axisUnit(key);
  const draw = (width: number) => {
    const height = 320;
    const box: Box = { left: 46, right: width - 16, top: 28, bottom: height - 44 };
    const all = curves.flatMap(({ points }) => points);
    const x = linear([Math.min(...all.map(({ samples }) => samples)), Math.max(...all.map(({ samples }) => samples))], [
      box.left + 14,
      box.right - 14,
    ]);
    const [low, high] = extent([...all.flatMap(({ pooled, interval }) => [pooled, ...(interval ?? [])]), study.chance]);
    const y = linear([low * unit, high * unit], [box.bottom - 4, box.top + 4]);
    const parts: SVGElement[] = [
      ...leftAxis(y, box, format.scoreTitleWithUnit(key)),
      ...bottomAxis(x, box, "Samples in training (mean over the folds)"),
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
    curves.forEach(({ method, index, points }, position) => {
      // Side by side, so that the intervals of methods do not cover each other.
      const aside = (position - (curves.length - 1) / 2) * 5;
      const colour = methodColour(index);
      const at = ({ samples, pooled }: Known): [number, number] => [x(samples) + aside, y(pooled * unit)];
      const line = points.map((point, i) => `${i ? "L" : "M"}${at(point).map((v) => v.toFixed(2)).join(" ")}`).join("");
      parts.push(s("path", { d: line, fill: "none", stroke: colour, "stroke-width": 1.8, "stroke-linejoin": "round" }));
      for (const point of points) {
        const [cx, cy] = at(point);
        if (point.interval)
          parts.push(
            s("line", {
              x1: cx,
              x2: cx,
              y1: y(point.interval[0] * unit),
              y2: y(point.interval[1] * unit),
              stroke: colour,
              "stroke-opacity": 0.55,
              "stroke-width": 1.5,
            }),
          );
        const interval = point.interval
          ? [`95 % interval ${format.score(key, point.interval[0])} to ${format.scoreWithUnit(key, point.interval[1])}`]
          : [];
        parts.push(
          tip(
            marker(methodMarker(index), cx, cy, 4.5, { fill: colour, stroke: "var(--card)", "stroke-width": 1 }),
            [
              method.title || method.name,
              `${format.scoreWithUnit("sparsity", point.fraction, 0)} of each training set: ${format.general(point.samples)} samples`,
              `${format.scoreTitle(key)} of all predictions: ${format.scoreWithUnit(key, point.pooled)}`,
              ...interval,
              `Mean over the folds: ${format.plusMinus(key, point.mean, point.sd)}`,
            ],
          ),
        );
      }
    });
    const names = legend(
      curves.map(({ method, index }) => ({
        label: method.name,
        colour: methodColour(index),
        marker: methodMarker(index),
      })),
      8,
      height + 2,
      width - 16,
    );
    parts.push(...names.parts);
    return { width, height: height + names.height + 2, parts };
  };
  return figure({
    name: "learning_curve",
    title: "Learning curve",
    caption: study.sentences.learning,
    draw,
    wide: true,
    rows: () => [
      ["method", "fraction", "samples", `${key}_pooled`, "low", "high", `${key}_mean`, `${key}_sd`],
      ...curves.flatMap(({ method, points }) =>
        points.map((point) => [
          method.name,
          point.fraction,
          point.samples,
          point.pooled,
          point.interval?.[0],
          point.interval?.[1],
          point.mean,
          point.sd,
        ]),
      ),
    ],
  });
}
