// SPDX-License-Identifier: BSD-3-Clause
// NiiVue reads dozens of formats and draws meshes; a report holds NIfTI-1 volumes. This plugin bundles NiiVue from its
// sources and puts empty modules where the rest would be, which takes the page from 3.3 MB to a fraction of it.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Plugin } from "vite";

const emptyClasses = (...names: string[]) => names.map((name) => `export class ${name} {}`).join("\n");

/** By the end of the path of a source file below niivue/src. */
const replacements: { [file: string]: string } = {
  "nvmesh-loaders.ts": emptyClasses("NVMeshLoaders"),
  "nvconnectome.ts": emptyClasses("NVConnectome", "FreeSurferConnectome"),
  "nvserializer.ts": "export class NVSerializer {}\nexport default NVSerializer;",
  "nvimage/zarr/index.ts": emptyClasses("NVZarrHelper", "ZarrChunkClient", "ZarrChunkCache"),
  "nvimage/ZarrProcessor.ts": 'export async function loadZarrData() { throw new Error("No Zarr here."); }',
  "nvimage/zarr/NVZarrHelper.ts": emptyClasses("NVZarrHelper"),
  "nvimage/ImageReaders/index.ts": [
    'export * as Nii from "@/nvimage/ImageReaders/nii";',
    ...["Afni", "BrainVoyager", "DsiStudio", "Ecat", "Image", "Itk", "Mgh", "Mrtrix", "Nrrd", "Numpy", "Zarr"].map(
      (name) => `export const ${name} = {};`,
    ),
  ].join("\n"),
  // The page adds the colour maps it uses; these two are what NiiVue asks for by itself.
  "cmaps/index.ts": [
    "export const gray = { R: [0, 255], G: [0, 255], B: [0, 255], A: [0, 128], I: [0, 255] };",
    "export const $itksnap = { R: [0, 255], G: [0, 0], B: [0, 0], A: [0, 255], I: [0, 1], labels: ['', ''] };",
  ].join("\n"),
  // A texture for the light on meshes: one grey pixel does.
  "matcaps/Shiny.jpg": 'export default "data:image/gif;base64,R0lGODlhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs=";',
};

export function trimNiivue(root: string): Plugin {
  const source = path.join(root, "node_modules/@niivue/niivue/src");
  const version = JSON.parse(readFileSync(path.join(source, "../package.json"), "utf8")).version;
  return {
    name: "trim-niivue",
    enforce: "pre",
    config: () => ({
      resolve: {
        alias: [
          { find: /^@niivue\/niivue$/, replacement: path.join(source, "niivue/index.ts") },
          { find: /^@\//, replacement: `${source}/` },
        ],
      },
    }),
    load(id) {
      const file = id.split("?")[0]!;
      if (file.endsWith("@niivue/niivue/package.json"))
        return { code: JSON.stringify({ version }), moduleType: "json" };
      if (!file.startsWith(source)) return null;
      const code = replacements[path.relative(source, file)];
      return code === undefined ? null : { code, moduleType: "ts" };
    },
  };
}
