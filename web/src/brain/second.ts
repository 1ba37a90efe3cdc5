// SPDX-License-Identifier: BSD-3-Clause
// A second brain beside the first: any map against any other, cut alike.
import { h, replace } from "../dom";
import * as format from "../format";
import type { Method, Study, Volume } from "../study";
import { colourBar } from "./colour-bar";
import { shownInBoth } from "./layer";
import { isSigned, nameOf, positionFor, Side } from "./side";

/** Maps of other methods first, then what was planted, then the rest. */
export function firstRival(volumes: Volume[], first: Volume): Volume | undefined {
  const others = volumes.filter(({ id }) => id !== first.id);
  return (
    others.find(({ kind }) => kind === "truth") ??
    others.find(({ kind, method, class: name }) => kind === "map" && method !== first.method && name === first.class) ??
    others.find(({ kind }) => kind === "map") ??
    others[0]
  );
}

/** How a map agrees with what was planted, where one of the two is that. */
function agreement(study: Study, a: Volume, b: Volume): string {
  const [truth, map] = a.kind === "truth" ? [a, b] : [b, a];
  if (truth.kind !== "truth" || map.kind !== "map") return "";
  const method: Method | undefined = study.methods.find(({ name }) => name === map.method);
  if (!method?.truth) return "";
  const { dice, auc, planted } = method.truth;
  return (
    `${map.method} against what was planted in ${format.integer(planted)} voxels: Dice ${format.general(dice, 3)}, ` +
    `AUC ${format.general(auc, 3)}.`
  );
}

export class Second {
  side = new Side();
  element: HTMLElement;
  private select = h("select", { id: "second-map" });
  private words = h("output", { id: "second-value" });
  private bar = h("div", { class: "bar" });
  private compared = h("p", { class: "quiet", id: "second-compared" });

  constructor(
    private study: Study,
    private volumes: Volume[],
    private first: Side,
    chosen: Volume,
    onChoice: () => void,
  ) {
    const groups = new Map<string, Volume[]>();
    for (const volume of volumes) {
      const group = volume.method ?? "Of no method";
      groups.set(group, [...(groups.get(group) ?? []), volume]);
    }
    for (const [label, group] of groups)
      this.select.append(
        h("optgroup", { label }, ...group.map((volume) => h("option", { value: volume.id }, nameOf(volume)))),
      );
    this.select.value = chosen.id;
    this.select.addEventListener("change", () => void this.choose().then(onChoice));
    this.element = h(
      "div",
      { class: "pane second" },
      this.side.pane.stage,
      h("label", { class: "field" }, h("span", {}, "Map of the second brain"), this.select),
      h("div", { class: "threshold" }, this.words, this.bar),
      this.compared,
    );
  }

  async choose(): Promise<void> {
    const volume = this.volumes.find(({ id }) => id === this.select.value)!;
    const done = this.side.show(volume, positionFor(volume, this.first.count));
    replace(this.bar, colourBar(isSigned(volume), volume.limit));
    this.say();
    await done;
  }

  /** After the first was cut elsewhere, or shows another map. */
  follow(): void {
    const volume = this.side.shown?.volume;
    if (!volume) return;
    this.side.cut(positionFor(volume, this.first.count));
    this.say();
  }

  private say(): void {
    const [a, b] = [this.first.shown, this.side.shown];
    this.words.textContent = this.side.words;
    if (!a || !b) return;
    const both = shownInBoth(a.layer, this.first.threshold, b.layer, this.side.threshold);
    const sentences = [
      "The slider cuts both, so that they show as nearly the same number of voxels as their thresholds allow.",
      both === null ? "" : `${format.integer(both)} voxels are shown in both.`,
      agreement(this.study, a.volume, b.volume),
    ];
    this.compared.textContent = sentences.filter(Boolean).join(" ");
  }
}
