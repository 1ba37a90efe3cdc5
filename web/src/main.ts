// SPDX-License-Identifier: BSD-3-Clause
// The page of a study: reads it, builds the sections in order, then starts the viewer.
import "./styles/colours.css";
import "./styles/layout.css";
import "./styles/components.css";
import "./styles/first-screen.css";
import "./styles/tables.css";
import "./styles/viewer.css";
import "./styles/print.css";
import licences from "virtual:licences";
import { targetWords } from "./classes";
import { h } from "./dom";
import { explainTerms, glossary } from "./glossary";
import { navigation, skipLink } from "./navigation";
import { readStudy } from "./read";
import { brainSection } from "./sections/brain";
import { clustersSection } from "./sections/clusters";
import { convergenceSection } from "./sections/convergence";
import { dataSection } from "./sections/data";
import { pathsSection } from "./sections/paths";
import { scoresSection } from "./sections/scores";
import { sensitivitySection } from "./sections/sensitivity";
import { tablesSection } from "./sections/tables";
import { textSection } from "./sections/text";
import { verdictSection } from "./sections/verdict";
import { warningsSection } from "./sections/warnings";
import { makeState } from "./state";
import type { Study } from "./study";

function header(study: Study): HTMLElement {
  const kind = study.kind === "fit" ? "One model, fitted to all samples" : "Cross-validated decoding";
  const missing = study.missing.length
    ? h(
        "div",
        { class: "missing", role: "note" },
        h("strong", {}, "This study is not finished."),
        h("ul", {}, ...study.missing.map((line) => h("li", {}, line))),
      )
    : null;
  return h(
    "header",
    {},
    h("p", { class: "kind" }, kind, study.folder && h("span", { class: "folder" }, study.folder)),
    h("h1", {}, study.title || "A study"),
    h("p", { class: "subtitle" }, targetWords(study)),
    missing,
  );
}

function footer(): HTMLElement {
  return h(
    "footer",
    {},
    h("p", {}, "Written by sturm. This file needs nothing from the network."),
    h(
      "details",
      { id: "licences" },
      h("summary", {}, "Licences of the software in this page"),
      ...licences.map(({ name, version, licence, text }) =>
        h("details", {}, h("summary", {}, `${name} ${version}, ${licence}`), h("pre", {}, text)),
      ),
    ),
  );
}

/** Words and charts open at once; volumes are unpacked, and shaders compiled, when a reader comes near them. */
function startWhenNear(element: HTMLElement, start: () => void): void {
  const observer = new IntersectionObserver(
    (entries) => {
      if (entries.some((entry) => entry.isIntersecting)) go();
    },
    { rootMargin: "700px 0px" },
  );
  const go = () => {
    observer.disconnect();
    start();
  };
  observer.observe(element);
}

function build(study: Study): void {
  document.title = `${study.title || "Study"} · sturm report`;
  const state = makeState(study);
  const brain = brainSection(study, state);
  const paths = pathsSection(study);
  const sections = [
    verdictSection(study, state),
    tablesSection(study),
    brain,
    clustersSection(study, state),
    ...(paths ? [paths] : []),
    sensitivitySection(study, state),
    convergenceSection(study, state),
    scoresSection(study, state),
    dataSection(study),
    textSection(study),
    warningsSection(study),
  ];
  const main = h(
    "main",
    { id: "main", tabindex: -1 },
    header(study),
    ...sections.map(({ element }) => element),
    glossary(),
  );
  document.body.append(skipLink(), navigation(sections), main, footer());
  explainTerms(sections.map(({ element }) => element));
  startWhenNear(brain.element, () => void brain.start());
}

const source = document.getElementById("study")?.textContent;
if (!source)
  document.body.append(
    h("main", {}, h("p", { class: "absent" }, "There is no study in this page yet: sturm report fills it in.")),
  );
else {
  try {
    build(readStudy(source));
  } catch (error) {
    document.body.append(
      h(
        "main",
        {},
        h(
          "p",
          { class: "absent" },
          `This report cannot be read: ${error instanceof Error ? error.message : String(error)}`,
        ),
      ),
    );
  }
}
