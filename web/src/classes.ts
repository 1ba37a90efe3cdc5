// SPDX-License-Identifier: BSD-3-Clause
// What a study tells apart: numbers, two classes, or several one against the rest.
import type { Cluster, Method, Study, Volume } from "./study";

export const isRegression = (study: Study): boolean => study.target.classes === null;

/** The names of more than two classes; null for two and for a regression. */
export const severalClasses = (study: Study): string[] | null =>
  study.target.classes !== null && study.target.classes.length > 2 ? study.target.classes : null;

/** What is told apart, in a line. */
export function targetWords(study: Study): string {
  const { column, positive, negative } = study.target;
  const several = severalClasses(study);
  if (several) return `${column}: ${inWords(several)}, told apart one against the rest`;
  return isRegression(study) ? column : `${column}: ${positive} against ${negative ?? "the rest"}`;
}

/** "a, b and c". */
const inWords = (names: string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** Samples of each class, in the order of the classes; empty where there are not more than two. */
export function classCounts(study: Study): { name: string; count: number }[] {
  const counts = study.counts.classes;
  return (severalClasses(study) ?? []).flatMap((name, i) => {
    const count = counts?.[i];
    return count === undefined ? [] : [{ name, count }];
  });
}

/** The clusters of a map. */
export function clustersOfVolume(method: Method, { kind, class: ofClass }: Volume): Cluster[] {
  const of = kind === "readable" && method.readable && !method.readable.chosen ? method.readable : method;
  return ofClass === null ? of.clusters : (of.class_clusters?.find((list) => list.class === ofClass)?.clusters ?? []);
}

/** The clusters of a method's map; of more than two classes, of the map of one of them. */
export function clustersOf(method: Method, ofClass: string | null): { rule: string; clusters: Cluster[] } {
  if (ofClass === null) return { rule: method.cluster_rule ?? "", clusters: method.clusters };
  return method.class_clusters?.find((list) => list.class === ofClass) ?? { rule: "", clusters: [] };
}
