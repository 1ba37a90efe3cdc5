// SPDX-License-Identifier: BSD-3-Clause
// Behind the scores: decision values by class, site and person, how often they are right, and what resizing did.
import { h, s, select, type Choice } from "../dom";
import { methodColour, methodMarker } from "../colours";
import { figure, type Figure } from "../chart/figure";
import { lines } from "../chart/lines";
import { extent, linear, type Scale } from "../chart/scale";
import { strips, type Strip, type StripPoint } from "../chart/strips";
import * as format from "../format";
import type { State } from "../state";
import type { DecisionBox, Method, Prediction, Study } from "../study";

type Known = Prediction & { decision: number };
type By = "class" | "site" | "person";

const methodOf = (study: Study, state: State): Method | undefined =>
  study.methods.find(({ name }) => name === state.focus.value);

const decisionsOf = (study: Study, name: string): Known[] =>
  study.predictions.filter((it): it is Known => it.method === name && it.decision !== null);

/** Whether each person has one sample of each class: then a line shows which way both were told apart. */
export function isPaired(predictions: Known[]): boolean {
  const classes = new Map<string, string[]>();
  for (const { participant, actual } of predictions)
    classes.set(participant, [...(classes.get(participant) ?? []), actual]);
  return classes.size > 1 && [...classes.values()].every((both) => both.length === 2 && both[0] !== both[1]);
}

const several = (predictions: Known[]): boolean =>
  new Set(predictions.map(({ participant }) => participant)).size < predictions.length;

function boxOf(box: DecisionBox | undefined, label: string): Strip["box"] {
  if (!box) return undefined;
  const { low, q1, median, q3, high } = box;
  return {
    low,
    q1,
    median,
    q3,
    high,
    tip: [
      label,
      `${box.n} ${box.n === 1 ? "sample" : "samples"}`,
      `Median ${format.general(median)}, quartiles ${format.general(q1)} and ${format.general(q3)}`,
      `From ${format.general(low)} to ${format.general(high)}`,
    ],
  };
}

function stripsOf(study: Study, method: Method, by: By): Strip[] {
  const [positive, negative] = [study.target.positive ?? "", study.target.negative ?? ""];
  const all = decisionsOf(study, method.name);
  const paired = by === "class" && isPaired(all);
  const point = (it: Known): StripPoint => ({
    value: it.decision,
    colour: methodColour(it.actual === positive ? 1 : 0),
    marker: it.actual === positive ? "circle" : "square",
    joined: paired || by === "person" ? it.participant : undefined,
    tip: [
      it.participant || it.path,
      `${it.actual}, decision ${format.general(it.decision)}`,
      `Fold ${it.fold}${it.site ? `, site ${it.site}` : ""}`,
    ],
  });
  const classes = [negative, positive];
  const of = (site: string, name: string) =>
    method.boxes.find((box) => box.class === name && box.site === site);
  if (by === "class")
    return classes.map((name) => {
      const own = all.filter(({ actual }) => actual === name);
      // The same order of persons in both columns.
      own.sort((a, b) => a.participant.localeCompare(b.participant, "en", { numeric: true }));
      return { label: name, points: own.map(point), box: boxOf(of("", name), name) };
    });
  if (by === "site")
    return [...new Set(all.map(({ site }) => site))].sort().flatMap((site) =>
      classes.map((name) => ({
        label: `${site || "no site"}, ${name}`,
        points: all.filter((it) => it.site === site && it.actual === name).map(point),
        box: boxOf(of(site, name), `${site}, ${name}`),
      })),
    );
  const people = new Map<string, Known[]>();
  for (const it of all) people.set(it.participant, [...(people.get(it.participant) ?? []), it]);
  const mean = (own: Known[]) => own.reduce((sum, { decision }) => sum + decision, 0) / own.length;
  return [...people]
    .sort(([, a], [, b]) => mean(a) - mean(b))
    .map(([name, own]) => ({ label: name, points: own.map(point) }));
}

