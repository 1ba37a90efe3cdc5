// SPDX-License-Identifier: BSD-3-Clause
// Files out of the page: charts as SVG and PNG, their data as TSV.

/** A name any file system takes. */
export const fileName = (name: string): string => name.replace(/[^A-Za-z0-9+._-]+/g, "_").slice(0, 80) || "sturm";

export function download(name: string, content: BlobPart, type: string): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = fileName(name);
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

export type Cell = string | number | null | undefined;

/** Tabs and line ends within a cell would break the table, and a leading = + @ would run in a spreadsheet. */
function tsvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return "n/a";
  if (typeof cell === "number") return Number.isFinite(cell) ? String(cell) : "n/a";
  const text = cell.replace(/[\t\r\n\u2028\u2029]+/g, " ");
  return /^[=+@]/.test(text) || /^-(?![\d.])/.test(text) ? `'${text}` : text;
}

export const toTsv = (rows: Cell[][]): string => rows.map((row) => row.map(tsvCell).join("\t")).join("\n") + "\n";

export function downloadTsv(name: string, rows: Cell[][]): void {
  download(`${name}.tsv`, toTsv(rows), "text/tab-separated-values");
}

/** The chart as a file of its own: colours of the light sheet written out. */
export function svgText(chart: SVGSVGElement): string {
  const probe = document.createElement("div");
  probe.className = "light-colours";
  document.body.append(probe);
  const sheet = getComputedStyle(probe);
  const copy = chart.cloneNode(true) as SVGSVGElement;
  for (const part of copy.querySelectorAll("[tabindex]")) part.removeAttribute("tabindex");
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const text = new XMLSerializer()
    .serializeToString(copy)
    // Control characters of a name have no place in XML.
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, "\uFFFD")
    .replace(/var\((--[a-z0-9-]+)\)/g, (_, name: string) => sheet.getPropertyValue(name).trim() || "#000");
  probe.remove();
  return text;
}

export function downloadSvg(name: string, chart: SVGSVGElement): void {
  download(`${name}.svg`, `<?xml version="1.0" encoding="UTF-8"?>\n${svgText(chart)}\n`, "image/svg+xml");
}

export async function downloadPng(name: string, chart: SVGSVGElement, scale = 3): Promise<void> {
  const image = new Image();
  image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svgText(chart));
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(chart.getAttribute("width")) * scale;
  canvas.height = Number(chart.getAttribute("height")) * scale;
  const context = canvas.getContext("2d")!;
  context.fillStyle = "#fff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  await downloadCanvas(name, canvas);
}

export async function downloadCanvas(name: string, canvas: HTMLCanvasElement): Promise<void> {
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob) download(`${name}.png`, blob, "image/png");
}
