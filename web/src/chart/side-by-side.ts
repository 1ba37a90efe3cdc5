// SPDX-License-Identifier: BSD-3-Clause
// Methods side by side: the first picture of the verdict.
import { s } from "../dom";
import { methodColour, methodMarker } from "../colours";
import * as format from "../format";
import type { Study } from "../study";
import { figure, type Figure } from "./figure";
import { bottomAxis, labelWidth, marker, reference, shorten, text, type Box } from "./parts";
import { extent, linear } from "./scale";
import { tip } from "./tip";

/** One row per method: pooled score with its interval, and one dot per fold. */
export function sideBySide(study: Study): Figure {
  const key = study.score;
  // A share of samples, which no other score can be held against.
  const majority = key === "accuracy" ? study.majority : null;
  const rows = study.methods.map((method, index) => ({ method, index, score: method.scores[key] }));
  const draw = (width: number) => {
    const names = Math.min(200, Math.max(40, ...rows.map(({ method }) => labelWidth(shorten(method.name, 20)))) + 14);
    const values = width > 430 ? 118 : 0;
    const box: Box = { left: names, right: width - values - 12, top: 28, bottom: 28 + rows.length * 34 };
    const all = rows.flatMap(({ method, score }) => [
      score?.pooled,
      score?.mean,
      ...(score?.folds ?? []),
      ...(method.interval ?? []),
    ]);
    const [low, high] = extent([...all, study.chance, majority]);
    const x = linear([low * format.axisUnit(key), high * format.axisUnit(key)], [box.left + 6, box.right - 6], {
      count: width > 560 ? 6 : 4,
    });
    const at = (value: number) => x(value * format.axisUnit(key));
    const parts: SVGElement[] = bottomAxis(x, box, format.scoreTitleWithUnit(key));
    if (majority !== null && study.chance !== null && Math.abs(majority - study.chance) > 1e-9)
      parts.push(
        ...reference(
          at(majority),
          box,
          Math.abs(at(majority) - at(study.chance)) > 60 ? "majority" : "",
          "2 3",
        ),
      );
    if (study.chance !== null) parts.push(...reference(at(study.chance), box, "chance"));
    rows.forEach(({ method, index, score }, row) => {
      const y = box.top + 34 * row + 17;
      const colour = methodColour(index);
      parts.push(text(box.left - 10, y + 4, shorten(method.name, 20), { "text-anchor": "end", "font-weight": 600 }));
      const point = score?.pooled ?? score?.mean ?? null;
      if (point === null) {
        parts.push(text(box.left + 10, y + 4, "no score", { fill: "var(--soft)" }));
        return;
      }
      if (method.interval) {
        const [a, b] = method.interval;
        parts.push(
          s("line", {
            x1: at(a),
            x2: at(b),
            y1: y,
            y2: y,
            stroke: colour,
            "stroke-width": 2.5,
            "stroke-linecap": "round",
          }),
        );
      }
      const counts = new Map<number, number>();
      for (const fold of score?.folds ?? []) {
        if (fold === null) continue;
        // Folds of equal score are stacked, not hidden behind each other.
        const place = Math.round(at(fold));
        const stacked = counts.get(place) ?? 0;
        counts.set(place, stacked + 1);
        parts.push(
          s("circle", {
            cx: at(fold),
            cy: y + 9 - Math.min(stacked, 4) * 1.2 + 1,
            r: 2.4,
            fill: colour,
            "fill-opacity": 0.38,
          }),
        );
      }
      const lines = [
        method.title || method.name,
        `${format.scoreTitle(key)}, all predictions: ${format.scoreWithUnit(key, point)}`,
        ...(method.interval
          ? [`95 % interval: ${format.score(key, method.interval[0])} to ${format.score(key, method.interval[1])}`]
          : []),
        `Mean ± sd over folds: ${format.plusMinus(key, score?.mean, score?.sd)}`,
      ];
      parts.push(
        tip(
          marker(methodMarker(index), at(point), y, 6, { fill: colour, stroke: "var(--card)", "stroke-width": 1.5 }),
          lines,
        ),
      );
      if (values) {
        const interval = method.interval
          ? ` [${format.score(key, method.interval[0], 1 + (format.axisUnit(key) === 1 ? 1 : 0))}, ${format.score(key, method.interval[1], 1 + (format.axisUnit(key) === 1 ? 1 : 0))}]`
          : "";
        parts.push(
          s(
            "text",
            { x: width - 8, y: y + 4, "text-anchor": "end", "font-size": 11.5 },
            s("tspan", { "font-weight": 600 }, format.score(key, point, format.axisUnit(key) === 1 ? 2 : 1)),
            s("tspan", { fill: "var(--soft)" }, interval),
          ),
        );
      }
    });
    return { width, height: box.bottom + 44, parts };
  };
  return figure({
    name: "methods",
    title: "Methods side by side",
    caption: study.methods.some(({ interval }) => interval)
      ? "Marker and line: score of all predictions together with its 95 % interval. Pale dots: one per fold."
      : "Marker: score of all predictions together. Pale dots: one per fold.",
    draw,
    rows: () => [
      ["method", `${key}_pooled`, "interval_low", "interval_high", `${key}_mean`, `${key}_sd`],
      ...rows.map(({ method, score }) => [
        method.name,
        score?.pooled,
        method.interval?.[0],
        method.interval?.[1],
        score?.mean,
        score?.sd,
      ]),
    ],
  });
}
