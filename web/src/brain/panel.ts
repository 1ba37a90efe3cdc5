// SPDX-License-Identifier: BSD-3-Clause
// The viewer and its controls: which map, which view, which threshold, where the crosshair is.
import { clustersOf } from "../classes";
import { absent, button, h, replace, select, type Choice } from "../dom";
import { download, downloadCanvas } from "../download";
import * as format from "../format";
import { methodSelect, Signal, type State } from "../state";
import type { Study, Volume } from "../study";
import { CanvasViewer } from "./canvas-viewer";
import { colourBar } from "./colour-bar";
import { NiivueViewer } from "./niivue-viewer";
import { transform, valueAt, type Image, type Vector } from "./nifti";
import { anatomy, compressedBytes, countAtLeast, load, silhouette, sizes } from "./volumes";
import type { View, Viewer } from "./viewer";

const viewNames: { [key in View]: string } = { both: "Slices and 3-D", slices: "Slices", render: "3-D" };

function layerName(volume: Volume): string {
  if (volume.label) return volume.label;
  if (volume.kind === "stability") return "Stability over folds";
  if (volume.kind === "fold") return `Fold ${volume.fold}`;
  if (volume.kind === "readable") return "Readable map";
  if (volume.kind === "pattern") return "Forward pattern";
  return volume.kind === "truth" ? "Truth" : "Coefficients";
}

/** Dense maps start with their strongest voxels: at most a twentieth of the volume is coloured. */
function firstThreshold(ordered: Float32Array, image: Image): number {
  const room = Math.floor(image.values.length / 20);
  return ordered.length > room ? ordered[ordered.length - 1 - room]! : 0;
}

export class BrainPanel {
  element = h("div", { class: "card brain" });
  private stage = h("div", { class: "stage" });
  private slider = h("input", {
    type: "range",
    min: 0,
    max: 1000,
    value: 0,
    step: 1,
    id: "threshold",
    "aria-label": "Threshold",
  });
  private shown = h("output", { for: "threshold", id: "threshold-value" });
  private readout = h("dl", { class: "readout", id: "crosshair", "aria-live": "polite" });
  private bar = h("div", { class: "bar" });
  private note = h("p", { class: "quiet", id: "brain-note" });
  private maps = select("Map", [], "", (id) => void this.show(this.layers.find((volume) => volume.id === id)!));
  private views = select("View", [], "", (view) => this.viewer?.setView(view as View));
  private layers: Volume[];
  private viewer: Viewer | null = null;
  private current: { volume: Volume; image: Image; ordered: Float32Array } | null = null;
  private background: Image | null = null;
  private place: Vector | null = null;
  private turn = 0;
  private remark = "";
  /** The class of the last map shown; null where there are not more than two. */
  shownClass: Signal<string | null>;

  constructor(
    private study: Study,
    private state: State,
  ) {
    this.layers = study.volumes.filter(({ kind }) => kind !== "background");
    this.shownClass = new Signal(state.ofClass.value);
    this.slider.addEventListener("input", () => this.applyThreshold());
    const withMaps = (name: string) => this.layers.some(({ method }) => method === name);
    this.element.append(
      this.stage,
      h(
        "div",
        { class: "panel" },
        methodSelect(study, state, ({ name }) => withMaps(name)) ?? "",
        this.maps.element,
        this.views.element,
        h(
          "div",
          { class: "threshold" },
          h("label", { class: "field" }, h("span", {}, "Threshold"), this.slider),
          this.shown,
          this.bar,
        ),
        this.readout,
        this.note,
        h(
          "div",
          { class: "tools" },
          button("Picture (PNG)", () => this.savePicture(), { title: "Save what is shown" }),
          button("Map (NIfTI)", () => this.saveMap(), { title: "Save this map, rounded as in this page" }),
        ),
      ),
    );
    this.fillMaps();
    state.focus.onChange(() => this.follow());
    state.ofClass.onChange((name) => {
      if (this.current?.volume.class === name) return;
      const wanted = this.choices().find((volume) => volume.class === name && volume.kind === "map");
      if (!wanted) {
        this.note.textContent = `The map of ${state.focus.value}: ${name} is not in this file.`;
        return;
      }
      this.maps.control.value = wanted.id;
      void this.show(wanted);
    });
    state.goTo.onChange((place) => {
      if (!place) return;
      this.place = place;
      this.viewer?.moveTo(place);
      this.element.scrollIntoView({
        block: "nearest",
        behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth",
      });
    });
  }

  /** Maps of the method in focus, then those that belong to none. */
  private choices(): Volume[] {
    const own = this.layers.filter(({ method }) => method === this.state.focus.value);
    return [...own, ...this.layers.filter(({ method }) => method === null)];
  }

  private fillMaps(chosen?: string): void {
    const entries: Choice[] = this.choices().map((volume) => ({ value: volume.id, label: layerName(volume) }));
    replace(this.maps.control, ...entries.map(({ value, label }) => h("option", { value }, label)));
    if (chosen) this.maps.control.value = chosen;
  }

  private follow(): void {
    const before = this.current?.volume;
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
    if (next) void this.show(next);
    else this.note.textContent = `There is no map of ${this.state.focus.value}.`;
  }

