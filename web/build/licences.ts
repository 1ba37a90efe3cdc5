// SPDX-License-Identifier: BSD-3-Clause
// The licences of the packages that end up in the page, read from the packages themselves.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

const bundled = [
  "@niivue/niivue",
  "@lukeed/uuid",
  "@ungap/structured-clone",
  "array-equal",
  "fflate",
  "gl-matrix",
  "nifti-reader-js",
];

function describe(root: string, name: string) {
  const folder = path.join(root, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const kept = path.join(root, "build/licences", `${name.replace("/", "__")}.txt`);
  const text = file
    ? readFileSync(path.join(folder, file), "utf8")
    : existsSync(kept)
      ? readFileSync(kept, "utf8")
      : "";
  if (!text) throw new Error(`The licence of ${name} is missing: put its text into ${path.relative(root, kept)}.`);
  return { name, version, licence: license, text };
}

/** The package a module belongs to; null for our own. */
function packageOf(module: string): string | null {
  const found = /^.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module);
  return found ? found[1]! : null;
}

export function licences(root: string): Plugin {
  const id = "virtual:licences";
  return {
    name: "licences",
    resolveId: (source) => (source === id ? `\0${id}` : null),
    load(source) {
      if (source !== `\0${id}`) return null;
      const font = {
        name: "Roboto, the font of labels in NiiVue",
        version: "",
        licence: "Apache-2.0",
        text: readFileSync(path.join(root, "build/licences/roboto.txt"), "utf8"),
      };
      const template = {
        name: "ICBM 152 template, the brain under maps in MNI space",
        version: "2009a",
        licence: "McGill University's, free for any use",
        text: readFileSync(path.join(root, "../src/sturm/report/template/LICENCE.txt"), "utf8"),
      };
      return `export default ${JSON.stringify([...bundled.map((name) => describe(root, name)), font, template])}`;
    },
    // A package that comes in by way of another must not come in unnamed.
    generateBundle(_, bundle) {
      for (const part of Object.values(bundle))
        for (const [module, { renderedLength }] of part.type === "chunk" ? Object.entries(part.modules) : []) {
          const name = packageOf(module);
          if (name && renderedLength > 0 && !bundled.includes(name)) this.error(`The licence of ${name} is not listed.`);
        }
    },
  };
}
