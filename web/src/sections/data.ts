// SPDX-License-Identifier: BSD-3-Clause
// Section 8: what went in.
import { classCounts } from "../classes";
import { absent, h, type Child } from "../dom";
import { figure } from "../chart/figure";
import { bars } from "../chart/scatter";
import * as format from "../format";
import type { Study } from "../study";
import { table } from "../table";
import { section, type Section } from "./section";

export function facts(entries: { name: string; value: string }[]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    ...entries.map(({ name, value }) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
  );
}

function counts(study: Study): { name: string; value: string }[] {
  const { samples, positive, groups, group_column, folds } = study.counts;
  const result = [{ name: "Samples", value: format.integer(samples) }];
  if (positive !== null && study.target.positive !== null) {
    result.push({ name: study.target.positive, value: format.integer(positive) });
    result.push({ name: study.target.negative ?? "other", value: format.integer(samples - positive) });
  }
  for (const { name, count } of classCounts(study)) result.push({ name, value: format.integer(count) });
  if (groups !== null)
    result.push({ name: `Groups${group_column ? ` (${group_column})` : ""}`, value: format.integer(groups) });
  if (folds !== null) result.push({ name: "Outer folds", value: format.integer(folds) });
  result.push({ name: "Target", value: study.target.column });
  return result;
}

export function dataSection(study: Study): Section {
  const { data } = study;
  const columns = [...new Set(data.table.map(({ column }) => column))];
  const charts: Child[] = columns.map((column) => {
    const all = data.table
      .filter((entry) => entry.column === column)
      .map(({ value, count }) => ({ label: value, count }));
    const shown = all.slice(0, 24);
    return figure({
      name: `counts_${column}`,
      title: `Samples by ${column}`,
      caption:
        all.length > shown.length ? `The first ${shown.length} of ${all.length} values; the TSV has all.` : undefined,
      draw: (width) => bars(shown, width, "samples"),
      rows: () => [[column, "samples"], ...all.map(({ label, count }) => [label, count])],
    }).element;
  });
  const excluded = data.excluded.length
    ? table({
        name: "excluded",
        caption: "Left out",
        columns: [
          { title: "Sample", value: ({ sample }: { sample: string; reason: string }) => sample },
          { title: "Reason", value: ({ reason }) => reason },
        ],
        rows: data.excluded,
        pageSize: 15,
      }).element
    : h("p", { class: "quiet" }, "No sample was left out.");
  const warnings = data.warnings.length
    ? h(
        "div",
        { class: "card" },
        h("div", { class: "card-head" }, h("h3", {}, "Remarks on the volumes")),
        h("ul", { class: "plain" }, ...data.warnings.map((line) => h("li", {}, line))),
      )
    : h("p", { class: "quiet" }, "Nothing about the volumes stands out.");
  return section(
    "data",
    "Data",
    "The data",
    null,
    h("div", { class: "card" }, facts([...counts(study), ...data.facts])),
    charts.length ? h("div", { class: "grid" }, ...charts) : absent("The table of samples has no further columns."),
    excluded,
    warnings,
  );
}
