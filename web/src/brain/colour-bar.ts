// SPDX-License-Identifier: BSD-3-Clause
// The key to the colours of a map: in the page, and in pictures.
import { css, palettes, ramp, type Rgb } from "../colours";
import { text } from "../chart/parts";
import { s } from "../dom";
import * as format from "../format";

const steps = 44;

function colourAt(signed: boolean, step: number): Rgb {
  const share = step / (steps - 1);
  const signedShare = 2 * share - 1;
  return !signed
    ? ramp(palettes.cividis, share)
    : ramp(signedShare < 0 ? palettes.negative : palettes.positive, Math.abs(signedShare));
}

/** Under its left end, its middle and its right end. */
const ends = (signed: boolean, limit: number): [string, string, string] =>
  signed
    ? [format.general(-limit, 2), "0", format.general(limit, 2)]
    : ["0", format.general(limit / 2, 2), format.general(limit, 2)];

export function colourBar(signed: boolean, limit: number): SVGSVGElement {
  const [width, height] = [220, 30];
  const [left, middle, right] = ends(signed, limit);
  const bar = s("svg", {
    width: "100%",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": `Colours of the map, from ${left} to ${right}`,
    "font-size": 11,
    fill: "var(--soft)",
  });
  for (let i = 0; i < steps; ++i)
    bar.append(
      s("rect", {
        x: (i * width) / steps,
        y: 0,
        width: width / steps + 0.5,
        height: 11,
        fill: css(colourAt(signed, i)),
      }),
    );
  bar.append(
    text(0, 25, left),
    text(width / 2, 25, middle, { "text-anchor": "middle" }),
    text(width, 25, right, { "text-anchor": "end" }),
  );
  return bar;
}

/** The same on a canvas, its upper left corner at a point; the fill of the context is the ink. */
export function drawColourBar(
  context: CanvasRenderingContext2D,
  signed: boolean,
  limit: number,
  x: number,
  y: number,
  width: number,
): void {
  context.save();
  context.textBaseline = "top";
  const [left, middle, right] = ends(signed, limit);
  for (const [words, at, align] of [
    [left, x, "left"],
    [middle, x + width / 2, "center"],
    [right, x + width, "right"],
  ] as [string, number, CanvasTextAlign][]) {
    context.textAlign = align;
    context.fillText(words, at, y + 13);
  }
  for (let i = 0; i < steps; ++i) {
    context.fillStyle = css(colourAt(signed, i));
    context.fillRect(x + (i * width) / steps, y, width / steps + 0.5, 10);
  }
  context.restore();
}
