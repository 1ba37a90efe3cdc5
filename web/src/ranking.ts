// SPDX-License-Identifier: BSD-3-Clause
// Which method is first and second, by the mean over folds as in the tables.
import type { Maybe, Method, ScoreKey, Study, Volume } from "./study";

/** Of a fit, which has no folds, the pooled score stands for the mean. */
export function headline(method: Method, key: ScoreKey): Maybe {
  const found = method.scores[key];
  return found?.mean ?? found?.pooled ?? null;
}

/** Ranks 1 and 2 by name; values that differ by rounding alone share a rank. */
export function ranks(values: { name: string; value: Maybe }[], lower = false, digits = 9): Map<string, 1 | 2> {
  const rounded = values
    .filter((entry): entry is { name: string; value: number } => entry.value !== null && Number.isFinite(entry.value))
    .map(({ name, value }) => ({ name, value: Number(value.toFixed(digits)) }));
  const levels = [...new Set(rounded.map(({ value }) => value))].sort((a, b) => (lower ? a - b : b - a));
  const result = new Map<string, 1 | 2>();
  if (rounded.length < 2) return result;
  for (const { name, value } of rounded) {
    if (value === levels[0]) result.set(name, 1);
    else if (value === levels[1]) result.set(name, 2);
  }
  return result;
}

/** The method that the verdict names; the first where no score says. */
export const best = (study: Study): Method | undefined =>
  study.methods.find(({ name }) => name === study.best) ?? study.methods[0];

/** The map that the page opens with: the program says which one can be read best; of several classes the first one's. */
export const firstVolume = (study: Study): Volume | undefined =>
  study.volumes.find(
    ({ kind, method, limit }) => kind === study.first_map?.kind && method === study.first_map.method && limit > 0,
  );

/** The method of that map. */
export const opensWith = (study: Study): Method | undefined =>
  study.methods.find(({ name }) => name === study.first_map?.method) ?? best(study);
