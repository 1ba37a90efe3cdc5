// SPDX-License-Identifier: BSD-3-Clause
// Three slices on a 2-D canvas, for browsers without WebGL2. Left is left, as in the other viewer.
import { h } from "../dom";
import { palettes, ramp, type Rgb } from "../colours";
import { bounds, valueAt, type Image, type Vector } from "./nifti";
import type { Layer, View, Viewer } from "./viewer";

interface Plane {
  /** World axes to the right, upward and out of the picture. */
  right: 0 | 1 | 2;
  up: 0 | 1 | 2;
  through: 0 | 1 | 2;
  letters: [string, string];
}

const planes: Plane[] = [
  { right: 0, up: 1, through: 2, letters: ["L", "R"] },
  { right: 0, up: 2, through: 1, letters: ["L", "R"] },
  { right: 1, up: 2, through: 0, letters: ["P", "A"] },
];

interface Tile {
  plane: Plane;
  left: number;
  top: number;
  width: number;
  height: number;
}

export class CanvasViewer implements Viewer {
  canvas = h("canvas", { class: "slices", tabindex: 0 });
  views: View[] = ["slices"];
  onMove: (place: Vector) => void = () => {};
  private background: Image | null = null;
  private layer: Layer | null = null;
  private threshold = 0;
  private place: Vector = [0, 0, 0];
  private low: Vector = [0, 0, 0];
  private high: Vector = [1, 1, 1];
  private step = 1;
  private tiles: Tile[] = [];

  constructor(parent: HTMLElement) {
    parent.append(this.canvas);
    new ResizeObserver(() => this.draw()).observe(parent);
    const go = (event: PointerEvent) => {
      const place = this.placeOf(event);
      if (place) this.moveTo(place);
    };
    this.canvas.addEventListener("pointerdown", go);
    this.canvas.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
  }

  async setBackground(image: Image): Promise<void> {
    this.background = image;
    ({ low: this.low, high: this.high } = bounds(image));
    this.step = Math.min(...[0, 1, 2].map((column) => Math.hypot(...image.affine.map((row) => row[column]!)))) || 1;
    this.place = this.low.map((value, axis) => (value + this.high[axis]!) / 2) as Vector;
    this.draw();
  }
  async setLayer(layer: Layer, threshold: number): Promise<void> {
    this.layer = layer;
    this.threshold = threshold;
    this.draw();
  }
  setThreshold(threshold: number): void {
    this.threshold = threshold;
    this.draw();
  }
  setView(): void {}
  moveTo(place: Vector): void {
    this.place = place;
    this.draw();
    this.onMove(place);
  }

  private colour(place: Vector): Rgb | null {
    if (this.layer) {
      const value = valueAt(this.layer.image, place);
      if (value && Math.abs(value) >= this.threshold && Number.isFinite(value)) {
        const share = Math.abs(value) / (this.layer.limit || 1);
        return ramp(!this.layer.signed ? palettes.cividis : value > 0 ? palettes.positive : palettes.negative, share);
      }
    }
    const grey = this.background ? valueAt(this.background, place) : NaN;
    if (!Number.isFinite(grey)) return null;
    return [grey, grey, grey];
  }

  private slice(plane: Plane): HTMLCanvasElement {
    const columns = Math.max(1, Math.round((this.high[plane.right] - this.low[plane.right]) / this.step));
    const rows = Math.max(1, Math.round((this.high[plane.up] - this.low[plane.up]) / this.step));
    const picture = h("canvas", { width: columns, height: rows });
    const context = picture.getContext("2d")!;
    const pixels = context.createImageData(columns, rows);
    const place: Vector = [0, 0, 0];
    place[plane.through] = this.place[plane.through];
    for (let row = 0; row < rows; ++row)
      for (let column = 0; column < columns; ++column) {
        place[plane.right] = this.low[plane.right] + (column + 0.5) * this.step;
        place[plane.up] = this.high[plane.up] - (row + 0.5) * this.step;
        const colour = this.colour(place);
        if (colour) pixels.data.set([...colour, 255], 4 * (row * columns + column));
      }
    context.putImageData(pixels, 0, 0);
    return picture;
  }

