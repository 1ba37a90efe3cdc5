// SPDX-License-Identifier: BSD-3-Clause
// The viewer and its controls: which map, which view, which threshold, where the crosshair is, and a second brain.
import { clustersOfVolume } from "../classes";
import { absent, button, h, replace, select, type Choice } from "../dom";
import { download, downloadCanvas, fileName } from "../download";
import { firstVolume } from "../ranking";
import { methodSelect, Signal, type State } from "../state";
import type { Study, Volume } from "../study";
import { colourBar } from "./colour-bar";
import { bindKeys } from "./keys";
import { transform, type Vector } from "./nifti";
import type { View } from "./pane";
import { readout } from "./readout";
import { firstRival, Second } from "./second";
import { isSigned, nameOf, Side } from "./side";
import { rowHeight, seen, type Look } from "./tiles";
import { anatomy, fileBytes, fileNameOf, load, silhouette } from "./volumes";

const viewNames: { [key in View]: string } = { both: "Slices and 3-D", slices: "Slices", render: "3-D" };
const noRender = "WebGL2 does not work in this browser: there are slices, and no 3-D render.";
const rounded =
  "This page has no room for every digit of this map: its values are rounded by less than 0.8 %. The numbers of voxels " +
  "are those of the map itself, which is in the folder of results.";

