// SPDX-License-Identifier: BSD-3-Clause
// A map in a pane, and where it is cut: at one of the thresholds that the program counted.
import * as format from "../format";
import type { Volume } from "../study";
import type { Layer } from "./layer";
import { Pane } from "./pane";
import { load } from "./volumes";

export const isSigned = ({ kind }: Volume): boolean => kind !== "stability";

export function nameOf(volume: Volume): string {
  if (volume.label) return volume.label;
  if (volume.kind === "stability") return "Stability over folds";
  if (volume.kind === "fold") return `Fold ${volume.fold}`;
  if (volume.kind === "readable") return "Readable map";
  if (volume.kind === "pattern") return "Forward pattern";
  return volume.kind === "truth" ? "What was planted" : "Coefficients";
}

/** Written out in full: who counts the voxels of the file at this number finds as many. */
export function cutWords(volume: Volume, position: number): string {
  const symbol = volume.kind === "map" || volume.kind === "readable" ? "|w|" : volume.kind === "stability" ? "agreement" : "|value|";
  const threshold = volume.thresholds[position] ?? 0;
  const count = (at: number) => format.integer(volume.voxels[at] ?? 0);
  const condition = threshold > 0 ? `${symbol} ≥ ${format.general(threshold, 9)}` : `${symbol} > 0`;
  return `${condition}: ${count(position)} of ${count(0)} voxels`;
}

/** The threshold that keeps about as many voxels. */
export function positionFor(volume: Volume, count: number): number {
  const off = (voxels: number) => Math.abs(Math.log((voxels + 0.5) / (count + 0.5)));
  let best = 0;
  volume.voxels.forEach((voxels, at) => {
    if (off(voxels) < off(volume.voxels[best]!)) best = at;
  });
  return best;
}

export interface Shown {
  volume: Volume;
  layer: Layer;
  /** Of its thresholds. */
  position: number;
}

export class Side {
  pane = new Pane();
  shown: Shown | null = null;

  /** Its threshold, and how many voxels pass it. */
  get threshold(): number {
    return this.shown?.volume.thresholds[this.shown.position] ?? 0;
  }
  get count(): number {
    return this.shown?.volume.voxels[this.shown.position] ?? 0;
  }
  get words(): string {
    return this.shown ? cutWords(this.shown.volume, this.shown.position) : "";
  }

  show(volume: Volume, position = volume.opens): Promise<void> {
    const layer = { image: load(volume), signed: isSigned(volume), limit: volume.limit };
    this.shown = { volume, layer, position };
    this.say();
    return this.pane.setLayer(layer, this.threshold);
  }

  cut(position: number): void {
    if (!this.shown) return;
    this.shown.position = position;
    this.say();
    this.pane.setThreshold(this.threshold);
  }

  private say(): void {
    this.pane.title = nameOf(this.shown!.volume);
    this.pane.sentence = this.words;
  }
}
