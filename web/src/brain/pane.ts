// SPDX-License-Identifier: BSD-3-Clause
// One brain: its slices on a canvas, the render over one of the tiles, and what the pointer does there.
import { h } from "../dom";
import { drawMarks } from "./marks";
import type { Layer } from "./layer";
import type { Image, Vector } from "./nifti";
import { takePicture, type Shot } from "./picture";
import { Render, type Turn } from "./render";
import { drawSlice, placeIn, type Scene } from "./slices";
import { arrange, frameOf, seen, type Look, type Tile } from "./tiles";

export type View = "slices" | "both" | "render";

export class Pane {
  stage = h("div", { class: "stage" });
  /** Called when the pointer asks for a place, a zoom or a turn; nothing has changed yet but the turn. */
  onMove: (place: Vector) => void = () => {};
  onZoom: (factor: number) => void = () => {};
  onTurn: (turn: Turn) => void = () => {};
  look: Look = { place: [0, 0, 0], centre: [0, 0, 0], zoom: 1 };
  title = "";
  sentence = "";
  private slices = h("canvas", {
    class: "slices",
    tabindex: 0,
    role: "img",
    "aria-label":
      "Slices of the brain. Arrow keys, Page Up and Page Down move the crosshair; plus, minus and 0 change the zoom.",
  });
  private marks = h("canvas", { class: "marks", "aria-hidden": "true" });
  private corner = h("div", { class: "render" });
  private scene: Scene | null = null;
  private tiles: Tile[] = [];
  private render: Render | null = null;
  private view: View = "both";
  private waiting = false;
  private renderWaiting = false;
  /** What the render does not show yet. */
  private stale = { threshold: false, place: false };
  private inWorld = true;

  constructor() {
    this.stage.append(this.slices, this.corner, this.marks);
    new ResizeObserver(() => this.drawSoon()).observe(this.stage);
    const go = (event: PointerEvent) => {
      const tile = this.tileAt(event);
      const place = tile && this.scene && placeIn(tile, this.scene.frame, this.look, event.offsetX, event.offsetY);
      if (place) this.onMove(place);
    };
    this.slices.addEventListener("pointerdown", go);
    this.slices.addEventListener("pointermove", (event) => event.buttons & 1 && go(event));
    this.slices.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
  }

  /** The page scrolls until the slices are clicked. */
  private wheel(event: WheelEvent): void {
    if (document.activeElement !== this.slices || !this.scene) return;
    event.preventDefault();
    if (event.ctrlKey || event.shiftKey) return this.onZoom(event.deltaY + event.deltaX < 0 ? 1.1 : 1 / 1.1);
    const plane = this.tileAt(event)?.plane;
    if (!plane) return;
    const place: Vector = [...this.look.place];
    place[plane.through] += (event.deltaY < 0 ? 1 : -1) * this.scene.frame.step[plane.through];
    this.onMove(place);
  }

  private tileAt({ offsetX: x, offsetY: y }: MouseEvent): Tile | undefined {
    return this.tiles.find(
      ({ left, top, width, height }) => x >= left && y >= top && x <= left + width && y <= top + height,
    );
  }

  /** What lies below the map, in grey levels from 0 to 255; called once, first. */
  setBackground(background: Image, inWorld: boolean): void {
    this.inWorld = inWorld;
    this.scene = { background, frame: frameOf(background), layer: null, threshold: 0 };
  }

  /** False where there is no WebGL2. */
  async startRender(): Promise<boolean> {
    if (!this.scene) return false;
    try {
      this.render = await Render.attach(this.corner, this.scene.background, this.scene.frame);
    } catch {
      this.corner.replaceChildren();
      return false;
    }
    this.render.onMove = (place) => this.onMove(place);
    this.render.onTurn = (turn) => this.onTurn(turn);
    this.render.onDraw = () => this.drawBeside();
    if (this.scene.layer) await this.render.setLayer(this.scene.layer, this.scene.threshold);
    this.stale.place = true;
    this.draw();
    return true;
  }

