// SPDX-License-Identifier: BSD-3-Clause
// Slices and a 3-D render by NiiVue, from buffers in memory.
import { DRAG_MODE, Niivue, NVImage, SHOW_RENDER, SLICE_TYPE } from "@niivue/niivue";
import { palettes, type Rgb } from "../colours";
import { h } from "../dom";
import type { Image, Vector } from "./nifti";
import type { Layer, View, Viewer } from "./viewer";

/** Index 0 is a weight of zero, which is never shown. */
function colourMap(colours: Rgb[]) {
  const stops = [colours[0]!, ...colours];
  return {
    R: stops.map(([r]) => r),
    G: stops.map(([, g]) => g),
    B: stops.map(([, , b]) => b),
    A: stops.map((_, i) => (i === 0 ? 0 : 255)),
    I: stops.map((_, i) => (i === 0 ? 0 : 1 + Math.round((254 * (i - 1)) / (colours.length - 1)))),
  };
}

// Colours run from zero, so that a threshold hides voxels without recolouring the others.
const transparentBelowThreshold = 1;

export class NiivueViewer implements Viewer {
  views: View[] = ["both", "slices", "render"];
  onMove: (place: Vector) => void = () => {};
  private threshold = 0;
  private waiting = false;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private niivue: Niivue,
  ) {}

  static async attach(parent: HTMLElement): Promise<NiivueViewer> {
    const canvas = h("canvas", { tabindex: 0 });
    // Made here so that the picture can be printed and saved; NiiVue gets the same context.
    if (!canvas.getContext("webgl2", { alpha: true, antialias: true, preserveDrawingBuffer: true }))
      throw new Error("There is no WebGL2.");
    parent.append(canvas);
    const niivue = new Niivue({
      logLevel: "error",
      dragAndDropEnabled: false,
      loadingText: "",
      backColor: [0, 0, 0, 1],
      crosshairColor: [0.31, 0.86, 0.59, 0.75],
      crosshairWidth: 0.5,
      crosshairWidthUnit: "percent",
      fontColor: [0.67, 0.71, 0.75, 1],
      show3Dcrosshair: true,
      isSliceMM: true,
      isNearestInterpolation: true,
      multiplanarShowRender: SHOW_RENDER.ALWAYS,
      multiplanarPadPixels: 6,
      tileMargin: 0,
      sliceType: SLICE_TYPE.MULTIPLANAR,
      dragMode: DRAG_MODE.pan,
      clipPlaneHotKey: "",
      cycleClipPlaneHotKey: "",
      viewModeHotKey: "",
      isAntiAlias: true,
    });
    // There are no meshes, and compiling their shaders takes longest where there is no graphics card.
    niivue.meshShaders = [];
    await niivue.attachToCanvas(canvas);
    niivue.addColormap("positive", colourMap(palettes.positive));
    niivue.addColormap("negative", colourMap(palettes.negative));
    niivue.addColormap("share", colourMap(palettes.cividis));
    niivue.setScale(1.25);
    const viewer = new NiivueViewer(canvas, niivue);
    niivue.onLocationChange = (location) => {
      const { mm } = location as { mm: ArrayLike<number> };
      viewer.onMove([mm[0]!, mm[1]!, mm[2]!]);
    };
    return viewer;
  }

  async setBackground(image: Image): Promise<void> {
    const background = await makeImage(image, "background.nii");
    background.colormap = "gray";
    [background.cal_min, background.cal_max] = [0, 255];
    this.niivue.addVolume(background);
  }

  async setLayer(layer: Layer, threshold: number): Promise<void> {
    this.threshold = threshold;
    const next = await makeImage(layer.image, "map.nii");
    next.colormap = layer.signed ? "positive" : "share";
    next.colormapNegative = layer.signed ? "negative" : "";
    next.colormapType = transparentBelowThreshold;
    next.cal_max = layer.limit || 1;
    next.opacity = 1;
    this.niivue.volumes = [this.niivue.volumes[0]!, next];
    this.niivue.overlays = [next];
    this.refresh();
  }

  /** Uploads the map alone: the anatomy below it stays as it is. */
  private refresh(): void {
    const image = this.niivue.volumes[1];
    if (!image) return;
    this.applyThreshold(image);
    this.niivue.refreshLayers(image, 1);
    this.niivue.drawScene();
  }

  private applyThreshold(image: NVImage): void {
    // Zero is never a weight to show, whatever the threshold.
    image.cal_min = Math.max(this.threshold, (image.cal_max ?? 1) * 1e-6);
    image.cal_minNeg = -image.cal_min;
    image.cal_maxNeg = -(image.cal_max ?? 1);
  }

  setThreshold(threshold: number): void {
    this.threshold = threshold;
    if (this.waiting) return;
    this.waiting = true;
    // One picture a frame, however fast the slider moves.
    requestAnimationFrame(() => {
      this.waiting = false;
      this.refresh();
    });
  }

  setView(view: View): void {
    this.niivue.opts.multiplanarShowRender = view === "both" ? SHOW_RENDER.ALWAYS : SHOW_RENDER.NEVER;
    this.niivue.setSliceType(view === "render" ? SLICE_TYPE.RENDER : SLICE_TYPE.MULTIPLANAR);
  }

  moveTo(place: Vector): void {
    this.niivue.scene.crosshairPos = this.niivue.mm2frac(place);
    this.niivue.drawScene();
    this.onMove(place);
  }

  draw(): void {
    this.niivue.drawScene();
  }
}

function makeImage(image: Image, name: string): Promise<NVImage> {
  // NiiVue may keep or change what it is given.
  const make = NVImage.new as (buffer: ArrayBuffer, name: string) => Promise<NVImage>;
  return make.call(NVImage, image.buffer.slice(0), name);
}
