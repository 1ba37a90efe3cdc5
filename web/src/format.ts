// SPDX-License-Identifier: BSD-3-Clause
// Numbers and score names as a reader sees them.
import type { Maybe } from "./study";

export const nothing = "–";

const titles: { [key: string]: string } = {
  accuracy: "Accuracy",
  balanced_accuracy: "Balanced accuracy",
  auc: "AUC",
  sensitivity: "Sensitivity",
  specificity: "Specificity",
  precision: "Precision",
  f1: "F1",
  r2: "R²",
  r: "Correlation r",
  pearson: "Correlation r",
  correlation: "Correlation r",
  mae: "Mean absolute error",
  rmse: "Root mean squared error",
  mse: "Mean squared error",
  sparsity: "Sparsity",
};

const percentages = new Set(["accuracy", "balanced_accuracy", "sensitivity", "specificity", "precision", "sparsity"]);
const errors = new Set(["mae", "rmse", "mse", "error", "loss"]);

export const isPercent = (key: string): boolean => percentages.has(key);
/** What a score is multiplied by on an axis. */
export const axisUnit = (key: string): number => (isPercent(key) ? 100 : 1);
export const lowerIsBetter = (key: string): boolean => errors.has(key);

export function scoreTitle(key: string): string {
  const known = Object.hasOwn(titles, key) ? titles[key] : undefined;
  return known ?? key.replaceAll("_", " ").replace(/^./, (c) => c.toUpperCase());
}

export const scoreTitleWithUnit = (key: string): string => scoreTitle(key) + (isPercent(key) ? " (%)" : "");

/** A score in the unit of its column: percent for shares of samples, the plain number otherwise. */
export function score(key: string, value: Maybe | undefined, digits = isPercent(key) ? 2 : 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  return (isPercent(key) ? 100 * value : value).toFixed(digits).replace("-", "−");
}

export function scoreWithUnit(key: string, value: Maybe | undefined, digits?: number): string {
  const text = score(key, value, digits);
  return isPercent(key) && text !== nothing ? `${text} %` : text;
}

export function plusMinus(key: string, mean: Maybe | undefined, sd: Maybe | undefined): string {
  const text = score(key, mean);
  return text === nothing || sd === null || sd === undefined ? text : `${text} ± ${score(key, sd)}`;
}

export function integer(value: Maybe | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const superscript = (exponent: number): string =>
  (exponent < 0 ? "⁻" : "") + [...Math.abs(exponent).toString()].map((digit) => superscripts[Number(digit)]).join("");

/** A few significant digits, with a power of ten where zeros would be counted. */
export function general(value: Maybe | undefined, digits = 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) {
    const text = Number(value.toPrecision(digits)).toString();
    return text.replace("-", "−");
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  return `${Number(mantissa).toString().replace("-", "−")} × 10${superscript(Number(exponent))}`;
}

export function probability(p: Maybe | undefined): string {
  if (p === null || p === undefined || !Number.isFinite(p)) return nothing;
  return p >= 0.001 ? p.toFixed(3) : p >= 0.0001 ? p.toFixed(4) : general(p, 2);
}

export const setting = (values: { [name: string]: number }): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${general(value, 4)}`)
    .join(", ");
