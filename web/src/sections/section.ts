// SPDX-License-Identifier: BSD-3-Clause
// The frame of a section: a heading, a sentence on how to read it, and its content.
import { h, type Child } from "../dom";

export interface Section {
  id: string;
  /** In the navigation. */
  short: string;
  element: HTMLElement;
  /** Beside its name in the navigation. */
  count?: number;
}

export function section(id: string, short: string, title: string, lead: Child, ...content: Child[]): Section {
  const heading = `${id}-heading`;
  return {
    id,
    short,
    element: h(
      "section",
      { id, "aria-labelledby": heading },
      h("h2", { id: heading }, title),
      lead ? h("p", { class: "lead" }, lead) : null,
      ...content,
    ),
  };
}
