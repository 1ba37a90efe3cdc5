// SPDX-License-Identifier: BSD-3-Clause
// The 3-D render, by NiiVue from buffers in memory. Needs WebGL2.
import { DRAG_MODE, Niivue, NVImage, SLICE_TYPE } from "@niivue/niivue";
import { h } from "../dom";
import { paint, type Layer } from "./layer";
import type { RenderMarks } from "./marks";
import { colourVolume, type Image, type Vector } from "./nifti";
import type { Frame } from "./tiles";

/** From where it is looked at, in degrees, and how close. */
export interface Turn {
  azimuth: number;
  elevation: number;
  scale: number;
}

const usual = 1.25;

export class Render {
  onMove: (place: Vector) => void = () => {};
  onTurn: (turn: Turn) => void = () => {};
  /** Called when it was drawn, by whomever: its letters may have moved. */
  onDraw: () => void = () => {};
  private layer: Layer | null = null;
  private colours: NVImage | null = null;
  private quiet = false;

  private constructor(
    readonly canvas: HTMLCanvasElement,
    private niivue: Niivue,
    private frame: Frame,
  ) {}

  static async attach(parent: HTMLElement, background: Image, frame: Frame): Promise<Render> {
    const canvas = h("canvas", { tabindex: 0, role: "img", "aria-label": "The map in 3-D. Drag to turn it." });
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
      show3Dcrosshair: true,
      isOrientationTextVisible: false,
      isNearestInterpolation: true,
      tileMargin: 0,
      sliceType: SLICE_TYPE.RENDER,
      dragMode: DRAG_MODE.none,
      clipPlaneHotKey: "",
      cycleClipPlaneHotKey: "",
      viewModeHotKey: "",
      isAntiAlias: true,
    });
    // There are no meshes, and compiling their shaders takes longest where there is no graphics card.
    niivue.meshShaders = [];
    // NiiVue smooths what is rendered; between a coloured voxel and a clear one that would be neither.
    const smooth = niivue.updateInterpolation.bind(niivue);
    niivue.updateInterpolation = (volume: number, force?: boolean) => smooth(volume, volume === 0 && force);
    await niivue.attachToCanvas(canvas);
    niivue.setScale(usual);
    const anatomy = await makeImage(background);
    anatomy.colormap = "gray";
    [anatomy.cal_min, anatomy.cal_max] = [0, 255];
    niivue.addVolume(anatomy);
    const render = new Render(canvas, niivue, frame);
    const drawScene = niivue.drawScene.bind(niivue);
    niivue.drawScene = () => {
      const said = drawScene();
      render.onDraw();
      return said;
    };
    niivue.onLocationChange = (location) => {
      const { mm } = location as { mm: ArrayLike<number> };
      render.onMove([mm[0]!, mm[1]!, mm[2]!]);
    };
    const turned = () => !render.quiet && render.onTurn(render.turn);
    niivue.onAzimuthElevationChange = turned;
    niivue.onZoom3DChange = turned;
    return render;
  }

  /** The map is handed over as colours, voxel by voxel: NiiVue's own thresholds fade, and know no weights below 1e-5. */
  async setLayer(layer: Layer, threshold: number): Promise<void> {
    const known = this.layer;
    this.layer = layer;
    if (!this.colours || String(known?.image.affine) !== String(layer.image.affine) || !sameShape(known!, layer)) {
      const colours = await makeImage(colourVolume(layer.image));
      if (this.layer !== layer) return;
      this.colours = colours;
      this.niivue.volumes = [this.niivue.volumes[0]!, colours];
      this.niivue.overlays = [colours];
    }
    this.setThreshold(threshold);
  }

  /** Uploads the map alone: the anatomy below it stays as it is. draw() shows it, and the place. */
  setThreshold(threshold: number): void {
    if (!this.colours || !this.layer) return;
    paint(this.layer, threshold, this.colours.img as Uint8Array);
    this.niivue.gl.deleteTexture(this.niivue.overlayTexture);
    this.niivue.refreshLayers(this.colours, 1);
  }

  moveTo(place: Vector): void {
    this.niivue.scene.crosshairPos = this.niivue.mm2frac(place);
  }

  get turn(): Turn {
    const { renderAzimuth, renderElevation, volScaleMultiplier } = this.niivue.scene;
    return { azimuth: renderAzimuth, elevation: renderElevation, scale: volScaleMultiplier / usual };
  }

  /** Told by somebody else: nobody is called back. */
  setTurn({ azimuth, elevation, scale }: Turn): void {
    this.quiet = true;
    Object.assign(this.niivue.scene, {
      renderAzimuth: azimuth,
      renderElevation: elevation,
      volScaleMultiplier: scale * usual,
    });
    this.quiet = false;
    this.niivue.drawScene();
  }

  /** The middle of each side of the box, where it is on the canvas; of two that lie one behind the other the nearer. */
  marks(): RenderMarks {
    const { width, height } = this.canvas;
    const { azimuth, elevation } = this.turn;
    const [seen] = this.niivue.calculateMvpMatrix(null, [0, 0, width, height], azimuth, elevation) as [Float32Array];
    const { low, high } = this.frame;
    const middle = low.map((value, axis) => (value + high[axis]!) / 2) as Vector;
    const project = (p: Vector) => {
      const [x, y, z] = [0, 1, 2].map(
        (r) => seen[r]! * p[0] + seen[4 + r]! * p[1] + seen[8 + r]! * p[2] + seen[12 + r]!,
      );
      return { x: 0.5 + 0.5 * x!, y: 0.5 - 0.5 * y!, depth: z! };
    };
    const sides: [string, 0 | 1 | 2, number][] = [
      ["L", 0, -1],
      ["R", 0, 1],
      ["P", 1, -1],
      ["A", 1, 1],
    ];
    const placed = sides.map(([text, axis, sign]) => {
      const place: Vector = [...middle];
      place[axis] += sign * 0.56 * (high[axis] - low[axis]);
      return { text, axis, ...project(place) };
    });
    const letters = placed.filter((one) => {
      const other = placed.find((each) => each !== one && each.axis === one.axis)!;
      return Math.hypot(one.x - other.x, one.y - other.y) > 0.45 || one.depth < other.depth;
    });
    // Parallel projection: a millimetre is the same everywhere.
    const perMillimetre = Math.hypot(seen[1]!, seen[5]!, seen[9]!) / 2;
    return { letters, perMillimetre };
  }

  /** Makes the canvas hold the picture now. */
  draw(): void {
    this.niivue.drawScene();
  }
}

const sameShape = (a: Layer, b: Layer): boolean => a.image.shape.every((n, axis) => n === b.image.shape[axis]);

function makeImage(image: Image): Promise<NVImage> {
  // NiiVue may keep or change what it is given.
  const make = NVImage.new as (buffer: ArrayBuffer, name: string) => Promise<NVImage>;
  return make.call(NVImage, image.buffer.slice(0), "volume.nii");
}
