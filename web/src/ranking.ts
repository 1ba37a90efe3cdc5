// SPDX-License-Identifier: BSD-3-Clause
// Which method is first and second, by the mean over folds as in the tables.
import { scores, type Maybe, type Method, type ScoreKey, type Study } from "./study";

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

/**
 * The method that the page opens with: the best of those whose map is sparse, since a map without zeros cannot be read
 * voxel by voxel, unless that method is shown to be worse than the best of all.
 */
export function opensWith(study: Study): Method | undefined {
  const top = best(study);
  // What opens at a threshold above 0 has too many voxels; what fills little of the box may still fill a small mask.
  const readable = ({ name, sparsity }: Method) =>
    (sparsity.in_mask ?? 1) >= 0.5 &&
    study.volumes.some(
      ({ kind, method, limit, opens }) => kind === "map" && method === name && limit > 0 && opens === 0,
    );
  const worse = ({ name }: Method) =>
    study.comparisons.some(({ first, second, p_adjusted, fold_p_adjusted }) => {
      const pair = [first, second];
      return pair.includes(name) && pair.includes(top!.name) && Math.min(p_adjusted ?? 1, fold_p_adjusted ?? 1) <= 0.05;
    });
  const sign = scores[study.score].higherIsBetter ? 1 : -1;
  const value = (method: Method) => sign * (headline(method, study.score) ?? -Infinity * sign);
  const sparse = study.methods.filter(readable).sort((a, b) => value(b) - value(a));
  return sparse.find((method) => method === top || !worse(method)) ?? top;
}
