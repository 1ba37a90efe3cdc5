// SPDX-License-Identifier: BSD-3-Clause
// Puts script and sheet into the page, and a policy that lets those two run and nothing else.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
const places = ["<!--STURM-STUDY-->", "<!--STURM-VOLUMES-->"];

export function oneFile(): Plugin {
  return {
    name: "one-file",
    enforce: "post",
    generateBundle(_, bundle) {
      let script = "";
      let sheet = "";
      for (const [name, part] of Object.entries(bundle)) {
        if (part.type === "chunk") script += part.code;
        else if (name.endsWith(".css")) sheet += part.source;
        else continue;
        delete bundle[name];
      }
      // Within a script element only these two would be read as markup.
      script = script.trim().replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
      sheet = sheet.trim();
      const policy = [
        "default-src 'none'",
        `script-src ${hash(script)}`,
        `style-src ${hash(sheet)}`,
        "img-src data: blob:",
        "base-uri 'none'",
        "form-action 'none'",
      ].join("; ");
      const page = bundle["index.html"];
      if (page?.type !== "asset") this.error("There is no page to fill.");
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/g, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/g, "")
        .replace(
          /(<meta charset="utf-8" \/>)/,
          (found) => `${found}\n    <meta http-equiv="Content-Security-Policy" content="${policy}" />`,
        )
        .replace("</head>", () => `  <style>${sheet}</style>\n  </head>`)
        .replace("</body>", () => `  <script type="module">${script}</script>\n  </body>`);
      for (const place of places) if (html.split(place).length !== 2) this.error(`${place} must be in the page once.`);
      page.source = html;
    },
  };
}