export class BrainPanel {
  element = h("div", { class: "card brain" });
  private first = new Side();
  private second: Second | null = null;
  private stages = h("div", { class: "stages" }, h("div", { class: "pane" }, this.first.pane.stage));
  private paper = h("div", { class: "on-paper" });
  private slider = h("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    step: 1,
    id: "threshold",
    "aria-label": "Threshold",
  });
  private words = h("output", { for: "threshold", id: "threshold-value" });
  private readout = h("dl", { class: "readout", id: "crosshair", "aria-live": "polite" });
  private bar = h("div", { class: "bar" });
  private note = h("p", { class: "quiet", id: "brain-note" });
  private maps = select("Map", [], "", (id) => void this.show(this.layers.find((volume) => volume.id === id)!));
  private views = select("View", [], "", (view) => this.sides().forEach(({ pane }) => pane.setView(view as View)));
  private pair = button("Second brain", () => void this.togglePair(), {
    id: "pair",
    "aria-pressed": "false",
    title: "Show another map beside this one",
  });
  private layers: Volume[];
  private look: Look | null = null;
  private remark = "";
  private withRender = true;
  /** The class of the last map shown; null where there are not more than two. */
  shownClass: Signal<string | null>;

  constructor(
    private study: Study,
    private state: State,
  ) {
    this.layers = study.volumes.filter(({ kind }) => kind !== "background");
    this.shownClass = new Signal(state.ofClass.value);
    this.slider.addEventListener("input", () => this.cut(Number(this.slider.value)));
    const withMaps = (name: string) => this.layers.some(({ method }) => method === name);
    this.pair.hidden = this.layers.length < 2;
    this.element.append(
      this.stages,
      this.paper,
      h(
        "div",
        { class: "panel" },
        methodSelect(study, state, ({ name }) => withMaps(name), state.mapOf) ?? "",
        this.maps.element,
        this.views.element,
        h(
          "div",
          { class: "threshold" },
          h("label", { class: "field" }, h("span", {}, "Threshold"), this.slider),
          this.words,
          this.bar,
        ),
        this.readout,
        this.note,
        h(
          "div",
          { class: "tools" },
          this.pair,
          button("Picture (PNG)", () => this.savePicture(), {
            title: "Save what is shown, with its scale and colours",
          }),
          button("Map (NIfTI)", () => this.saveMap(), { title: "Save this map as a file" }),
        ),
      ),
    );
    this.fillMaps(firstVolume(study)?.id);
    this.connect(this.first);
    state.mapOf.onChange(() => this.follow());
    state.ofClass.onChange((name) => this.followClass(name));
    state.goTo.onChange((place) => {
      if (!place) return;
      this.moveTo(place);
      this.element.scrollIntoView({
        block: "nearest",
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
    });
    addEventListener("beforeprint", () => this.print());
    matchMedia("print").addEventListener("change", ({ matches }) => matches && this.print());
  }

  private sides = (): Side[] => (this.second ? [this.first, this.second.side] : [this.first]);

  /** The other brain goes along, wherever one is moved, zoomed or turned. */
  private connect({ pane }: Side): void {
    pane.onMove = (place) => this.moveTo(place);
    pane.onZoom = (factor) => this.zoom(factor);
    pane.onTurn = (turn) => this.sides().forEach((side) => side.pane !== pane && side.pane.setTurn(turn));
    bindKeys(pane.stage, {
      step: () => pane.frame?.step ?? [1, 1, 1],
      moveBy: (way) => this.look && this.moveTo(this.look.place.map((at, axis) => at + way[axis]!) as Vector),
      zoom: (factor) => this.zoom(factor),
    });
  }

  /** Maps of the method in focus, then those that belong to none. */
  private choices(): Volume[] {
    const own = this.layers.filter(({ method }) => method === this.state.mapOf.value);
    return [...own, ...this.layers.filter(({ method }) => method === null)];
  }

  private fillMaps(chosen?: string): void {
    const entries: Choice[] = this.choices().map((volume) => ({ value: volume.id, label: nameOf(volume) }));
    replace(this.maps.control, ...entries.map(({ value, label }) => h("option", { value }, label)));
    if (chosen) this.maps.control.value = chosen;
  }

  private follow(): void {
    const before = this.first.shown?.volume;
    const choices = this.choices();
    const same = choices.find(
      (volume) =>
        volume.kind === before?.kind &&
        volume.fold === before?.fold &&
        volume.class === before?.class &&
        (volume.method !== null || volume.kind === "truth"),
    );
    const next = same ?? choices[0];
    this.fillMaps(next?.id);
    if (!next) this.note.textContent = `There is no map of ${this.state.mapOf.value}.`;
    else if (this.look) void this.show(next);
  }

  private followClass(name: string | null): void {
    if (this.first.shown?.volume.class === name) return;
    const wanted = this.choices().find((volume) => volume.class === name && volume.kind === "map");
    if (!wanted) {
      this.note.textContent = `The map of ${this.state.mapOf.value}: ${name} is not in this file.`;
      return;
    }
    this.maps.control.value = wanted.id;
    if (this.look) void this.show(wanted);
  }

  /** Draws the slices, at once. */
  private prepare(): void {
    const chosen = this.layers.find(({ id }) => id === this.maps.control.value);
    const first = chosen ?? this.choices()[0] ?? this.layers[0];
    if (this.look || !first) return;
    const backdrop = this.study.volumes.find(({ kind }) => kind === "background");
    const behind = load(backdrop ?? first);
    this.first.pane.setBackground(backdrop ? anatomy(behind) : silhouette(behind), first.in_world);
    const place = this.state.goTo.value ?? this.firstPlace(first);
    this.look = { place, centre: place, zoom: 1 };
    this.fillMaps(first.id);
    void this.show(first);
    this.moveTo(place);
    this.stages.dataset["drawn"] = "yes";
  }

  async start(): Promise<void> {
    const { stage } = this.first.pane;
    try {
      this.prepare();
      // The slices first: to compile what the render needs takes a while without a graphics card.
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      this.withRender = await this.first.pane.startRender();
      if (!this.withRender) this.note.textContent = this.remark = noRender;
      const views: View[] = this.withRender ? ["both", "slices", "render"] : ["slices"];
      replace(this.views.control, ...views.map((view) => h("option", { value: view }, viewNames[view])));
      this.views.element.hidden = views.length < 2;
      stage.dataset["ready"] = "yes";
    } catch (error) {
      replace(stage, absent(`The maps cannot be shown: ${error instanceof Error ? error.message : String(error)}`));
    }
  }

  /** The heaviest cluster of the method in focus, or the strongest voxel. */
  private firstPlace(volume: Volume): Vector {
    const method = this.study.methods.find(({ name }) => name === volume.method);
    const cluster = method && clustersOfVolume(method, volume)[0];
    if (cluster) return cluster.peak;
    const image = load(volume);
    let strongest = 0;
    for (let i = 1; i < image.values.length; ++i)
      if (Math.abs(image.values[i]!) > Math.abs(image.values[strongest]!)) strongest = i;
    const [ni, nj] = image.shape;
    return transform(image.affine, [
      strongest % ni,
      Math.floor(strongest / ni) % nj,
      Math.floor(strongest / (ni * nj)),
    ]);
  }

  private async show(volume: Volume): Promise<void> {
    const done = this.first.show(volume);
    this.note.textContent = [this.remark, volume.exact ? "" : rounded].filter(Boolean).join(" ");
    if (volume.class) {
      this.shownClass.set(volume.class);
      if (volume.class !== this.state.ofClass.value) this.state.ofClass.set(volume.class);
    }
    this.slider.max = String(Math.max(0, volume.thresholds.length - 1));
    this.slider.value = String(volume.opens);
    replace(this.bar, colourBar(isSigned(volume), volume.limit));
    this.say();
    await done;
  }

  private cut(position: number): void {
    this.first.cut(position);
    this.say();
  }

  private say(): void {
    this.words.textContent = this.first.words;
    this.slider.setAttribute("aria-valuetext", this.first.words);
    this.second?.follow();
    this.report();
  }

  private async togglePair(): Promise<void> {
    const first = this.first.shown?.volume;
    const rival = first && firstRival(this.layers, first);
    if (this.second) {
      this.second.element.remove();
      this.second = null;
    } else if (rival) {
      const second = (this.second = new Second(this.study, this.layers, this.first, rival, () => this.report()));
      const { pane } = second.side;
      const backdrop = this.study.volumes.find(({ kind }) => kind === "background");
      const behind = load(backdrop ?? first);
      pane.setBackground(backdrop ? anatomy(behind) : silhouette(behind), first.in_world);
      this.connect(second.side);
      this.stages.append(second.element);
      pane.setLook(this.look!);
      pane.setView(this.views.control.value as View);
      await second.choose();
      if (this.withRender) await pane.startRender();
      const turn = this.first.pane.turn;
      if (turn) pane.setTurn(turn);
      pane.stage.dataset["ready"] = "yes";
    }
    this.pair.setAttribute("aria-pressed", String(this.second !== null));
    this.stages.classList.toggle("two", this.second !== null);
  }

  private moveTo(place: Vector): void {
    const { frame } = this.first.pane;
    if (!this.look || !frame) return;
    const inside = place.map((at, axis) => Math.min(frame.high[axis]!, Math.max(frame.low[axis]!, at))) as Vector;
    const { low, high } = seen(frame, this.look);
    const visible = inside.every((at, axis) => at >= low[axis]! && at <= high[axis]!);
    this.setLook({ ...this.look, place: inside, centre: visible ? this.look.centre : inside });
  }

  /** Towards the crosshair, which stays where it is on the screen; a factor of 0 shows everything again. */
  private zoom(factor: number): void {
    if (!this.look) return;
    const { place, centre, zoom } = this.look;
    const next = factor === 0 ? 1 : Math.min(16, Math.max(1, zoom * factor));
    const nearer = place.map((at, axis) => at + ((centre[axis]! - at) * zoom) / next) as Vector;
    this.setLook({ place, centre: nearer, zoom: next });
    for (const { pane } of this.sides()) if (pane.turn) pane.setTurn({ ...pane.turn, scale: next });
  }

  private setLook(look: Look): void {
    this.look = look;
    for (const { pane } of this.sides()) pane.setLook(look);
    this.report();
  }

  private report(): void {
    if (this.look && this.first.shown) replace(this.readout, ...readout(this.sides(), this.look.place));
  }

  /** Onto paper goes what is looked at, or what a reader who had come here would see. */
  private print(): void {
    try {
      this.prepare();
    } catch {
      return;
    }
    const { frame } = this.first.pane;
    if (!frame) return;
    const width = 1000;
    const pictures = this.sides().map(({ pane }) => pane.picture(width, rowHeight(frame, width, this.withRender), 2));
    replace(this.paper, ...pictures);
  }

  private savePicture(): void {
    const { volume } = this.first.shown ?? {};
    const picture = this.first.pane.picture(900, 720, 2);
    if (!volume || !picture) return;
    const name = fileNameOf(volume).replace(".nii.gz", "");
    if (!this.second) return void downloadCanvas(`brain_${name}`, picture);
    const both = h("canvas", { width: 2 * picture.width, height: picture.height });
    const context = both.getContext("2d")!;
    context.drawImage(picture, 0, 0);
    context.drawImage(this.second.side.pane.picture(900, 720, 2)!, picture.width, 0);
    const other = fileNameOf(this.second.side.shown!.volume).replace(".nii.gz", "");
    void downloadCanvas(fileName(`brain_${name}_and_${other}`), both);
  }

  private saveMap(): void {
    const volume = this.first.shown?.volume;
    const bytes = volume && fileBytes(volume);
    if (bytes) download(fileNameOf(volume), bytes, "application/gzip");
  }
}
