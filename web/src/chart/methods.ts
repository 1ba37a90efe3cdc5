// SPDX-License-Identifier: BSD-3-Clause
// The two pictures of the verdict: methods side by side, and the score against sparsity.
import { s } from "../dom";
import { methodColour, methodMarker } from "../colours";
import * as format from "../format";
import { headline } from "../ranking";
import type { Study } from "../study";
import { figure, type Figure } from "./figure";
import { bottomAxis, labelWidth, leftAxis, marker, reference, shorten, text, type Box } from "./parts";
import { extent, linear, nearOne } from "./scale";
import { tip } from "./tip";

const unit = (key: string) => (format.isPercent(key) ? 100 : 1);

/** One row a method: pooled score with its interval, and a dot a fold. */
export function sideBySide(study: Study): Figure {
  const key = study.score;
  const rows = study.methods.map((method, index) => ({ method, index, score: method.scores[key] }));
  const draw = (width: number) => {
    const names = Math.min(200, Math.max(40, ...rows.map(({ method }) => labelWidth(shorten(method.name, 20)))) + 14);
    const values = width > 430 ? 118 : 0;
    const box: Box = { left: names, right: width - values - 12, top: 28, bottom: 28 + rows.length * 34 };
    const all = rows.flatMap(({ method, score }) => [score?.pooled, score?.mean, ...(score?.folds ?? []), ...(method.interval ?? [])]);
    const [low, high] = extent([...all, study.chance, study.majority]);
    const x = linear([low * unit(key), high * unit(key)], [box.left + 6, box.right - 6], { count: width > 560 ? 6 : 4 });
    const at = (value: number) => x(value * unit(key));
    const parts: SVGElement[] = bottomAxis(x, box, format.scoreTitleWithUnit(key));
    if (study.majority !== null && study.chance !== null && Math.abs(study.majority - study.chance) > 1e-9)
      parts.push(...reference(at(study.majority), box, Math.abs(at(study.majority) - at(study.chance)) > 60 ? "majority" : "", "2 3"));
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
        parts.push(s("line", { x1: at(a), x2: at(b), y1: y, y2: y, stroke: colour, "stroke-width": 2.5, "stroke-linecap": "round" }));
      }
      const counts = new Map<number, number>();
      for (const fold of score?.folds ?? []) {
        if (fold === null) continue;
        // Folds of equal score are stacked, not hidden behind each other.
        const place = Math.round(at(fold));
        const stacked = counts.get(place) ?? 0;
        counts.set(place, stacked + 1);
        parts.push(s("circle", { cx: at(fold), cy: y + 9 - Math.min(stacked, 4) * 1.2 + 1, r: 2.4, fill: colour, "fill-opacity": 0.38 }));
      }
      const lines = [
        method.title || method.name,
        `${format.scoreTitle(key)}, all predictions: ${format.scoreWithUnit(key, point)}`,
        ...(method.interval ? [`95 % interval: ${format.score(key, method.interval[0])} to ${format.score(key, method.interval[1])}`] : []),
        `Mean ± sd over folds: ${format.plusMinus(key, score?.mean, score?.sd)}`,
      ];
      parts.push(tip(marker(methodMarker(index), at(point), y, 6, { fill: colour, stroke: "var(--card)", "stroke-width": 1.5 }), lines));
      if (values) {
        const interval = method.interval ? ` [${format.score(key, method.interval[0], 1 + (unit(key) === 1 ? 1 : 0))}, ${format.score(key, method.interval[1], 1 + (unit(key) === 1 ? 1 : 0))}]` : "";
        parts.push(
          s(
            "text",
            { x: width - 8, y: y + 4, "text-anchor": "end", "font-size": 11.5 },
            s("tspan", { "font-weight": 600 }, format.score(key, point, unit(key) === 1 ? 2 : 1)),
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
      ? "Marker and line: score of all predictions together with its 95 % interval. Pale dots: one a fold."
      : "Marker: score of all predictions together. Pale dots: one a fold.",
    draw,
    rows: () => [
      ["method", `${key}_pooled`, "interval_low", "interval_high", `${key}_mean`, `${key}_sd`],
      ...rows.map(({ method, score }) => [method.name, score?.pooled, method.interval?.[0], method.interval?.[1], score?.mean, score?.sd]),
    ],
  });
}

/** Puts a label beside its point where it covers neither another label nor a point. */
function placeLabel(x: number, y: number, label: string, taken: Box[], area: Box): { x: number; y: number; anchor: string } {
  const width = labelWidth(label);
  const options = [
    { x: x + 11, y: y + 4, anchor: "start" },
    { x: x - 11, y: y + 4, anchor: "end" },
    { x, y: y - 11, anchor: "middle" },
    { x, y: y + 19, anchor: "middle" },
    { x: x + 9, y: y - 9, anchor: "start" },
    { x: x - 9, y: y - 9, anchor: "end" },
    { x: x - 9, y: y + 17, anchor: "end" },
    { x: x - 11, y: y + 30, anchor: "end" },
    { x: x - 11, y: y - 22, anchor: "end" },
    { x: x + 11, y: y - 20, anchor: "start" },
    { x: x + 11, y: y + 28, anchor: "start" },
    { x, y: y - 26, anchor: "middle" },
    { x, y: y + 34, anchor: "middle" },
  ];
  let found = options[0]!;
  let least = Infinity;
  for (const option of options) {
    const left = option.anchor === "start" ? option.x : option.anchor === "end" ? option.x - width : option.x - width / 2;
    const box = { left, right: left + width, top: option.y - 11, bottom: option.y + 3 };
    let cost = 0;
    for (const other of taken) {
      const across = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      const down = Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top);
      if (across > 0 && down > 0) cost += across * down;
    }
    if (box.left < area.left || box.right > area.right || box.top < area.top - 10 || box.bottom > area.bottom) cost += 1000;
    if (cost < least) {
      least = cost;
      found = option;
    }
  }
  const left = found.anchor === "start" ? found.x : found.anchor === "end" ? found.x - width : found.x - width / 2;
  taken.push({ left, right: left + width, top: found.y - 11, bottom: found.y + 3 });
  return found;
}

