// SPDX-License-Identifier: BSD-3-Clause
// Section 5: how the inner score depends on the settings, one map per resize factor, with the points that folds chose.
import { absent, h, replace, select } from "../dom";
import { methodColour } from "../colours";
import { figure } from "../chart/figure";
import { heat } from "../chart/heat";
import { lines } from "../chart/lines";
import { extent, linear, logarithmic } from "../chart/scale";
import * as format from "../format";
import { methodSelect, type State } from "../state";
import type { GridBlock, Maybe, Method, Study } from "../study";
import { resizeChart } from "./diagnostics";
import { section, type Section } from "./section";

type Quantity = "score" | "sparsity";

/** Two axes at most: over the others, the best score with its sparsity, and the sum of choices. */
export function flatten(block: GridBlock): GridBlock {
  if (block.axes.length <= 2) return block;
  const kept = block.axes.slice(0, 2);
  const cells = kept.reduce((size, axis) => size * axis.values.length, 1);
  const rest = block.axes.slice(2).reduce((size, axis) => size * axis.values.length, 1);
  const result: GridBlock = { ...block, axes: kept, score: [], sparsity: [], chosen: [] };
  for (let cell = 0; cell < cells; ++cell) {
    let found = cell * rest;
    let chosen = 0;
    for (let i = cell * rest; i < (cell + 1) * rest; ++i) {
      if ((block.score[i] ?? -Infinity) > (block.score[found] ?? -Infinity)) found = i;
      chosen += block.chosen[i] ?? 0;
    }
    result.score.push(block.score[found] ?? null);
    result.sparsity.push(block.sparsity[found] ?? null);
    result.chosen.push(chosen);
  }
  return result;
}

const chosenText = (count: number): string =>
  count ? `chosen by ${count} ${count === 1 ? "fold" : "folds"}` : "not chosen";

function gridChart(
  study: Study,
  method: Method,
  whole: GridBlock,
  quantity: Quantity,
  range: [number, number],
): HTMLElement {
  const block = flatten(whole);
  const key = quantity === "score" ? study.score : "sparsity";
  const values: Maybe[] = quantity === "score" ? block.score : block.sparsity;
  const [first, second] = block.axes;
  const over = [...whole.axes.slice(2).map(({ name }) => name), ...whole.best_over];
  const sized = whole.resize === null ? method.name : `${method.name}, resize ${format.general(whole.resize)}`;
  const title = over.length ? `${sized}: best over ${over.join(" and ")}` : sized;
  const describe = (index: number, at: string[]) => [
    at.join(", "),
    `${format.scoreTitle(study.score)}: ${format.scoreWithUnit(study.score, block.score[index] ?? null)}`,
    `Sparsity: ${format.scoreWithUnit("sparsity", block.sparsity[index] ?? null)}`,
    chosenText(block.chosen[index] ?? 0),
  ];
  const name = (axis: { name: string }, value: number) => `${axis.name} = ${format.general(value)}`;
  const draw = (width: number) => {
    if (first && second)
      return heat({
        width,
        rows: first.values.map((value) => format.general(value, 2)),
        columns: second.values.map((value) => format.general(value, 2)),
        rowTitle: `${first.name} ↓`,
        columnTitle: `${second.name} →`,
        value: (i, j) => values[i * second.values.length + j] ?? null,
        label: (i, j) => format.score(key, values[i * second.values.length + j] ?? null, format.isPercent(key) ? 0 : 2),
        tip: (i, j) =>
          describe(i * second.values.length + j, [name(first, first.values[i]!), name(second, second.values[j]!)]),
        chosen: (i, j) => block.chosen[i * second.values.length + j] ?? 0,
        range,
        rangeLabel: (value) => format.score(key, value, format.isPercent(key) ? 0 : 2),
      });
    const unit = format.isPercent(key) ? 100 : 1;
    const points = (first?.values ?? []).flatMap((value, i) => {
      const y = values[i];
      if (y === null || y === undefined) return [];
      return [{ x: value, y: unit * y, tip: describe(i, [name(first!, value)]), ringed: (block.chosen[i] ?? 0) > 0 }];
    });
    const positive = points.every(({ x }) => x > 0);
    const xs = points.map(({ x }) => x);
    return lines({
      width,
      height: 250,
      curves: [{ label: method.name, colour: methodColour(study.methods.indexOf(method)), points }],
      x: (span) => (positive ? logarithmic(xs, span) : linear(extent(xs), span)),
      y: (span) => linear([unit * range[0], unit * range[1]], span),
      xTitle: first?.name ?? "",
      yTitle: format.scoreTitleWithUnit(key),
    });
  };
  return figure({
    name: `grid_${method.name}_resize_${whole.resize ?? "none"}_${quantity}`,
    title,
    caption: over.length ? `A cell is the best over ${over.join(" and ")}.` : undefined,
    draw,
    maxWidth: 620,
    rows: () => {
      const axes = whole.axes;
      const place = (index: number) => {
        const at: number[] = [];
        for (let a = axes.length - 1; a >= 0; --a) {
          at.unshift(axes[a]!.values[index % axes[a]!.values.length]!);
          index = Math.floor(index / axes[a]!.values.length);
        }
        return at;
      };
      return [
        ["resize", ...axes.map((axis) => axis.name), study.score, "sparsity", "chosen"],
        ...whole.score.map((score, i) => [whole.resize, ...place(i), score, whole.sparsity[i], whole.chosen[i]]),
      ];
    },
  }).element;
}

