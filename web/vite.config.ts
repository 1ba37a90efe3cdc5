// SPDX-License-Identifier: BSD-3-Clause
import path from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { licences } from "./build/licences.ts";
import { oneFile } from "./build/one-file.ts";
import { trimNiivue } from "./build/trim-niivue.ts";

const root = path.dirname(fileURLToPath(import.meta.url));

export default defineConfig({
  root,
  plugins: [trimNiivue(root), licences(root), oneFile()],
  build: {
    target: "es2022",
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    modulePreload: false,
    cssCodeSplit: false,
    reportCompressedSize: false,
    // One file: what is imported late is in it as well.
    rolldownOptions: { output: { codeSplitting: false } },
  },
});
