// SPDX-License-Identifier: BSD-3-Clause
// A drawing that the program put into the page: an SVG file in base64, shown as a picture, so that nothing in it runs.
import { h } from "./dom";
import type { Picture } from "./study";

export function picture({ id, words, width, height, kind }: Picture): HTMLImageElement | null {
  const file = document.getElementById(`picture-${id}`)?.textContent ?? "";
  if (!/^[A-Za-z0-9+/]+=*$/.test(file)) return null;
  const image = h("img", { class: `picture ${kind}`, alt: words, width, height, "data-picture": id });
  image.src = `data:image/svg+xml;base64,${file}`;
  return image;
}