/** From the lowest to the highest value of all methods, so that their maps can be laid side by side; sparsity: 0 to 1. */
export function fixedRange(study: Study, quantity: Quantity): [number, number] {
  if (quantity === "sparsity") return [0, 1];
  const [low, high] = extent(study.methods.flatMap(({ grid }) => grid.flatMap((block) => flatten(block).score)));
  return Number.isFinite(low) ? [low, high] : [0, 1];
}

export function scaleWords(study: Study, quantity: Quantity, [low, high]: [number, number]): string {
  const key = quantity === "score" ? study.score : "sparsity";
  const of = `${format.scoreTitle(key)} runs from ${format.scoreWithUnit(key, low, format.isPercent(key) ? 1 : 2)} (darkest)`;
  return `One scale for all methods: ${of} to ${format.scoreWithUnit(key, high, format.isPercent(key) ? 1 : 2)} (lightest).`;
}

export function sensitivitySection(study: Study, state: State): Section {
  const title = "Sensitivity to settings";
  const usable = study.methods.filter((method) => method.grid.length > 0);
  if (usable.length === 0)
    return section(
      "sensitivity",
      "Sensitivity",
      title,
      null,
      absent("No grid of settings was searched, or its table is missing: there is no sensitivity to show."),
    );
  const resized = resizeChart(study);
  let quantity: Quantity = "score";
  const charts = h("div", { class: "grid" });
  const scale = h("p", { class: "quiet", role: "status" });
  const update = () => {
    const method = usable.find(({ name }) => name === state.focus.value);
    if (!method)
      return replace(charts, absent(`No grid was searched for ${state.focus.value}. Choose another method.`));
    const range = fixedRange(study, quantity);
    scale.textContent = scaleWords(study, quantity, range);
    return replace(charts, ...method.grid.map((block) => gridChart(study, method, block, quantity, range)));
  };
  const what = select(
    "Colour",
    [
      { value: "score", label: format.scoreTitle(study.score) },
      { value: "sparsity", label: "Sparsity" },
    ],
    quantity,
    (value) => {
      quantity = value as Quantity;
      update();
    },
  );
  state.focus.watch(update);
  return section(
    "sensitivity",
    "Sensitivity",
    title,
    "Inner cross-validation over the grid, mean over outer folds. Rings mark the settings that outer folds chose.",
    h("div", { class: "controls" }, methodSelect(study, state), what.element),
    scale,
    charts,
    resized ? h("div", { class: "grid" }, resized) : null,
  );
}
