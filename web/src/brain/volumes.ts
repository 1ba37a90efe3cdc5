// SPDX-License-Identifier: BSD-3-Clause
// The volumes in the page: base64 of gzipped NIfTI, unpacked when first asked for.
import { gunzipSync, gzipSync } from "fflate";
import { fileName } from "../download";
import type { Volume } from "../study";
import { greyLevels, parse, type Image } from "./nifti";

function compressedBytes(volume: Volume): Uint8Array<ArrayBuffer> | null {
  const text = document.getElementById(`volume-${volume.id}`)?.textContent?.trim();
  if (!text) return null;
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

const header = 352;

/** A NIfTI file whose values have their first bytes together, then their second ones, and so on, in the usual order. */
function outOfPlanes(file: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const count = (file.length - header) / 4;
  const out = file.slice();
  for (let plane = 0; plane < 4; ++plane)
    for (let i = 0; i < count; ++i) out[header + 4 * i + plane] = file[header + plane * count + i]!;
  return out;
}

function unpack(volume: Volume): Uint8Array<ArrayBuffer> | null {
  const bytes = compressedBytes(volume);
  if (!bytes) return null;
  const file = gunzipSync(bytes).slice();
  return volume.exact || volume.kind === "background" ? file : outOfPlanes(file);
}

/** As any program reads it, gzipped. */
export function fileBytes(volume: Volume): Uint8Array<ArrayBuffer> | null {
  if (volume.exact) return compressedBytes(volume);
  const file = unpack(volume);
  return file && gzipSync(file, { mtime: 0 }).slice();
}

const unpacked = new Map<string, Image>();

/** At once, and not by the browser's own stream: a print waits for nobody. */
export function load(volume: Volume): Image {
  let image = unpacked.get(volume.id);
  if (!image) {
    const file = unpack(volume);
    if (!file) throw new Error(`The volume ${volume.label || volume.id} is not in this file.`);
    image = parse(file.buffer);
    unpacked.set(volume.id, image);
  }
  return image;
}

const kinds: { [kind: string]: string } = { map: "coefficients", stability: "stability", truth: "planted" };

/** What a map is called as a file: method, kind, class or fold, and whether it is rounded. */
export function fileNameOf(volume: Volume): string {
  const kind = volume.kind === "fold" ? `fold_${volume.fold}_selected` : (kinds[volume.kind] ?? volume.kind);
  const parts = [volume.method, kind, volume.class, volume.exact ? null : "rounded"];
  return `${fileName(parts.filter((part) => part !== null).join("_"))}.nii.gz`;
}

/** From the second percentile of what is not zero to nearly the largest. */
function greyWindow(image: Image): [number, number] {
  const sample: number[] = [];
  const step = Math.max(1, Math.floor(image.values.length / 50_000));
  for (let i = 0; i < image.values.length; i += step) {
    const value = image.values[i]! * image.slope + image.intercept;
    if (value && Number.isFinite(value)) sample.push(value);
  }
  if (sample.length === 0) return [0, 1];
  sample.sort((a, b) => a - b);
  const low = Math.min(0, sample[Math.floor(0.02 * sample.length)]!);
  const high = sample[Math.floor(0.995 * (sample.length - 1))]!;
  return high > low ? [low, high] : [low, low + 1];
}

/** Anatomy in grey. Zero is outside the brain and stays black, also where a mean volume goes below it. */
export function anatomy(image: Image): Image {
  const [low, high] = greyWindow(image);
  const darkest = low < 0 ? 48 : 0;
  return greyLevels(image, (value) => {
    if (!value || !Number.isFinite(value)) return 0;
    return Math.round(darkest + (255 - darkest) * Math.min(1, Math.max(0, (value - low) / (high - low))));
  });
}

/** A mask, or the support of a map: stands behind a map when there is no anatomy. */
export const silhouette = (image: Image): Image => greyLevels(image, (value) => (value ? 80 : 0));