function decisionChart(study: Study, state: State): Figure | null {
  const scored = study.methods.filter((method) => method.boxes.length > 0);
  if (scored.length === 0) return null;
  const first = decisionsOf(study, scored[0]!.name);
  const choices: Choice[] = [
    { value: "class", label: "class" },
    ...(first.some(({ site }) => site) ? [{ value: "site", label: "site" }] : []),
    ...(several(first) ? [{ value: "person", label: "person" }] : []),
  ];
  let by: By = "class";
  const titles = { class: study.target.column, site: "Site", person: "One column for each person, by the mean" };
  const paired = isPaired(first);
  const chart = figure({
    name: "decisions",
    title: "Decision values",
    caption:
      `What the method in focus said of each held-out sample: above the dashed line for ${study.target.positive} (circles), below it for ${study.target.negative} (squares). ` +
      "Boxes hold the middle half with the median; lines reach the least and the largest value." +
      (paired ? ` Lines join the two samples of one person: from ${study.target.negative} to ${study.target.positive} they should rise.` : "") +
      " Folds have their own models, so that their scales can differ a little.",
    draw: (width) => {
      const method = methodOf(study, state);
      if (!method || method.boxes.length === 0) return { width, height: 20, parts: [] };
      return strips(stripsOf(study, method, by), width, "Decision value", titles[by]);
    },
    rows: () => [
      ["method", "participant", "fold", "site", "actual", "decision"],
      ...study.predictions.map((it) => [it.method, it.participant, it.fold, it.site, it.actual, it.decision]),
    ],
  });
  if (choices.length > 1) {
    const choice = select("By", choices, by, (value) => {
      by = value as By;
      chart.redraw();
    });
    chart.element.querySelector(".card-head")!.after(h("div", { class: "controls" }, choice.element));
  }
  return chart;
}

/** Error bars below the points of a chart of lines. */
const bar = (x: number, low: number, high: number, colour: string): SVGElement =>
  s("line", { x1: x, x2: x, y1: low, y2: high, stroke: colour, "stroke-width": 1.5, "stroke-opacity": 0.6 });

const level = (x: Scale, y: Scale, value: number, domain: [number, number]): SVGElement =>
  s("line", {
    x1: x(domain[0]),
    x2: x(domain[1]),
    y1: y(value),
    y2: y(value),
    stroke: "var(--soft)",
    "stroke-dasharray": "5 4",
  });

function reliabilityChart(study: Study, state: State): Figure | null {
  if (!study.methods.some(({ reliability }) => reliability.length > 0)) return null;
  const positive = study.target.positive ?? "positive";
  return figure({
    name: "reliability",
    title: "How often a decision value is right",
    caption:
      `Held-out samples sorted by decision value, in groups of about equal size: the share that is ${positive}, with its exact 95 % interval ` +
      "(as if samples were independent). Decision values are not probabilities, so there is no diagonal to lie on; the curve should rise from 0 to 100 %, " +
      `and cross the dashed line, the share of ${positive} among all samples, near 0.`,
    draw: (width) => {
      const method = methodOf(study, state);
      const bins = method?.reliability ?? [];
      if (!method || bins.length === 0) return { width, height: 20, parts: [] };
      const colour = methodColour(study.methods.indexOf(method));
      const domain = extent(bins.map(({ decision }) => decision));
      const total = bins.reduce((sum, { n }) => sum + n, 0);
      const share = bins.reduce((sum, bin) => sum + bin.positive, 0) / total;
      return lines({
        width,
        height: 290,
        curves: [
          {
            label: method.name,
            colour,
            marker: methodMarker(study.methods.indexOf(method)),
            points: bins.map((bin) => ({
              x: bin.decision,
              y: 100 * bin.share,
              tip: [
                `${bin.positive} of ${bin.n} are ${positive}: ${(100 * bin.share).toFixed(1)} %`,
                `95 % interval ${(100 * bin.low).toFixed(1)} to ${(100 * bin.high).toFixed(1)} %`,
                `Decision ${format.general(bin.from)} to ${format.general(bin.to)}, mean ${format.general(bin.decision)}`,
              ],
            })),
          },
        ],
        x: (range) => linear(domain, range),
        y: (range) => linear([0, 100], range),
        xTitle: "Decision value, mean of the group",
        yTitle: `${positive} (%)`,
        under: (x, y) => [
          level(x, y, 100 * share, domain),
          ...bins.map((bin) => bar(x(bin.decision), y(100 * bin.low), y(100 * bin.high), colour)),
        ],
      });
    },
    rows: () => [
      ["method", "from", "to", "mean_decision", "samples", "positive", "share", "low", "high"],
      ...study.methods.flatMap(({ name, reliability }) =>
        reliability.map((bin) => [name, bin.from, bin.to, bin.decision, bin.n, bin.positive, bin.share, bin.low, bin.high]),
      ),
    ],
  });
}

