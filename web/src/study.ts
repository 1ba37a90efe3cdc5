// SPDX-License-Identifier: BSD-3-Clause
// What the program writes into a report, in the page's words. The types themselves are printed from the program's own
// descriptions: schema.ts, renewed by scripts/schema.sh.
import type { Method, Score, ScoreKey } from "./schema";

export * from "./schema";

/** Missing numbers are null. */
export type Maybe = number | null;

/** The scores that a method has, in their order. */
export const scoresOf = (method: Method | undefined): [ScoreKey, Score][] =>
  Object.entries(method?.scores ?? {}) as [ScoreKey, Score][];
