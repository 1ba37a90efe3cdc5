// SPDX-License-Identifier: BSD-3-Clause
// Hostile texts in every free text that a study can have: which fields these are is read from the types that the program
// prints, so that a field of tomorrow is in it, too.
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Study } from "../../src/study";
import { hostile } from "./hostile";

type Fields = Map<string, string>;

function readTypes(): Map<string, Fields> {
  const source = readFileSync(path.join(import.meta.dirname, "../../src/schema.ts"), "utf8");
  const types = new Map<string, Fields>();
  for (const [, name, body] of source.matchAll(/^export interface (\w+) \{\n([\s\S]*?)^\}/gm))
    types.set(name!, new Map([...body!.matchAll(/^ {2}(\w+)\??: (.*);$/gm)].map(([, field, type]) => [field!, type!])));
  return types;
}

const types = readTypes();

// The page finds elements by them, and the program makes them.
const notText = new Set(["Volume.id", "Picture.id", "PaperFigure.id", "Where.volume", "TrustCheck.section"]);

/** Words that the program picks from a list of its own. */
const isPicked = (type: string): boolean => type.includes('"') || type.includes("ScoreKey");
const isText = (type: string): boolean => /\bstring\b/.test(type.replace(/\[\w+: string\]/g, "")) && !isPicked(type);
const named = (type: string): Fields | undefined => types.get(type.replace(/\[\]| \| null/g, ""));

/** The types that a study is made of. */
function reached(type: string, found = new Set<string>()): Set<string> {
  const fields = types.get(type);
  if (!fields || found.has(type)) return found;
  found.add(type);
  for (const of of fields.values()) for (const [name] of of.matchAll(/\b[A-Z]\w+/g)) reached(name, found);
  return found;
}
const ofStudies = reached("Study");

/** All fields of the schema that hold free texts, as Type.field. */
export const textFields: string[] = [...types].filter(([name]) => ofStudies.has(name)).flatMap(([name, fields]) =>
  [...fields].filter(([field, type]) => isText(type) && !notText.has(`${name}.${field}`)).map(([field]) => `${name}.${field}`),
);

/** One of a list that is empty in a study, so that its texts are on the page as well. */
function made(type: string): unknown {
  if (type.endsWith("[]")) return [];
  if (type.includes("| null")) return null;
  const fields = named(type);
  if (fields) return Object.fromEntries([...fields].map(([field, of]) => [field, made(of)]));
  if (type.includes('"')) return /"(\w+)"/.exec(type)![1];
  if (type === "ScoreKey") return "accuracy";
  if (type.startsWith("[")) return [1, 1, 1].slice(0, type.split(",").length);
  if (type.startsWith("{")) return {};
  return { string: "", number: 1, boolean: true }[type];
}

// Of two classes and of a regression there are none, and the page asks for that.
const meantToBeEmpty = new Set(["Method.class_clusters"]);

/** Equal texts stay equal and different ones apart: names of methods agree everywhere. `first` is the text to begin with. */
export function poison(study: Study, first = 0): { study: Study; fields: Set<string> } {
  let next = 0;
  const renamed = new Map<string, string>();
  const fields = new Set<string>();
  const replaced = (text: string): string => {
    if (!renamed.has(text)) {
      const round = Math.floor(next / hostile.length);
      renamed.set(text, hostile[(first + next++) % hostile.length]! + (round ? ` ${round}` : ""));
    }
    return renamed.get(text)!;
  };
  const walk = (value: unknown, type: string, where: string): unknown => {
    if (typeof value === "string") {
      if (!isText(type) || notText.has(where)) return value;
      fields.add(where);
      return replaced(value);
    }
    if (Array.isArray(value)) {
      const all: unknown[] = value.length > 0 || meantToBeEmpty.has(where) ? value : [made(type.replace(/\[\]$/, ""))];
      return all.map((entry) => walk(entry, type.replace(/\[\]$/, ""), where));
    }
    if (!value || typeof value !== "object") return value;
    const known = named(type);
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => {
        if (known && !known.has(key)) throw new Error(`${where}: the schema has no ${key}`);
        if (known) return [key, walk(entry, known.get(key)!, `${type.replace(/\[\]| \| null/g, "")}.${key}`)];
        // Names of parameters are keys.
        return [type.startsWith("{ [name: string]") ? replaced(key) : key, walk(entry, type.includes("Score }") ? "Score" : type, where)];
      }),
    );
  };
  return { study: walk(study, "Study", "Study") as Study, fields };
}
