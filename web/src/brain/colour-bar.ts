// SPDX-License-Identifier: BSD-3-Clause
// The key to the colours of a map.
import { s } from "../dom";
import { css, palettes, ramp } from "../colours";
import { text } from "../chart/parts";
import * as format from "../format";

export function colourBar(signed: boolean, limit: number): SVGSVGElement {
  const [width, height] = [220, 30];
  const bar = s("svg", {
    width: "100%",
    viewBox: `0 0 ${width} ${height}`,
    role: "img",
    "aria-label": "Colours of the map",
    "font-size": 11,
    fill: "var(--soft)",
  });
  const steps = 44;
  for (let i = 0; i < steps; ++i) {
    const share = i / (steps - 1);
    const signedShare = 2 * share - 1;
    const colour = !signed
      ? ramp(palettes.cividis, share)
      : ramp(signedShare < 0 ? palettes.negative : palettes.positive, Math.abs(signedShare));
    bar.append(s("rect", { x: (i * width) / steps, y: 0, width: width / steps + 0.5, height: 11, fill: css(colour) }));
  }
  bar.append(
    text(0, 25, signed ? format.general(-limit, 2) : "0"),
    text(width / 2, 25, signed ? "0" : format.general(limit / 2, 2), { "text-anchor": "middle" }),
    text(width, 25, format.general(limit, 2), { "text-anchor": "end" }),
  );
  return bar;
}
