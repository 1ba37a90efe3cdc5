// SPDX-License-Identifier: BSD-3-Clause
// The first screen: did it work, how well, where, and can it be trusted. Every word of it is the program's.
import { absent, h, type Child } from "../dom";
import { picture } from "../picture";
import type { Picture, Study, TrustCheck } from "../study";
import { tiles } from "./tiles";

const said = { yes: "Yes", unclear: "Cannot be told", no: "No" } as const;
const marks = { yes: "✓", no: "✗", "not known": "?" } as const;

function answer(title: string, name: string, ...content: Child[]): HTMLElement {
  return h("div", { class: `answer ${name}` }, h("h3", {}, title), ...content);
}

function worked(study: Study): HTMLElement {
  const { worked: how, sentence } = study.answers;
  return answer(
    "Did it work?",
    "worked",
    h(
      "p",
      { class: "sentence" },
      h("strong", { class: `said ${how}`, "data-worked": how }, said[how] ?? said.unclear),
      " ",
      sentence,
    ),
  );
}

function pictures(all: Picture[], kinds: string[]): HTMLElement | null {
  const found = all.filter(({ kind }) => kinds.includes(kind)).map(picture);
  return found.some(Boolean) ? h("div", { class: "strip" }, ...found) : null;
}

function where(study: Study): HTMLElement {
  const { pictures: all, words } = study.where;
  const rows = [pictures(all, ["glass", "bar"]), pictures(all, ["slice"])];
  return answer(
    "Where?",
    "where",
    rows.some(Boolean)
      ? h("figure", { class: "brain-picture" }, h("div", { class: "plate" }, ...rows), h("figcaption", {}, words))
      : absent("There is no map with weights to show."),
  );
}

function check({ name, answer: how, sentence, section, warning }: TrustCheck): HTMLElement {
  const known = how in marks ? how : "not known";
  return h(
    "li",
    { class: `check ${known.replace(" ", "-")}`, "data-answer": known },
    h("span", { class: "mark", "aria-hidden": "true" }, marks[known]),
    h(
      "div",
      {},
      h("a", { href: warning === null ? `#${section}` : `#warning-${warning + 1}` }, name),
      h("span", { class: "unseen" }, `: ${known}. `),
      h("span", { class: "note" }, sentence),
    ),
  );
}

function trust(study: Study): HTMLElement {
  const count = study.warnings.length;
  return answer(
    "Can I trust it?",
    "trust",
    study.trust.length
      ? h("ul", { class: "checks" }, ...study.trust.map(check))
      : absent("Nothing is known of how the study was made."),
    count
      ? h(
          "p",
          { class: "callout" },
          h("span", { class: "badge", "aria-hidden": "true" }, "!"),
          h(
            "span",
            {},
            `${count === 1 ? "One thing" : `${count} things`} to know before relying on this: `,
            h("a", { href: "#warnings" }, "read the warnings"),
            ".",
          ),
        )
      : null,
  );
}

export const firstScreen = (study: Study): HTMLElement =>
  h(
    "div",
    { class: "first" },
    h("div", { class: "left" }, worked(study), answer("How well?", "well", tiles(study)), where(study)),
    trust(study),
  );
