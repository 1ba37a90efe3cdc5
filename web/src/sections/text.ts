// SPDX-License-Identifier: BSD-3-Clause
// Section 9: words for a paper, and what it takes to do it again.
import { absent, button, h } from "../dom";
import type { Study } from "../study";
import { facts } from "./data";
import { paperCards } from "./paper";
import { section, type Section } from "./section";

/** The clipboard is not there in every browser for a page from disk; a selection then is. */
async function copy(source: HTMLElement, done: HTMLButtonElement): Promise<void> {
  const label = done.textContent;
  let copied = false;
  try {
    await navigator.clipboard.writeText(source.textContent ?? "");
    copied = true;
  } catch {
    getSelection()?.selectAllChildren(source);
    copied = document.execCommand("copy");
  }
  done.textContent = copied ? "Copied" : "Selected: press Ctrl+C";
  setTimeout(() => (done.textContent = label), 2000);
}

export function copyable(title: string, source: HTMLElement, what: string): HTMLElement {
  const press: HTMLButtonElement = button(`Copy ${what}`, () => void copy(source, press));
  return h(
    "div",
    { class: "card" },
    h("div", { class: "card-head" }, h("h3", {}, title), h("div", { class: "tools" }, press)),
    source,
  );
}

export function textSection(study: Study): Section {
  const { methods, references, command } = study.text;
  const paragraphs = methods.split(/\n{2,}/).filter((part) => part.trim());
  const prose = h(
    "div",
    { class: "prose", id: "methods-text" },
    ...paragraphs.flatMap((part, i) => [i ? "\n\n" : "", h("p", {}, part)]),
  );
  return section(
    "methods",
    "Methods text",
    "Methods, to copy",
    "Written from what was run. Edit it as you like; the numbers are those of this study.",
    paragraphs.length ? copyable("Methods", prose, "text") : absent("No methods text was written."),
    references.length
      ? copyable(
          "References",
          h("ol", { class: "references" }, ...references.map((line, i) => h("li", {}, i ? "\n" : "", line))),
          "references",
        )
      : absent("No references were given."),
    ...paperCards(study),
    command
      ? copyable("The exact command", h("pre", { class: "command" }, command), "command")
      : absent("The command is not known."),
    study.provenance.length
      ? h(
          "div",
          { class: "card" },
          h("div", { class: "card-head" }, h("h3", {}, "Versions, seed and hashes")),
          facts(study.provenance),
        )
      : absent("Versions and hashes are not known."),
  );
}
