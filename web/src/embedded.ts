// SPDX-License-Identifier: BSD-3-Clause
// Files that the page carries: gzipped, as base64 in an element of their own.

/** The bytes of an element's file. */
export async function embeddedFile(id: string): Promise<Uint8Array<ArrayBuffer>> {
  const text = document.getElementById(id)?.textContent?.trim();
  if (!text) throw new Error(`${id} is not in this file.`);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
