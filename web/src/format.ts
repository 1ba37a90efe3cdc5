// SPDX-License-Identifier: BSD-3-Clause
// Numbers and score names as a reader sees them.
import { scores, type Maybe, type ScoreFacts, type ScoreKey } from "./study";

export const nothing = "–";

/** What a column can show: a score, or the share of coefficients that are zero. */
export type Quantity = ScoreKey | "sparsity";
const quantities: { [key in Quantity]: ScoreFacts } = {
  ...scores,
  sparsity: { title: "Sparsity", percent: true, higherIsBetter: true },
};

export const isPercent = (key: Quantity): boolean => quantities[key].percent;
/** What a score is multiplied by on an axis. */
export const axisUnit = (key: Quantity): number => (isPercent(key) ? 100 : 1);
export const lowerIsBetter = (key: Quantity): boolean => !quantities[key].higherIsBetter;
export const scoreTitle = (key: Quantity): string => quantities[key].title;
export const scoreTitleWithUnit = (key: Quantity): string => scoreTitle(key) + (isPercent(key) ? " (%)" : "");

/** A score in the unit of its column: percent for shares of samples, the plain number otherwise. */
export function score(key: Quantity, value: Maybe | undefined, digits = isPercent(key) ? 2 : 3): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return nothing;
  return (isPercent(key) ? 100 * value : value).toFixed(digits).replace("-", "−");
}

/** The number of a column headed "(%)": in percent, without the dust of a multiplication. */
export const inUnit = (key: Quantity, value: Maybe | undefined): Maybe =>
  value === null || value === undefined ? null : isPercent(key) ? Number((100 * value).toPrecision(12)) : value;

export function scoreWithUnit(key: Quantity, value: Maybe | undefined, digits?: number): string {
  const text = score(key, value, digits);
  return isPercent(key) && text !== nothing ? `${text} %` : text;
}

export function plusMinus(key: Quantity, mean: Maybe | undefined, sd: Maybe | undefined): string {
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
