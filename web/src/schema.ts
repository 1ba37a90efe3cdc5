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
  /** Parameters without an axis: a cell is the best over them. */
  best_over: string[];
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
  /** How far folds agree on the sign of its voxels' weights, in the mean. */
  same_sign: number | null;
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

export interface RocBand {
  /** That have both classes. */
  folds: number;
  false_positive: number[];
  /** True positive rate, over the folds. */
  mean: number[];
  sd: number[];
}

export interface ReliabilityBin {
  /** Least decision value. */
  from: number;
  to: number;
  /** Their mean. */
  decision: number;
  n: number;
  positive: number;
  /** Of positive samples. */
  share: number;
  /** Of the exact 95 % interval of Clopper and Pearson, as if samples were independent. */
  low: number;
  high: number;
}

export interface DecisionBox {
  class: string;
  /** Empty: all sites. */
  site: string;
  n: number;
  /** Least value. */
  low: number;
  /** Quartiles. */
  q1: number;
  median: number;
  q3: number;
  high: number;
}

export interface ResizeScore {
  resize: number;
  /** Over the outer folds, of the best inner score. */
  mean: number;
  sd: number | null;
  /** By how many outer folds. */
  chosen: number;
}

export interface Readable {
  resize: number | null;
  setting: { [name: string]: number };
  /** Mean over the inner folds of all samples. */
  inner_score: number | null;
  /** That of the best setting. */
  best_score: number | null;
  /** Of the best score, over the inner folds. */
  standard_error: number | null;
  sparsity: number | null;
  sparsity_in_mask: number | null;
  tubal_rank: number | null;
  relative_gap: number | null;
  status: "converged" | "iteration_limit" | "zero_solution";
  /** It is the setting of the method's map as well; there is no second map then. */
  chosen: boolean;
  /** Of its map; none where it is the chosen one. */
  clusters: Cluster[];
  cluster_rule: string;
  class_clusters: ClassClusters[];
}

export interface PathPoint {
  resize: number | null;
  setting: { [name: string]: number };
  /** Mean over the inner folds. */
  score: number | null;
  /** Mean over the inner folds. */
  sparsity_in_mask: number | null;
  /** Of the settings that are about as sparse it has the best score. */
  front: boolean;
  chosen: boolean;
  /** The sparsest setting within one standard error of the best. */
  readable: boolean;
}

export interface LearningPoint {
  /** Of each training set; 1 is all of it. */
  fraction: number;
  /** That models were trained on, mean over the outer folds. */
  samples: number | null;
  /** Of the headline score, over the outer folds. */
  mean: number | null;
  sd: number | null;
  /** Of all predictions together. */
  pooled: number | null;
  /** Of all predictions together, at 95 %. */
  interval: [number, number] | null;
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
  /** Where at least three outer folds have both classes. */
  roc: RocBand | null;
  /** Of two classes: how often a decision value is positive, from low to high. */
  reliability: ReliabilityBin[];
  /** Of two classes: decision values by class, and by class and site. */
  boxes: DecisionBox[];
  /** Where several resize factors were tried. */
  resizing: ResizeScore[];
  /** Of a method whose penalty makes weights zero: the sparsest setting within one standard error of the best. */
  readable: Readable | null;
  /** Of such a method: every setting that the model of all samples was chosen from. */
  path: PathPoint[];
  /** Where a learning curve was asked for: from the smallest part to all of it. */
  learning: LearningPoint[];
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
  /** What the readable map is. */
  readable: string;
  /** What the chart of scores against sparsity shows. */
  path: string;
  /** What the stability of a voxel is. */
  stability: string;
  /** What a forward pattern is, and that a weight is no activation. */
  pattern: string;
  /** What the learning curve is. */
  learning: string;
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
  /** Empty: not known. */
  site: string;
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
  /** Of the figure for a paper. */
  caption: string;
  /** The references as BibTeX, with the program itself. */
  bibtex: string;
}

export interface Volume {
  /** Of its script element: volume-ID. */
  id: string;
  /** map, readable, stability and pattern have a method; fold a method and a fold; background is the mean or a template. readable is the map of the sparsest setting within one standard error of the best, where that is another one than the map's. */
  kind: "map" | "stability" | "fold" | "truth" | "background" | "readable" | "pattern";
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

export interface Answers {
  /** Whether anything is better than guessing. */
  worked: "yes" | "unclear" | "no";
  /** The same in a sentence, with what guessing reaches. */
  sentence: string;
  /** Whom the interval is over: people, or samples; empty where there is none. */
  interval_of: string;
}

export interface TrustCheck {
  name: string;
  answer: "yes" | "no" | "not known";
  sentence: string;
  /** Id of the section that has more of it. */
  section: string;
  /** Its place in Study.warnings; null where there is none. */
  warning: number | null;
}

export interface Picture {
  /** Of its script element: picture-ID, an SVG file in base64. */
  id: string;
  kind: "glass" | "bar" | "slice";
  /** For those who cannot see it. */
  words: string;
  /** In pixels of the page. */
  width: number;
  height: number;
}

export interface Where {
  /** Its id among the volumes; null where there is no map to show. */
  volume: string | null;
  method: string | null;
  /** Which map it is, and which of its voxels are shown. */
  words: string;
  /** That are shown. */
  voxels: number;
  /** The least |w| that is shown. */
  least: number | null;
  /** The |w| that has the last colour. */
  limit: number | null;
  pictures: Picture[];
}

export interface PairVerdict {
  /** Which of the two is better on the same samples, with p corrected. */
  same_samples: "first" | "second" | "neither" | "unknown";
  /** The same over the outer folds. */
  outer_folds: "first" | "second" | "neither" | "unknown";
  words: string;
}

export interface PaperFigure {
  /** Of its script element: figure-ID, a gzipped file in base64. */
  id: string;
  /** Of the file. */
  name: string;
  /** Its width in print. */
  millimetres: number;
  /** Its width at 300 dpi. */
  pixels: number;
}

export interface FirstMap {
  method: string;
  /** map or readable. */
  kind: "map" | "stability" | "fold" | "truth" | "background" | "readable" | "pattern";
}

export interface Progress {
  /** Tasks. */
  done: number;
  /** In all. */
  tasks: number;
  /** Of the work, by what each task takes. */
  share: number | null;
  /** Where it is known. */
  seconds_left: number | null;
}

export interface Study {
  kind: "cv" | "fit";
  /** What was asked: the target, its classes and the data set. */
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
  /** The name of the folder of results. */
  folder: string;
  /** What the first screen says. */
  answers: Answers;
  /** Whether it can be believed, point by point. */
  trust: TrustCheck[];
  /** The map on the first screen. */
  where: Where;
  /** What each of the comparisons says, in their order. */
  pairs: PairVerdict[];
  /** For a paper, in two widths; the page makes PNG from the SVG. */
  figures: PaperFigure[];
  /** What the maps are laid over and why, in a sentence; empty without maps. */
  anatomy: string;
  /** The best readable map: of the methods that are not shown to be worse than the best, the sparsest in the mask; where none is sparse, that of the best method. Null where there is no map. */
  first_map: FirstMap | null;
  /** Of a study that is not finished. */
  progress: Progress | null;
}
