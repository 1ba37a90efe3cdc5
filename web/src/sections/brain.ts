// SPDX-License-Identifier: BSD-3-Clause
// Section 3: the maps over anatomy.
import { BrainPanel } from "../brain/panel";
import { isRegression, severalClasses } from "../classes";
import { absent, h } from "../dom";
import type { State } from "../state";
import type { Study } from "../study";
import { section, type Section } from "./section";

export function brainSection(study: Study, state: State): Section & { start: () => Promise<void> } {
  const title = "The brain";
  const leftOut = study.left_out.length
    ? h(
        "div",
        { class: "quiet" },
        h("p", {}, "Left out to keep this file small:"),
        h("ul", {}, ...study.left_out.map((line) => h("li", {}, line))),
      )
    : null;
  const hasMaps = study.volumes.some(({ kind }) => kind !== "background");
  if (!hasMaps) {
    const frame = section(
      "brain",
      "Brain",
      title,
      null,
      absent("No coefficient maps were written for this study, so there is no brain to show."),
      leftOut,
    );
    return { ...frame, start: async () => {} };
  }
  const brain = new BrainPanel(study, state);
  const high = h("span", { id: "weights-of" });
  const one = isRegression(study) ? `higher ${study.target.column}` : (study.target.positive ?? "the class");
  brain.shownClass.watch((name) => (high.textContent = name ?? one));
  const stable = study.volumes.some(({ kind }) => kind === "stability");
  const lead = h(
    "span",
    {},
    "Weights for ",
    high,
    " are orange, weights against it blue. Left is left. Click or drag to move the crosshair; after a click, the wheel scrolls through slices.",
    severalClasses(study) && " There is one map per class, each against the rest.",
    severalClasses(study) && stable && " Stability is of all classes together.",
  );
  const notes = [study.sentences.pattern, study.sentences.stability]
    .filter((sentence) => sentence !== "")
    .map((sentence) => h("p", { class: "quiet" }, sentence));
  const anatomy = study.anatomy ? h("p", { class: "quiet", id: "anatomy" }, study.anatomy) : null;
  const frame = section("brain", "Brain", title, lead, brain.element, anatomy, ...notes, leftOut);
  return { ...frame, start: () => brain.start() };
}
