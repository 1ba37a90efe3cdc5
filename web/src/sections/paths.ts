// SPDX-License-Identifier: BSD-3-Clause
// Which map of each method to read, how its score changes with its sparsity, and with the size of the training sets.
import { learningChart } from "../chart/learning";
import { pathChart } from "../chart/path";
import * as format from "../format";
import type { Method, Study } from "../study";
import { table, type Column } from "../table";
import { section, type Section } from "./section";

/** The setting that was chosen and the sparser one beside it, a row for each method. */
function readableTable(study: Study, methods: Method[]): HTMLElement {
  const unit = format.isPercent(study.score) ? " (%)" : "";
  const number = (title: string, value: (method: Method) => number | null, show: (value: number) => string) =>
    ({
      title,
      numeric: true,
      value,
      show: (method: Method) => {
        const found = value(method);
        return found === null ? format.nothing : show(found);
      },
    }) satisfies Column<Method>;
  const columns: Column<Method>[] = [
    { title: "Method", value: ({ name }) => name },
    { title: "Readable setting", value: ({ readable }) => format.setting(readable!.setting) },
    number(
      `Inner score${unit}`,
      ({ readable }) => readable!.inner_score,
      (value) => format.score(study.score, value),
    ),
    number(
      `Best${unit}`,
      ({ readable }) => readable!.best_score,
      (value) => format.score(study.score, value),
    ),
    number(
      `Standard error${unit}`,
      ({ readable }) => readable!.standard_error,
      (value) => format.score(study.score, value),
    ),
    number(
      "Zero in the mask (%)",
      ({ readable }) => readable!.sparsity_in_mask,
      (value) => format.score("sparsity", value),
    ),
    number("Tubal rank", ({ readable }) => readable!.tubal_rank, format.integer),
    number(
      "Relative gap",
      ({ readable }) => readable!.relative_gap,
      (value) => format.general(value, 2),
    ),
    { title: "Map", value: ({ readable }) => (readable!.chosen ? "the chosen one" : "a map of its own") },
  ];
  return table({ name: "readable_maps", caption: "Readable maps", columns, rows: methods }).element;
}

/** Null where no method has a path and no learning curve was asked for. */
export function pathsSection(study: Study): Section | null {
  const chart = pathChart(study);
  const learning = learningChart(study);
  const methods = study.methods.filter(({ readable }) => readable !== null);
  if (!chart && !learning && methods.length === 0) return null;
  return section(
    "paths",
    "Sparser maps",
    methods.length > 0 ? "Sparser maps and fewer samples" : "Fewer samples",
    study.sentences.readable || null,
    methods.length > 0 ? readableTable(study, methods) : null,
    chart?.element ?? null,
    learning?.element ?? null,
  );
}