export function againstSparsity(study: Study): Figure | null {
  const key = study.score;
  const points = study.methods
    .map((method, index) => ({ method, index, x: method.sparsity.mean, y: headline(method, key) }))
    .filter((point): point is typeof point & { x: number; y: number } => point.x !== null && point.y !== null);
  if (points.length === 0) return null;
  const draw = (width: number) => {
    const height = Math.max(260, Math.min(360, 72 + study.methods.length * 34));
    const box: Box = { left: 46, right: width - 16, top: 28, bottom: height - 44 };
    const deviation = (value: number, sd: number | null | undefined) => [value - (sd ?? 0), value + (sd ?? 0)];
    const xs = points.flatMap(({ method, x }) => deviation(x, method.sparsity.sd));
    const ys = points.flatMap(({ method, y }) => deviation(y, method.scores[key]?.sd));
    const [lowY, highY] = extent([...ys, study.chance]);
    // A deviation can reach past one, where the axis has no end; the means themselves set its length.
    const lowest = Math.max(0, Math.min(...xs));
    const x = nearOne([...points.map((point) => point.x), Math.min(lowest, ...points.map((point) => point.x))], [box.left + 10, box.right - 14], 44);
    const top = format.isPercent(key) ? Math.min(1, highY) : highY;
    const y = linear([lowY * unit(key), top * unit(key)], [box.bottom - 8, box.top + 8]);
    const clampX = (value: number) => Math.min(box.right, Math.max(box.left, x(Math.min(1, Math.max(0, value)))));
    const clampY = (value: number) => y(unit(key) * (format.isPercent(key) ? Math.min(1, Math.max(0, value)) : value));
    const parts: SVGElement[] = [...leftAxis(y, box, format.scoreTitleWithUnit(key)), ...bottomAxis(x, box, "Sparsity (% of coefficients that are zero)")];
    if (study.chance !== null) {
      const level = y(study.chance * unit(key));
      parts.push(s("line", { x1: box.left, x2: box.right, y1: level, y2: level, stroke: "var(--soft)", "stroke-dasharray": "5 4", "stroke-width": 1.25 }));
      parts.push(text(box.left + 6, level - 6, "chance", { fill: "var(--soft)", "font-size": 11 }));
    }
    const taken: Box[] = points.map((point) => {
      const [cx, cy] = [clampX(point.x), clampY(point.y)];
      return { left: cx - 7, right: cx + 7, top: cy - 7, bottom: cy + 7 };
    });
    for (const { method, index, x: sparsity, y: score } of points) {
      const colour = methodColour(index);
      const [left, right] = deviation(sparsity, method.sparsity.sd).map(clampX);
      const [bottom, up] = deviation(score, method.scores[key]?.sd).map(clampY);
      const [cx, cy] = [clampX(sparsity), clampY(score)];
      parts.push(s("line", { x1: left!, x2: right!, y1: cy, y2: cy, stroke: colour, "stroke-opacity": 0.45, "stroke-width": 1.5 }));
      parts.push(s("line", { x1: cx, x2: cx, y1: bottom!, y2: up!, stroke: colour, "stroke-opacity": 0.45, "stroke-width": 1.5 }));
    }
    for (const { method, index, x: sparsity, y: score } of points) {
      const [cx, cy] = [clampX(sparsity), clampY(score)];
      parts.push(
        tip(marker(methodMarker(index), cx, cy, 6.5, { fill: methodColour(index), stroke: "var(--card)", "stroke-width": 1.5 }), [
          method.title || method.name,
          `${format.scoreTitle(key)}: ${format.plusMinus(key, score, method.scores[key]?.sd)}${format.isPercent(key) ? " %" : ""}`,
          `Sparsity: ${format.plusMinus("sparsity", sparsity, method.sparsity.sd)} %`,
        ]),
      );
      const label = shorten(method.name, 18);
      const place = placeLabel(cx, cy, label, taken, box);
      parts.push(text(place.x, place.y, label, { "text-anchor": place.anchor, "font-weight": 600, "paint-order": "stroke", stroke: "var(--card)", "stroke-width": 3 }));
    }
    return { width, height, parts };
  };
  return figure({
    name: "score_against_sparsity",
    title: `${format.scoreTitle(key)} against sparsity`,
    caption: "Mean over folds; lines are one standard deviation either way. Up and to the right is better: right more often, with fewer voxels. The axis widens towards 100 %.",
    draw,
    rows: () => [
      ["method", "sparsity_mean", "sparsity_sd", `${key}_mean`, `${key}_sd`],
      ...points.map(({ method, x, y }) => [method.name, x, method.sparsity.sd, y, method.scores[key]?.sd]),
    ],
  });
}