/** Of two classes: decision values, and how often they are right; they follow the method in focus. */
export function decisionCharts(study: Study, state: State): HTMLElement[] {
  const charts = [decisionChart(study, state), reliabilityChart(study, state)].filter((it) => it !== null);
  state.focus.onChange(() => charts.forEach((chart) => chart.redraw()));
  return charts.map(({ element }) => element);
}

/** Of several resize factors: what each can reach, for all methods. */
export function resizeChart(study: Study): HTMLElement | null {
  const tried = study.methods.filter(({ resizing }) => resizing.length > 1);
  if (tried.length === 0) return null;
  const key = study.score;
  const unit = format.axisUnit(key);
  const all = tried.flatMap(({ resizing }) => resizing);
  const factors = extent(all.map(({ resize }) => resize));
  const [low, high] = extent(all.flatMap(({ mean, sd }) => [mean - (sd ?? 0), mean + (sd ?? 0)]));
  const times = (count: number) => `${count} ${count === 1 ? "fold" : "folds"}`;
  return figure({
    name: "resizing",
    title: "Effect of resizing",
    caption:
      "The best inner score that volumes of each size reach, mean over the outer folds; bars are one standard deviation either way. The best of many settings is a little too good everywhere: compare sizes, not methods.",
    wide: true,
    draw: (width) =>
      lines({
        width,
        height: 290,
        legend: true,
        curves: tried.map((method) => ({
          label: method.name,
          colour: methodColour(study.methods.indexOf(method)),
          marker: methodMarker(study.methods.indexOf(method)),
          points: method.resizing.map(({ resize, mean, sd, chosen }) => ({
            x: resize,
            y: unit * mean,
            tip: [
              `${method.name}, resized by ${format.general(resize)}`,
              `${format.scoreTitle(key)}: ${format.plusMinus(key, mean, sd)}${format.isPercent(key) ? " %" : ""}`,
              `Chosen by ${times(chosen)}`,
            ],
          })),
        })),
        x: (range) => linear(factors, range),
        y: (range) => linear([unit * low, unit * (format.isPercent(key) ? Math.min(1, high) : high)], range),
        xTitle: "Resize factor",
        yTitle: `${format.scoreTitleWithUnit(key)}, inner folds`,
        under: (x, y) =>
          tried.flatMap((method) =>
            method.resizing.flatMap(({ resize, mean, sd }) =>
              sd === null
                ? []
                : [
                    bar(
                      x(resize),
                      y(unit * (mean - sd)),
                      y(unit * (format.isPercent(key) ? Math.min(1, mean + sd) : mean + sd)),
                      methodColour(study.methods.indexOf(method)),
                    ),
                  ],
            ),
          ),
      }),
    rows: () => [
      ["method", "resize", "inner_score_mean", "inner_score_sd", "folds_that_chose_it"],
      ...tried.flatMap(({ name, resizing }) => resizing.map((it) => [name, it.resize, it.mean, it.sd, it.chosen])),
    ],
  }).element;
}