  setView(view: View): void {
    this.view = view;
    this.draw();
  }
  async setLayer(layer: Layer, threshold: number): Promise<void> {
    if (!this.scene) return;
    Object.assign(this.scene, { layer, threshold });
    this.draw();
    await this.render?.setLayer(layer, threshold);
    if (this.view !== "slices") this.render?.draw();
  }
  setThreshold(threshold: number): void {
    if (!this.scene) return;
    this.scene.threshold = threshold;
    this.stale.threshold = true;
    this.drawSoon();
  }
  setLook(look: Look): void {
    this.look = look;
    this.stale.place = true;
    this.drawSoon();
  }
  get turn(): Turn | undefined {
    return this.render?.turn;
  }
  setTurn(turn: Turn): void {
    this.render?.setTurn(turn);
  }

  /** One picture a frame, however fast a slider or a pointer moves. */
  private drawSoon(): void {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      this.draw();
    });
  }

  private draw(): void {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!this.scene || width === 0) return;
    const slices = this.cleared(this.slices);
    slices.fillStyle = "#000";
    slices.fillRect(0, 0, width, height);
    const withRender = this.render !== null && this.view !== "slices";
    this.tiles =
      withRender && this.view === "render"
        ? [{ plane: null, left: 16, top: 5, width: width - 32, height: height - 26 }]
        : arrange(this.scene.frame, width, height, withRender).tiles;
    this.placeRender(this.tiles.find(({ plane }) => plane === null));
    for (const tile of this.tiles) drawSlice(slices, this.scene, this.look, tile);
    this.slices.dataset["tiles"] = JSON.stringify(this.told());
    if (withRender) this.refreshRenderSoon();
    this.drawBeside();
  }

  /** A frame later than the slices, and not before a slider or a pointer rests: it takes longest. */
  private refreshRenderSoon(): void {
    if (this.renderWaiting) return;
    this.renderWaiting = true;
    requestAnimationFrame(() => {
      this.renderWaiting = false;
      if (this.waiting) this.refreshRenderSoon();
      else this.refreshRender();
    });
  }

  private cleared(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
    const dense = Math.min(2, devicePixelRatio || 1);
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (canvas.width !== Math.floor(width * dense)) canvas.width = width * dense;
    if (canvas.height !== Math.floor(height * dense)) canvas.height = height * dense;
    const context = canvas.getContext("2d", { willReadFrequently: true })!;
    context.setTransform(dense, 0, 0, dense, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
  }

  private drawBeside(): void {
    if (!this.scene) return;
    const marks = this.cleared(this.marks);
    for (const tile of this.tiles)
      drawMarks(marks, tile, this.scene.frame, this.look, this.inWorld, tile.plane ? null : this.render!.marks());
  }

  private refreshRender(): void {
    const { threshold, place } = this.stale;
    if (!this.render || this.view === "slices") return;
    this.stale = { threshold: false, place: false };
    if (threshold) this.render.setThreshold(this.scene!.threshold);
    if (place) this.render.moveTo(this.look.place);
    if (threshold || place) this.render.draw();
  }

  private placeRender(tile: Tile | undefined): void {
    this.corner.hidden = !tile;
    if (!tile) return;
    for (const side of ["left", "top", "width", "height"] as const) this.corner.style[side] = `${tile[side]}px`;
  }

  /** Which part of the world each slice shows, and where: for scripts and tests that read the picture. */
  private told() {
    const { low, high } = seen(this.scene!.frame, this.look);
    return this.tiles
      .filter(({ plane }) => plane !== null)
      .map(({ plane, left, top, width, height }) => ({
        ...plane,
        left,
        top,
        width,
        height,
        low: [low[plane!.right], low[plane!.up]],
        high: [high[plane!.right], high[plane!.up]],
        at: this.look.place[plane!.through],
      }));
  }

  /** On a canvas of its own, or one that is given. */
  picture(width: number, height: number, scale: number, canvas?: HTMLCanvasElement): HTMLCanvasElement | null {
    if (!this.scene) return null;
    const { render, view } = this;
    const drawn = render && view !== "slices";
    if (drawn) {
      this.refreshRender();
      render.draw();
    }
    const shot: Shot = {
      scene: this.scene,
      look: this.look,
      inWorld: this.inWorld,
      render: drawn ? { canvas: render.canvas, marks: render.marks() } : null,
      renderOnly: view === "render",
      title: this.title,
      sentence: this.sentence,
    };
    return takePicture(shot, width, height, scale, canvas);
  }

  get frame() {
    return this.scene?.frame;
  }
}
