// SPDX-License-Identifier: BSD-3-Clause
// What a viewer of volumes can do, whichever way it draws.
import type { Image, Vector } from "./nifti";

export interface Layer {
  image: Image;
  /** Signed maps are blue and orange; shares from 0 to 1 are cividis. */
  signed: boolean;
  limit: number;
}

export type View = "slices" | "both" | "render";

export interface Viewer {
  canvas: HTMLCanvasElement;
  /** Views it offers. */
  views: View[];
  /** Grey levels from 0 to 255 below everything; called once, first. */
  setBackground(image: Image): Promise<void>;
  setLayer(layer: Layer, threshold: number): Promise<void>;
  setThreshold(threshold: number): void;
  setView(view: View): void;
  moveTo(place: Vector): void;
  /** Called with millimetres when the crosshair has moved, by whatever. */
  onMove: (place: Vector) => void;
  /** Makes the canvas hold the picture now. */
  draw(): void;
}