  async start(): Promise<void> {
    const first = this.choices()[0] ?? this.layers[0];
    if (!first) return;
    const backdrop = this.study.volumes.find(({ kind }) => kind === "background");
    try {
      const behind = await load(backdrop ?? first);
      this.background = backdrop ? anatomy(behind) : silhouette(behind);
      this.viewer = await this.makeViewer();
      this.viewer.onMove = (place) => this.report(place);
      this.viewer.canvas.setAttribute(
        "aria-label",
        "Slices of the brain. Arrow keys, Page Up and Page Down move the crosshair.",
      );
      this.viewer.canvas.setAttribute("role", "img");
      this.bindKeys();
      await this.viewer.setBackground(this.background);
      replace(this.views.control, ...this.viewer.views.map((view) => h("option", { value: view }, viewNames[view])));
      this.views.element.hidden = this.viewer.views.length < 2;
      await this.show(first);
      this.fillMaps(first.id);
      this.viewer.moveTo(this.place ?? this.firstPlace());
      this.stage.dataset["ready"] = "yes";
    } catch (error) {
      replace(
        this.stage,
        absent(`The maps cannot be shown: ${error instanceof Error ? error.message : String(error)}`),
      );
    }
  }

  private async makeViewer(): Promise<Viewer> {
    try {
      return await NiivueViewer.attach(this.stage);
    } catch {
      this.stage.replaceChildren();
    }
    this.note.textContent = this.remark =
      "WebGL2 does not work in this browser: slices are drawn without it, and there is no 3-D render.";
    return new CanvasViewer(this.stage);
  }

  /** The heaviest cluster of the method in focus, or the strongest voxel. */
  private firstPlace(): Vector {
    const method = this.study.methods.find(({ name }) => name === this.state.focus.value);
    const cluster = method && clustersOf(method, this.state.ofClass.value).clusters[0];
    if (cluster) return cluster.peak;
    const { image } = this.current!;
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
    const turn = ++this.turn;
    const image = await load(volume);
    // A later choice may have overtaken this one while it was unpacked.
    if (turn !== this.turn || !this.viewer) return;
    const ordered = sizes(image);
    this.current = { volume, image, ordered };
    if (volume.class) {
      this.note.textContent = this.remark;
      this.shownClass.set(volume.class);
      if (volume.class !== this.state.ofClass.value) this.state.ofClass.set(volume.class);
    }
    const threshold = firstThreshold(ordered, image);
    this.slider.value = String(Math.min(1000, Math.ceil((1000 * threshold) / (volume.limit || 1))));
    await this.viewer.setLayer({ image, signed: volume.kind !== "stability", limit: volume.limit }, this.threshold());
    replace(this.bar, colourBar(volume.kind !== "stability", volume.limit));
    this.describeThreshold();
    if (this.place) this.report(this.place);
  }

  private threshold(): number {
    return (Number(this.slider.value) / 1000) * (this.current?.volume.limit || 1);
  }

  private applyThreshold(): void {
    this.viewer?.setThreshold(this.threshold());
    this.describeThreshold();
  }

  private describeThreshold(): void {
    if (!this.current) return;
    const { ordered, volume } = this.current;
    const symbol = volume.kind === "stability" ? "share" : "|w|";
    this.shown.textContent = `${symbol} ≥ ${format.general(this.threshold(), 2)}: ${format.integer(countAtLeast(ordered, this.threshold()))} of ${format.integer(ordered.length)} voxels`;
  }

  private report(place: Vector): void {
    this.place = place;
    if (!this.current) return;
    const { image, volume } = this.current;
    const voxel = transform(image.inverse, place).map(Math.round);
    const value = valueAt(image, place);
    const entries = [
      ...(volume.in_world
        ? [{ name: "mm", value: place.map((at) => at.toFixed(1).replace("-", "−")).join(", "), id: "crosshair-mm" }]
        : []),
      { name: "voxel", value: voxel.join(", "), id: "crosshair-voxel" },
      {
        name: volume.kind === "stability" ? "agreement of folds on the sign" : "value",
        value: Number.isFinite(value) ? format.general(value) : "outside",
        id: "crosshair-value",
      },
    ];
    replace(
      this.readout,
      ...entries.map((entry) => h("div", {}, h("dt", {}, entry.name), h("dd", { id: entry.id }, entry.value))),
    );
  }

  private bindKeys(): void {
    const moves: { [key: string]: Vector } = {
      ArrowLeft: [-1, 0, 0],
      ArrowRight: [1, 0, 0],
      ArrowUp: [0, 1, 0],
      ArrowDown: [0, -1, 0],
      PageUp: [0, 0, 1],
      PageDown: [0, 0, -1],
    };
    // Captured above the canvas, so that a viewer's own keys, wheel and double click do not compete with the page's.
    this.stage.addEventListener(
      "keydown",
      (event) => {
        const move = moves[event.key];
        if (event.key !== "Tab") event.stopPropagation();
        if (!move || !this.place || !this.background) return;
        event.preventDefault();
        const step = Math.min(
          ...[0, 1, 2].map((column) => Math.hypot(...this.background!.affine.map((row) => row[column]!))),
        );
        this.viewer?.moveTo(this.place.map((value, axis) => value + move[axis]! * step) as Vector);
      },
      true,
    );
    this.stage.addEventListener("keyup", (event) => event.stopPropagation(), true);
    this.stage.addEventListener("dblclick", (event) => event.stopPropagation(), true);
    this.stage.addEventListener(
      "wheel",
      (event) => document.activeElement !== this.viewer?.canvas && event.stopPropagation(),
      true,
    );
  }

  private savePicture(): void {
    if (!this.viewer || !this.current) return;
    this.viewer.draw();
    void downloadCanvas(`brain_${this.current.volume.id}`, this.viewer.canvas);
  }

  private saveMap(): void {
    const bytes = this.current && compressedBytes(this.current.volume);
    if (bytes) download(`${this.current!.volume.id}.nii.gz`, bytes, "application/gzip");
  }
}
