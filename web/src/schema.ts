// SPDX-License-Identifier: BSD-3-Clause
// Printed by tests/schema/print_schema.cpp from what the program writes; scripts/schema.sh prints it again.

export interface ScoreFacts {
  title: string;
  /** A share of samples, shown in percent. */
  percent: boolean;
  higherIsBetter: boolean;
}

export const scores = {
  accuracy: { title: "Accuracy", percent: true, higherIsBetter: true },
  balanced_accuracy: { title: "Balanced accuracy", percent: true, higherIsBetter: true },
  auc: { title: "AUC", percent: false, higherIsBetter: true },
  sensitivity: { title: "Sensitivity", percent: true, higherIsBetter: true },
  specificity: { title: "Specificity", percent: true, higherIsBetter: true },
  r2: { title: "R²", percent: false, higherIsBetter: true },
  correlation: { title: "Correlation", percent: false, higherIsBetter: true },
  mean_absolute_error: { title: "Mean absolute error", percent: false, higherIsBetter: false },
} as const satisfies { [key: string]: ScoreFacts };

export type ScoreKey = keyof typeof scores;

export interface Target {
  column: string;
  /** In the order of their numbers; of two, negative and positive. Null for a regression. */
  classes: string[] | null;
  /** Null for a regression, and for more than two classes, told apart one against the rest. */
  positive: string | null;
  negative: string | null;
}

export interface Counts {
  samples: number;
  positive: number | null;
  /** Of more than two classes, in their order. */
  classes: number[] | null;
  groups: number | null;
  group_column: string;
  folds: number | null;
}

export interface Score {
  /** Over the outer folds. */
  mean: number | null;
  sd: number | null;
  /** Of all predictions together. */
  pooled: number | null;
  folds: (number | null)[];
  /** Of all predictions together, at 95 %. */
  interval: [number, number] | null;
}

export interface PValues {
  /** All of them are one-sided. */
  permutation: number | null;
  /** Against always naming the largest class. */
  binomial: number | null;
  /** The same where groups have several samples. */
  groups: number | null;
}

export interface ForcedChoice {
  /** Share of the pairs of a group's samples that are told apart rightly. */
  score: number | null;
  /** One-sided, over groups. */
  p: number | null;
  /** Over groups, at 95 %. */
  interval: [number, number] | null;
}

export interface Sparsity {
  /** Of the box, with the voxels outside the mask. */
  mean: number | null;
  sd: number | null;
  in_mask: number | null;
  in_mask_sd: number | null;
}

export interface ConfusionCounts {
  true_positive?: number;
  false_positive?: number;
  true_negative?: number;
  false_negative?: number;
  /** of more than two classes: a row for each actual, a column for each predicted class */
  matrix?: number[][];
}

export interface InnerFits {
  inner: number;
  unconverged: number;
  worst_gap: number | null;
}

export interface Choice {
  fold: string;
  resize: number | null;
  setting: { [name: string]: number };
  inner_score: number | null;
  status: "converged" | "iteration_limit" | "zero_solution";
}

export interface ClassFit {
  class: string;
  objective: number | null;
  dual: number | null;
  relative_gap: number | null;
  iterations: number | null;
  status: "converged" | "iteration_limit" | "zero_solution";
  /** share of the coefficients that is 0 */
  sparsity: number | null;
  sparsity_in_mask: number | null;
  tubal_rank: number | null;
  intercept: number | null;
  /** slope and offset of the probabilities, where they were learnt */
  sigmoid?: [number, number] | null;
}

export interface FinalModel {
  resize: number | null;
  setting: { [name: string]: number };
  status: "converged" | "iteration_limit" | "zero_solution";
  relative_gap: number | null;
  iterations: number | null;
  /** Of more than two classes, the fit of each against the rest, where it is known. */
  classes: ClassFit[] | null;
}

export interface GridAxis {
  name: string;
  values: number[];
}

export interface GridBlock {
  resize: number | null;
  /** One for lasso and svm, two for sturm, remurs and enet. */
  axes: GridAxis[];
  /** Row-major over the axes: mean inner score. */
  score: (number | null)[];
  sparsity: (number | null)[];
  /** How many outer folds chose each cell. */
  chosen: number[];
}

export interface TraceStep {
  iteration: number;
  objective: number | null;
  gap: number | null;
  change: number | null;
}

export interface Cluster {
  /** World millimetres where the file has them, voxels otherwise. */
  peak: [number, number, number];
  voxel: [number, number, number];
  voxels: number;
  /** Cubic millimetres; null without a space. */
  volume: number | null;
  peak_weight: number;
  /** Sum of |w| over that of the map. */
  share: number;
  /** Mean share of folds that select its voxels. */
  selected: number | null;
  /** From an atlas, where one is given. */
  region: string;
}

export interface ClassClusters {
  class: string;
  rule: string;
  clusters: Cluster[];
}

