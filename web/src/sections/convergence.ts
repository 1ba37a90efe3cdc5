// SPDX-License-Identifier: BSD-3-Clause
// Section 6: did the solver finish, and how it got there.
import { absent, h, replace } from "../dom";
import { methodColour } from "../colours";
import { figure } from "../chart/figure";
import { lines } from "../chart/lines";
import { extent, linear, logarithmic } from "../chart/scale";
import * as format from "../format";
import { methodSelect, type State } from "../state";
import type { ClassFit, Method, Study } from "../study";
import { table, type Column } from "../table";
import { section, type Section } from "./section";

type Quantity = "objective" | "gap" | "change";
const titles: { [key in Quantity]: string } = {
  objective: "Objective",
  gap: "Certified relative gap",
  change: "Relative change of W",
};

function curve(study: Study, method: Method, quantity: Quantity): HTMLElement {
  const points = method.trace.flatMap((step) => {
    const y = step[quantity];
    if (y === null) return [];
    const tip = [`Iteration ${step.iteration}`, `${titles[quantity]}: ${format.general(y, 4)}`];
    return [{ x: step.iteration, y, tip }];
  });
  const ys = points.map(({ y }) => y);
  return figure({
    name: `convergence_${method.name}_${quantity}`,
    title: titles[quantity],
    draw: (width) =>
      lines({
        width,
        height: 230,
        curves: [{ label: method.name, colour: methodColour(study.methods.indexOf(method)), points }],
        x: (range) => linear(extent(points.map(({ x }) => x)), range, { nice: false }),
        y: (range) => (quantity === "objective" ? linear(extent(ys), range, { count: 4 }) : logarithmic(ys, range)),
        xTitle: "Iteration",
        yTitle: "",
      }),
    rows: () => [["iteration", quantity], ...method.trace.map((step) => [step.iteration, step[quantity]])],
  }).element;
}

/** What the fit of each class against the rest is worth. */
function classFits(method: Method): HTMLElement | null {
  const fits = method.final?.classes;
  if (!fits || fits.length === 0) return null;
  const number = (title: string, key: "objective" | "dual" | "relative_gap" | "intercept", digits: number) => ({
    title,
    numeric: true,
    value: (fit: ClassFit) => fit[key],
    show: (fit: ClassFit) => format.general(fit[key], digits),
  });
  const columns: Column<ClassFit>[] = [
    { title: "Class", value: (fit) => fit.class },
    {
      title: "Status",
      value: ({ status }) => status,
      show: ({ status }) => h("span", { class: /^converged/.test(status) ? "good" : "poor" }, status),
    },
    number("Objective", "objective", 5),
    number("Dual", "dual", 5),
    number("Relative gap", "relative_gap", 2),
    {
      title: "Iterations",
      numeric: true,
      value: ({ iterations }) => iterations,
      show: ({ iterations }) => format.integer(iterations),
    },
    {
      title: "Sparsity of the box (%)",
      numeric: true,
      value: ({ sparsity }) => sparsity,
      file: { "Sparsity of the box (%)": ({ sparsity }) => format.inUnit("sparsity", sparsity) },
      show: ({ sparsity }) => format.score("sparsity", sparsity),
    },
    {
      title: "In the mask (%)",
      numeric: true,
      value: ({ sparsity_in_mask }) => sparsity_in_mask,
      file: { "In the mask (%)": ({ sparsity_in_mask }) => format.inUnit("sparsity", sparsity_in_mask) },
      show: ({ sparsity_in_mask }) => format.score("sparsity", sparsity_in_mask),
    },
    {
      title: "Tubal rank",
      numeric: true,
      value: ({ tubal_rank }) => tubal_rank,
    },
    number("Intercept", "intercept", 3),
  ];
  return table({
    name: `classes_${method.name}`,
    caption: `${method.name}, class by class: each against the rest`,
    columns: columns.filter(({ value }) => fits.some((fit) => value(fit) !== null)),
    rows: fits,
  }).element;
}

export function convergenceSection(study: Study, state: State): Section {
  const title = "Convergence";
  const finals = study.methods.filter((method) => method.final !== null);
  const summary = finals.length
    ? table({
        name: "final_fits",
        caption: "Models fitted to all samples",
        columns: [
          { title: "Method", value: ({ name }: Method) => name },
          {
            title: "Resize",
            numeric: true,
            value: ({ final }) => final!.resize,
            show: ({ final }) => format.general(final!.resize),
          },
          { title: "Setting", value: ({ final }) => format.setting(final!.setting) },
          {
            title: "Status",
            value: ({ final }) => final!.status,
            show: ({ final }) =>
              h("span", { class: /^converged/.test(final!.status) ? "good" : "poor" }, final!.status),
          },
          {
            title: "Relative gap",
            numeric: true,
            value: ({ final }) => final!.relative_gap,
            show: ({ final }) => format.general(final!.relative_gap, 2),
          },
          {
            title: "Iterations",
            numeric: true,
            value: ({ final }) => final!.iterations,
            show: ({ final }) => format.integer(final!.iterations),
          },
        ],
        rows: finals,
      }).element
    : absent("No model was fitted to all samples.");
  const traced = study.methods.filter((method) => method.trace.length > 0);
  const charts = h("div", { class: "grid three" });
  if (traced.length)
    state.focus.watch((name) => {
      const method = traced.find((candidate) => candidate.name === name);
      if (!method)
        replace(
          charts,
          absent(
            `No trace was kept for ${name || "this method"}; traces exist for ${traced.map((it) => it.name).join(", ")}.`,
          ),
        );
      else
        replace(charts, curve(study, method, "objective"), curve(study, method, "gap"), curve(study, method, "change"));
    });
  else replace(charts, absent("No trace of iterations was kept."));
  return section(
    "convergence",
    "Convergence",
    title,
    "The relative gap is an upper bound on how much better any other map could be: 0.001 means at most 0.1 %.",
    summary,
    ...finals.map(classFits),
    traced.length ? h("div", { class: "controls" }, methodSelect(study, state)) : null,
    charts,
  );
}
