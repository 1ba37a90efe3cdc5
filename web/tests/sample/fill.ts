// SPDX-License-Identifier: BSD-3-Clause
// Puts a study into the page as the program does.
import type { Read } from "./report";

/** No text of a file may end the element it stands in. */
export function escapeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => "\\u" + character.charCodeAt(0).toString(16).padStart(4, "0"),
  );
}

export function fillPage(page: string, { study, volumes, pictures, figures }: Read): string {
  const data = `<script type="application/json" id="study">${escapeJson(study)}</script>`;
  const maps = study.volumes.map(
    ({ id }) => `<script type="text/plain" id="volume-${id}">${volumes.get(id) ?? ""}</script>`,
  );
  for (const [id, text] of pictures) maps.push(`<script type="text/plain" id="picture-${id}">${text}</script>`);
  for (const { id } of study.figures ?? [])
    maps.push(`<script type="text/plain" id="figure-${id}">${figures.get(id) ?? ""}</script>`);
  return page.replace("<!--STURM-STUDY-->", () => data).replace("<!--STURM-VOLUMES-->", () => maps.join("\n"));
}
