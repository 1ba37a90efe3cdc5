// SPDX-License-Identifier: BSD-3-Clause
// Section 10: what a careful reader should know.
import { h } from "../dom";
import type { Study } from "../study";
import { section, type Section } from "./section";

export function warningsSection(study: Study): Section {
  const content = study.warnings.length
    ? h(
        "ul",
        { class: "warnings" },
        ...study.warnings.map((line, i) =>
          h("li", { id: `warning-${i + 1}` }, h("span", { class: "badge", "aria-hidden": "true" }, "!"), h("span", {}, line)),
        ),
      )
    : h(
        "p",
        { class: "quiet" },
        "Nothing stands out: no small sample, confounded site, unconverged fit or strong imbalance was found.",
      );
  return { ...section("warnings", "Warnings", "Warnings", null, content), count: study.warnings.length };
}
