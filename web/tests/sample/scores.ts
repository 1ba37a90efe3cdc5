// SPDX-License-Identifier: BSD-3-Clause
// Scores of made-up predictions.
import type { Prediction } from "../../src/study";

export const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
export const deviation = (values: number[]) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / Math.max(1, values.length - 1));

function auc(rows: Prediction[], positive: string): number {
  let pairs = 0;
  let won = 0;
  for (const a of rows)
    for (const b of rows)
      if (a.actual === positive && b.actual !== positive)
        ((pairs += 1), (won += a.decision! > b.decision! ? 1 : a.decision! === b.decision! ? 0.5 : 0));
  return pairs ? won / pairs : 0.5;
}

type Score = (rows: Prediction[]) => number;
const share = (rows: Prediction[], keep: (row: Prediction) => boolean) => {
  const kept = rows.filter(keep);
  return kept.length ? kept.filter((row) => row.actual === row.predicted).length / kept.length : 0;
};

export function scores(regression: boolean, positive: string): { [key: string]: Score } {
  const pairs = (rows: Prediction[]) => rows.map((row) => [Number(row.actual), Number(row.predicted)] as const);
  if (!regression)
    return {
      accuracy: (rows) => share(rows, () => true),
      balanced_accuracy: (rows) =>
        (share(rows, (row) => row.actual === positive) + share(rows, (row) => row.actual !== positive)) / 2,
      auc: (rows) => auc(rows, positive),
      sensitivity: (rows) => share(rows, (row) => row.actual === positive),
      specificity: (rows) => share(rows, (row) => row.actual !== positive),
    };
  return {
    r2: (rows) => {
      const middle = mean(pairs(rows).map(([a]) => a));
      return (
        1 -
        pairs(rows).reduce((sum, [a, b]) => sum + (a - b) ** 2, 0) /
          pairs(rows).reduce((sum, [a]) => sum + (a - middle) ** 2, 0)
      );
    },
    r: (rows) => {
      const [xs, ys] = [pairs(rows).map(([a]) => a), pairs(rows).map(([, b]) => b)];
      return (
        xs.reduce((sum, x, i) => sum + (x - mean(xs)) * (ys[i]! - mean(ys)), 0) /
        ((xs.length - 1) * deviation(xs) * deviation(ys))
      );
    },
    mae: (rows) => mean(pairs(rows).map(([a, b]) => Math.abs(a - b))),
  };
}
