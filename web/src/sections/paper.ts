// SPDX-License-Identifier: BSD-3-Clause
// The figure for a paper that the program drew: to look at, to save in two widths, and what to write below it.
import { button, h, replace, type Child } from "../dom";
import { download } from "../download";
import { embeddedFile } from "../embedded";
import { withDpi } from "../png";
import type { PaperFigure, Study } from "../study";
import { copyable } from "./text";

const dpi = 300;
const kindOf = (figure: PaperFigure): string => figure.id.split("-").at(-1) ?? "";
const types: { [kind: string]: string } = { svg: "image/svg+xml", pdf: "application/pdf", png: "image/png" };

/** The SVG on a canvas of so many pixels across. */
async function draw(figure: PaperFigure, pixels: number): Promise<HTMLCanvasElement> {
  const text = new TextDecoder().decode(await embeddedFile(`figure-${figure.id}`));
  const picture = new Image();
  picture.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(text);
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = pixels;
  canvas.height = Math.round((pixels * picture.naturalHeight) / picture.naturalWidth);
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas;
}

async function savePng(figure: PaperFigure): Promise<void> {
  const canvas = await draw(figure, figure.pixels);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, types["png"]));
  if (!blob) throw new Error("This browser cannot write a picture of that size.");
  const bytes = withDpi(new Uint8Array(await blob.arrayBuffer()), dpi);
  download(figure.name.replace(/svg$/, "png"), bytes, types["png"]!);
}

async function saveFile(figure: PaperFigure): Promise<void> {
  download(figure.name, await embeddedFile(`figure-${figure.id}`), types[kindOf(figure)] ?? "");
}

/** A card with the figure, and one each for its caption and the references; nothing where there is no figure. */
export function paperCards(study: Study): Child[] {
  const drawings = study.figures.filter((figure) => kindOf(figure) === "svg");
  const bibtex = study.text.bibtex
    ? copyable("BibTeX", h("pre", { class: "bibtex" }, study.text.bibtex), "BibTeX")
    : null;
  if (drawings.length === 0) return [bibtex];
  const note = h("p", { class: "quiet", role: "status" });
  const tell = (action: () => Promise<void>) => () =>
    void action().then(
      () => (note.textContent = ""),
      (error: unknown) => (note.textContent = error instanceof Error ? error.message : String(error)),
    );
  const rows = drawings.map((drawing) => {
    const files = study.figures.filter(({ millimetres }) => millimetres === drawing.millimetres);
    const width = `${drawing.millimetres} mm wide`;
    return h(
      "div",
      { class: "tools figure-files", role: "group", "aria-label": `Figure, ${width}` },
      h("span", {}, drawing.millimetres < 120 ? `One column, ${width}:` : `Two columns, ${width}:`),
      ...files.map((file) =>
        button(kindOf(file).toUpperCase(), tell(() => saveFile(file)), { title: `Save ${file.name}` }),
      ),
      button("PNG", tell(() => savePng(drawing)), {
        title: `Save ${drawing.name.replace(/svg$/, "png")}: ${drawing.pixels} pixels across at ${dpi} dpi`,
      }),
    );
  });
  const stage = h("div", { class: "paper-figure" });
  const widest = drawings.at(-1)!;
  const show = button(
    "Make my figure",
    tell(async () => {
      const canvas = await draw(widest, widest.pixels);
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", study.text.caption || "The figure for a paper");
      replace(stage, canvas);
      show.textContent = "Draw it again";
    }),
    { class: "make-figure" },
  );
  const pdf = study.figures.some((figure) => kindOf(figure) === "pdf");
  return [
    h(
      "div",
      { class: "card", id: "figure" },
      h("div", { class: "card-head" }, h("h3", {}, "Make my figure"), h("div", { class: "tools" }, show)),
      h(
        "p",
        { class: "quiet" },
        "Scores, the map, what they rest on and how they were tested, drawn from this study by the program. PNG has 300 dots per inch." +
          (pdf ? "" : " There is no PDF here: convert the SVG, or use a copy of sturm that was built with cairo."),
      ),
      stage,
      ...rows,
      note,
    ),
    study.text.caption ? copyable("Caption of the figure", h("p", { class: "prose" }, study.text.caption), "caption") : null,
    bibtex,
  ];
}