export interface TruthAgreement {
  /** voxels */
  planted: number;
  /** of the planted voxels and as many with the largest |weight| */
  dice: number | null;
  /** the chance that a planted voxel has a larger |weight| than another */
  auc: number | null;
  /** of the weights and the planted values */
  rank_correlation: number | null;
}

export interface Method {
  name: string;
  title: string;
  scores: { [key in ScoreKey]?: Score };
  /** Of the pooled headline score. */
  interval: [number, number] | null;
  p: PValues;
  /** Where each group has one sample of each class. */
  forced_choice: ForcedChoice | null;
  /** Headline scores under permuted labels. */
  null_scores: number[];
  sparsity: Sparsity;
  confusion: ConfusionCounts | null;
  tubal_rank: number | null;
  fits: InnerFits;
  /** One for each fold, in order. */
  chosen: Choice[];
  /** The model of all samples. */
  final: FinalModel | null;
  /** Inner scores over the grid, mean over outer folds: one block for each resize factor. */
  grid: GridBlock[];
  trace: TraceStep[];
  clusters: Cluster[];
  /** Which voxels make a cluster, in words. */
  cluster_rule: string;
  /** In the place of the two above for more than two classes. */
  class_clusters: ClassClusters[];
  /** Of a phantom: how its map agrees with what was planted. */
  truth: TruthAgreement | null;
}

export interface Comparison {
  first: string;
  second: string;
  /** of the pooled accuracy, or R2 of a regression: the first less the second */
  difference: number | null;
  /** samples that the first alone gets right */
  first_alone?: number;
  second_alone?: number;
  /** two-sided, on the same samples */
  p: number | null;
  /** by Holm's method, for all pairs */
  p_adjusted: number | null;
  /** of the headline score: its mean over the outer folds */
  fold_difference: number | null;
  /** of the corrected resampled t-test */
  t: number | null;
  /** two-sided, over the outer folds */
  fold_p: number | null;
  /** by Holm's method, for all pairs */
  fold_p_adjusted: number | null;
}

export interface Sentences {
  intervals: string;
  p: string;
  forced_choice: string;
  comparisons: string;
  truth: string;
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
  decision: number | null;
}

export interface PartScore {
  method: string;
  /** The group or site. */
  part: string;
  n: number;
  /** Study.part_score of its samples. */
  score: number | null;
}

export interface ValueCount {
  column: string;
  value: string;
  count: number;
}

export interface Fact {
  name: string;
  value: string;
}

export interface Excluded {
  sample: string;
  reason: string;
}

export interface StudyData {
  table: ValueCount[];
  facts: Fact[];
  excluded: Excluded[];
  warnings: string[];
}

export interface StudyText {
  methods: string;
  references: string[];
  command: string;
}

export interface Volume {
  /** Of its script element: volume-ID. */
  id: string;
  /** map and stability have a method; fold a method and a fold; background is the mean or a template. */
  kind: "map" | "stability" | "fold" | "truth" | "background";
  method: string | null;
  fold: string | null;
  /** Of a map of more than two classes: the one whose weights it holds. */
  class: string | null;
  label: string;
  shape: [number, number, number];
  /** Largest absolute value. */
  limit: number;
  /** False for arrays without a space: the affine is then the identity. */
  in_world: boolean;
  /** Its file has the values of the map. False: rounded to 8 binary digits, by less than 0.8 %, and but for the background the first bytes of all values come first, then the second ones, and so on. */
  exact: boolean;
  /** What the slider offers: ascending from 0, and counted in the map itself. */
  thresholds: number[];
  /** For each threshold, how many voxels are not 0 and at least as large. */
  voxels: number[];
  /** The index of the threshold to begin with, which is that of the clusters. */
  opens: number;
}

export interface Study {
  kind: "cv" | "fit";
  /** What a reader calls it: the name of the folder. */
  title: string;
  /** Of a study that is not finished: what is missing, one sentence for each thing. */
  missing: string[];
  target: Target;
  counts: Counts;
  /** The headline: the score that chose among settings. A fit has none, and names that of its kind. */
  score: ScoreKey;
  /** The score of groups and sites. */
  part_score: ScoreKey;
  /** Of the headline score, by guessing; null for a regression and a fit. */
  chance: number | null;
  /** Accuracy of always naming the largest class. */
  majority: number | null;
  permutations: number;
  /** That permutations can give. */
  smallest_p: number | null;
  /** The best method, its score, interval, chance and p; then which methods cannot be told from it. */
  verdict: string;
  /** The method that the verdict names; null where none has a score. */
  best: string | null;
  methods: Method[];
  /** Each pair of methods, baselines apart. */
  comparisons: Comparison[];
  /** What the numbers mean. */
  sentences: Sentences;
  predictions: Prediction[];
  groups: PartScore[];
  /** By a column of sites, where the table has one. */
  sites: PartScore[];
  data: StudyData;
  /** What a careful reader should know. */
  warnings: string[];
  text: StudyText;
  provenance: Fact[];
  volumes: Volume[];
  /** Volumes that were left out to stay below the size limit, in words. */
  left_out: string[];
}
