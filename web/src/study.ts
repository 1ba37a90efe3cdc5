// SPDX-License-Identifier: BSD-3-Clause
// The seam between the program and the page: what the program writes into a report. Missing numbers are null.

export type Maybe = number | null;

export interface Study {
  kind: "cv" | "fit";
  /** What a reader calls it: the name of the folder. */
  title: string;
  /** Set where a study is not whole: what is missing, in a sentence each. */
  missing: string[];
  target: {
    column: string;
    /** In the order of their numbers; of two, negative and positive. Null for a regression. */
    classes: string[] | null;
    /** Null for a regression, and for more than two classes, which are told apart one against the rest. */
    positive: string | null;
    negative: string | null;
    unit?: string;
  };
  counts: {
    samples: number;
    positive: Maybe;
    /** Of more than two classes, in their order. */
    classes: number[] | null;
    groups: Maybe;
    group_column: string;
    folds: Maybe;
  };
  /** The score that chose among settings, and is the headline: a key of Method.scores. */
  score: string;
  chance: Maybe;
  majority: Maybe;
  permutations: number;
  /** One sentence: the best method, its score, interval, chance and p. */
  verdict: string;
  /** The method that the verdict names; null where none has a score. */
  best: string | null;
  methods: Method[];
  predictions: Prediction[];
  groups: { method: string; group: string; n: number; score: Maybe }[];
  /** By a column of sites, where the table has one. */
  sites: { method: string; site: string; n: number; score: Maybe }[];
  data: {
    table: { column: string; value: string; count: number }[];
    facts: { name: string; value: string }[];
    excluded: { sample: string; reason: string }[];
    warnings: string[];
  };
  /** What a careful reader should know: small sample, confounded site, unconverged fits, imbalance. */
  warnings: string[];
  text: { methods: string; references: string[]; command: string };
  provenance: { name: string; value: string }[];
  volumes: Volume[];
  /** Volumes that were left out to stay below the size limit, in words. */
  left_out: string[];
}

export interface Method {
  name: string;
  title: string;
  /** Mean and deviation over folds, and of all predictions pooled; keys as in results.json, such as accuracy, auc, r2. */
  scores: { [key: string]: { mean: Maybe; sd: Maybe; pooled: Maybe; folds: Maybe[] } };
  /** Of the pooled headline score. */
  interval: [number, number] | null;
  p: { permutation: Maybe; binomial: Maybe };
  /** Headline scores under permuted labels. */
  null_scores: number[];
  sparsity: { mean: Maybe; sd: Maybe; in_mask: Maybe };
  /** Of more than two classes a matrix: a row each actual, a column each predicted class. */
  confusion: { tp: number; fp: number; tn: number; fn: number } | { matrix: number[][] } | null;
  tubal_rank: Maybe;
  fits: { inner: number; unconverged: number; worst_gap: Maybe };
  /** One a fold, in order. */
  chosen: { fold: string; resize: Maybe; setting: { [name: string]: number }; inner_score: Maybe; status: string }[];
  /** The model of all samples. */
  final: {
    resize: Maybe;
    setting: { [name: string]: number };
    status: string;
    relative_gap: Maybe;
    iterations: Maybe;
    /** Of more than two classes, the fit of each against the rest, where it is known. */
    classes?: ClassFit[] | null;
  } | null;
  /** Inner scores over the grid, mean over outer folds: one block a resize factor. */
  grid: GridBlock[];
  trace: { iteration: number; objective: number; gap: number; change: number }[];
  clusters: Cluster[];
  /** Which voxels make a cluster, in words. */
  cluster_rule?: string;
  /** In the place of the two above for more than two classes. */
  class_clusters?: { class: string; rule: string; clusters: Cluster[] }[];
}

export interface ClassFit {
  class: string;
  status: string;
  objective: Maybe;
  dual: Maybe;
  relative_gap: Maybe;
  iterations: Maybe;
  sparsity: Maybe;
  sparsity_in_mask: Maybe;
  tubal_rank: Maybe;
  intercept: Maybe;
}

export interface GridBlock {
  resize: Maybe;
  /** Axes with values ("0.1", or relative steps); one axis for lasso and svm, two for sturm, remurs and enet. */
  axes: { name: string; values: number[] }[];
  /** Row-major over axes: mean inner score, and mean sparsity. */
  score: Maybe[];
  sparsity: Maybe[];
  /** How many outer folds chose each cell. */
  chosen: number[];
}

export interface Prediction {
  method: string;
  participant: string;
  path: string;
  fold: string;
  /** Label, or number as text for a regression. */
  actual: string;
  predicted: string;
  /** Of more than two classes the largest. */
  decision: Maybe;
}

export interface Cluster {
  /** World millimetres where the file has them, voxels otherwise. */
  peak: [number, number, number];
  voxel: [number, number, number];
  voxels: number;
  /** Cubic millimetres; null without a space. */
  volume: Maybe;
  peak_weight: number;
  /** Sum of |w| over that of the map. */
  share: number;
  /** Mean share of folds that select its voxels. */
  selected: Maybe;
  /** From an atlas, where one is given. */
  region: string;
}

export interface Volume {
  /** Of its script element: volume-ID. */
  id: string;
  /** "map" and "stability" have a method; "fold" a method and a fold; "background" is the template or mean volume. */
  kind: "map" | "stability" | "fold" | "truth" | "background" | "mask";
  method: string | null;
  fold: string | null;
  /** Of a map of more than two classes: the one whose weights it holds. */
  class?: string | null;
  label: string;
  shape: [number, number, number];
  /** Largest absolute value. */
  limit: number;
  /** False for arrays without a space: the affine is then the identity. */
  in_world: boolean;
}