  draw(): void {
    const parent = this.canvas.parentElement;
    if (!this.background || !parent || parent.clientWidth === 0) return;
    const dense = Math.min(2, devicePixelRatio || 1);
    const [width, height] = [parent.clientWidth, parent.clientHeight];
    this.canvas.width = width * dense;
    this.canvas.height = height * dense;
    const context = this.canvas.getContext("2d")!;
    context.scale(dense, dense);
    context.fillStyle = "#000";
    context.fillRect(0, 0, width, height);
    context.imageSmoothingEnabled = false;
    const { scale, tiles } = this.arrange(width, height);
    this.tiles = tiles;
    for (const tile of this.tiles) this.drawTile(context, tile, scale);
  }

  /** In a row, two by two, or in a column: whichever makes the slices largest. */
  private arrange(width: number, height: number): { scale: number; tiles: Tile[] } {
    const [x, y, z] = this.high.map((value, axis) => value - this.low[axis]!) as Vector;
    const gap = 8;
    // Corners in millimetres and in gaps, in the order of planes: axial, coronal, sagittal.
    const layouts = [
      {
        width: 2 * x + y,
        height: Math.max(y, z),
        columns: 3,
        rows: 1,
        at: [
          [0, 0],
          [x, 0],
          [2 * x, 0],
        ],
        gaps: [
          [0, 0],
          [1, 0],
          [2, 0],
        ],
      },
      {
        width: x + y,
        height: y + z,
        columns: 2,
        rows: 2,
        at: [
          [0, z],
          [0, 0],
          [x, 0],
        ],
        gaps: [
          [0, 1],
          [0, 0],
          [1, 0],
        ],
      },
      {
        width: Math.max(x, y),
        height: y + 2 * z,
        columns: 1,
        rows: 3,
        at: [
          [0, 0],
          [0, y],
          [0, y + z],
        ],
        gaps: [
          [0, 0],
          [0, 1],
          [0, 2],
        ],
      },
    ];
    const scaleOf = (layout: (typeof layouts)[0]) =>
      Math.min((width - gap * (layout.columns + 1)) / layout.width, (height - gap * (layout.rows + 1)) / layout.height);
    const best = layouts.reduce((a, b) => (scaleOf(b) > scaleOf(a) ? b : a));
    const scale = scaleOf(best);
    const left = (width - best.width * scale - gap * (best.columns - 1)) / 2;
    const top = (height - best.height * scale - gap * (best.rows - 1)) / 2;
    const size = (axis: 0 | 1 | 2) => (this.high[axis] - this.low[axis]) * scale;
    const tiles = planes.map((plane, i) => ({
      plane,
      left: left + best.at[i]![0]! * scale + best.gaps[i]![0]! * gap,
      top: top + best.at[i]![1]! * scale + best.gaps[i]![1]! * gap,
      width: size(plane.right),
      height: size(plane.up),
    }));
    return { scale, tiles };
  }

  private drawTile(context: CanvasRenderingContext2D, { plane, left, top, width, height }: Tile, scale: number): void {
    context.drawImage(this.slice(plane), left, top, width, height);
    const x = left + (this.place[plane.right] - this.low[plane.right]) * scale;
    const y = top + (this.high[plane.up] - this.place[plane.up]) * scale;
    context.strokeStyle = "rgba(80, 220, 150, 0.8)";
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, top);
    context.lineTo(x, top + height);
    context.moveTo(left, y);
    context.lineTo(left + width, y);
    context.stroke();
    context.fillStyle = "#aab4c0";
    context.font = "12px system-ui, sans-serif";
    context.fillText(plane.letters[0], left + 4, top + height / 2);
    context.fillText(plane.letters[1], left + width - 14, top + height / 2);
  }

  private placeOf(event: PointerEvent): Vector | null {
    const { left, top } = this.canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - left, event.clientY - top];
    for (const tile of this.tiles) {
      if (x < tile.left || x > tile.left + tile.width || y < tile.top || y > tile.top + tile.height) continue;
      const place: Vector = [...this.place];
      const { right, up } = tile.plane;
      place[right] = this.low[right] + ((x - tile.left) / tile.width) * (this.high[right] - this.low[right]);
      place[up] = this.high[up] - ((y - tile.top) / tile.height) * (this.high[up] - this.low[up]);
      return place;
    }
    return null;
  }
}
