// SPDX-License-Identifier: BSD-3-Clause
// Printed by tests/schema/print_schema.cpp from what the program writes; scripts/schema.sh prints it again.
import type { ClassFit, Comparison, ConfusionCounts, TruthAgreement } from "./schema";

export interface GroupCount {
  column: string;
  count: number;
}

export interface StudySettings {
  /** names with commas, or all: the rows of the paper's tables, MMK and SURF */
  methods: string;
  /** folds to test on: a number, loo (leave one sample out), group (leave one group out) or column:NAME (given folds); auto: 10, or as many as the smallest class or the groups allow */
  outer: string;
  /** folds inside each training set, to choose the setting with: a number, loo or group; auto: 9, or as many as fit */
  inner: string;
  /** settings to choose from. path: relative to where coefficients become zero; paper: the paper's */
  grid: "path" | "paper";
  /** by which they are chosen. auto: accuracy, or r2 for a regression */
  score: "auto" | "accuracy" | "balanced-accuracy" | "auc" | "r2" | "correlation";
  /** choose the sparsest setting within one standard error of the best, not the best */
  "one-standard-error": boolean;
  /** factors of the volumes' extents to choose from, such as 0.3,0.5,0.7 */
  resize: string;
  /** percents of the selected voxels that + SVM may keep, such as 1,5,10,50,100 */
  top: string;
  /** how often all of it is repeated with permuted labels, for a p-value */
  permutations: number;
  /** how often the outer folds are dealt anew; scores are means over all of them */
  repeats: number;
  /** scores of smaller training sets as well: a number of steps, such as 5, or shares, such as 0.25,0.5 */
  "learning-curve": string;
  /** weigh samples in training so that all classes count alike */
  balanced: boolean;
  /** column whose samples stay together (default: participant_id where there is one), or none */
  groups: string;
  /** columns that are regressed out of the volumes, inside each training set */
  confounds: string;
  /** none; sample: each volume to mean 0 and norm 1; voxel: each voxel to variance 1 */
  normalize: "none" | "sample" | "voxel";
  /** fit no intercept */
  intercept: boolean;
  /** weight of the loss; auto: the one of the method's paper */
  alpha: number | null;
  /** errors that the SVMs of a regression do not count, in standard deviations of the target */
  tube: number | null;
  /** inner fits go to this gap first, and only those whose setting could still be chosen to `gap` */
  "inner-gap": number | null;
  /** certified: to a proven gap; paper: Algorithm 2 as printed, rho and iterations fixed */
  solver: "certified" | "paper";
  /** certified: stop when the relative duality gap is below this */
  gap: number | null;
  /** stop here at the latest (0: 20000, or 500 with `solver paper`) */
  iterations: number;
  /** paper: the penalty of the augmented Lagrangian */
  rho: number | null;
  /** certified: over-relaxation, in [1, 2) */
  relaxation: number | null;
  /** random numbers started here */
  seed: number;
  /** of the volumes and of the solver */
  precision: "f32" | "f64";
  /** column that was predicted */
  target: string;
  /** its positive value */
  positive: string;
  /** every value of it is a class */
  classes: boolean;
  /** auto: each training set learnt its own */
  mask: string;
  /** column of the samples' weights in training; scores count every sample alike */
  weights: string;
  /** a hash of the samples' names, labels, groups, confounds, weights and folds */
  "the table": string;
  /** a hash of the volumes as they were used */
  "the volumes": string;
  /** goes up when the same study would give other numbers */
  "the version of the numerics": number;
}

export interface StatisticsFacts {
  /** of the intervals */
  level: number;
  /** of a bootstrap */
  draws: number;
  /** what is drawn: groups, with all of their samples, where one has several */
  units: "samples" | "groups";
  /** of these units */
  count: number;
  /** of two methods on the same samples, two-sided */
  paired_test: "exact McNemar test" | "sign flips of groups" | "sign flips of samples";
}

export interface ChosenSetting {
  resize: number | null;
  /** And its parameters, by their names. */
  [name: string]: unknown;
}

export interface AllSamples {
  resize: number | null;
  /** And its parameters, by their names. */
  [name: string]: unknown;
  /** mean over the inner folds */
  inner_score: number | null;
  objective: number | null;
  relative_gap: number | null;
  iterations: number | null;
  status: "converged" | "iteration_limit" | "zero_solution";
  /** of a method with coefficients: the share that is 0 */
  sparsity?: number | null;
  sparsity_in_mask?: number | null;
  tubal_rank?: number | null;
  shape?: [number, number, number];
}

export interface ReadableModel {
  resize: number | null;
  /** And its parameters, by their names. */
  [name: string]: unknown;
  /** mean over the inner folds */
  inner_score: number | null;
  /** that of the best setting */
  best_score: number | null;
  /** of the best score: standard deviation over the inner folds / sqrt(folds) */
  standard_error: number | null;
  objective: number | null;
  relative_gap: number | null;
  iterations: number | null;
  status: "converged" | "iteration_limit" | "zero_solution";
  /** the share of the coefficients that is 0 */
  sparsity: number | null;
  sparsity_in_mask: number | null;
  tubal_rank: number | null;
  /** the setting of all_samples: nothing was fitted twice */
  same_as_chosen: boolean;
}

export interface LearningScore {
  /** of each training set; 1 is all of it */
  fraction: number;
  /** that models were trained on, mean over the outer folds */
  samples: number | null;
  /** of the headline score, over the outer folds */
  mean: number | null;
  sd: number | null;
  /** of all predictions together */
  pooled: number | null;
  /** of that, at 95 %: see statistics */
  interval?: [number, number];
}

export interface MethodResults {
  title: string;
  /** mean over the outer folds */
  accuracy?: number | null;
  /** its standard deviation */
  accuracy_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_accuracy?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_accuracy_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  accuracy_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  balanced_accuracy?: number | null;
  /** its standard deviation */
  balanced_accuracy_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_balanced_accuracy?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_balanced_accuracy_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  balanced_accuracy_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  auc?: number | null;
  /** its standard deviation */
  auc_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_auc?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_auc_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  auc_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  sensitivity?: number | null;
  /** its standard deviation */
  sensitivity_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_sensitivity?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_sensitivity_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  sensitivity_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  specificity?: number | null;
  /** its standard deviation */
  specificity_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_specificity?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_specificity_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  specificity_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  r2?: number | null;
  /** its standard deviation */
  r2_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_r2?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_r2_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  r2_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  correlation?: number | null;
  /** its standard deviation */
  correlation_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_correlation?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_correlation_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  correlation_sd_of_repeats?: number | null;
  /** mean over the outer folds */
  mean_absolute_error?: number | null;
  /** its standard deviation */
  mean_absolute_error_sd?: number | null;
  /** of all predictions together; of several deals, of their mean */
  pooled_mean_absolute_error?: number | null;
  /** of that, at 95 %: see statistics */
  pooled_mean_absolute_error_interval?: [number, number];
  /** standard deviation of the means of the deals of the folds */
  mean_absolute_error_sd_of_repeats?: number | null;
  /** one-sided: of being right so often, if right as often as always naming the largest class; where no group has two samples */
  binomial_p?: number | null;
  /** the same where groups have several samples, which are not independent: with as many trials as the spread between groups leaves */
  group_p?: number | null;
  /** where each group has one sample of each class: the share of pairs of a group's samples that are told apart rightly */
  forced_choice?: number | null;
  /** at 95 %, over groups */
  forced_choice_interval?: [number, number];
  /** one-sided, over groups */
  forced_choice_p?: number | null;
  confusion?: ConfusionCounts;
  /** one-sided; never below smallest_p */
  permutation_p?: number | null;
  /** of the score under permuted labels */
  null_mean?: number | null;
  null_sd?: number | null;
  /** of a method with coefficients: the share that is 0, mean over the outer folds */
  sparsity?: number | null;
  sparsity_sd?: number | null;
  sparsity_in_mask?: number | null;
  sparsity_in_mask_sd?: number | null;
  inner_fits: number;
  inner_fits_unconverged: number;
  inner_worst_gap: number | null;
  folds_unconverged: number;
  /** by each outer fold that is done */
  chosen: ChosenSetting[];
  /** the model of all samples */
  all_samples?: AllSamples;
  /** of a phantom: how its map agrees with what was planted */
  truth?: TruthAgreement;
  /** the sparsest setting within one standard error of the best, and its model */
  readable?: ReadableModel;
  /** the headline score of models of parts of the training sets, where it was asked for */
  learning?: LearningScore[];
}

export interface CvResults {
  /** of the program */
  version: string;
  /** column */
  target: string;
  /** of a classification; of two, negative and positive */
  labels?: string[];
  samples: number;
  /** of more than two classes */
  class_samples?: number[];
  /** of two classes */
  positive_samples?: number;
  /** 1 / number of classes */
  chance?: number | null;
  /** accuracy of always naming the largest class */
  majority?: number | null;
  /** whose samples stay together */
  groups?: GroupCount;
  outer_folds: number;
  /** how often they were dealt, where more than once */
  repeats?: number;
  /** by which settings were chosen */
  score: "auto" | "accuracy" | "balanced-accuracy" | "auc" | "r2" | "correlation";
  resize: (number | null)[];
  permutations: number;
  /** what changed places */
  permuted?: "samples" | "within groups" | "whole groups of equal size" | "whole groups";
  /** that permutations can give */
  smallest_p?: number | null;
  settings?: StudySettings;
  /** how intervals and paired tests were made */
  statistics?: StatisticsFacts;
  methods: { [name: string]: MethodResults };
  /** each pair of methods, baselines apart */
  comparisons?: Comparison[];
}

export interface FitGrid {
  shape: [number, number, number];
  affine: [[number, number, number, number], [number, number, number, number], [number, number, number, number]];
}

export interface FitChoice {
  /** by which it was chosen */
  score: "auto" | "accuracy" | "balanced-accuracy" | "auc" | "r2" | "correlation";
  /** mean over the folds: optimistic, since the best of all settings was taken */
  inner_score: number | null;
  folds: number;
  /** how many there were to choose from */
  settings: number;
}

export interface FitResults {
  method: string;
  tau: number | null;
  gamma: number | null;
  /** weight of the loss */
  alpha: number | null;
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
  n_samples: number;
  shape: [number, number, number];
  seconds: number | null;
  solver: "certified" | "paper";
  precision: string;
  normalize: "none" | "sample" | "voxel";
  parameters: { [name: string]: number };
  /** column */
  target: string;
  /** of a classification; of two, negative and positive */
  labels: string[] | null;
  /** of the program */
  version: string;
  /** of more than two classes, each against the rest */
  classes?: ClassFit[];
  /** of two classes: slope and offset of the probabilities, where they were learnt */
  sigmoid?: [number, number] | null;
  /** of volumes: where they lie */
  grid?: FitGrid;
  resize?: number | null;
  /** where the setting was chosen by cross-validation */
  choice?: FitChoice;
  /** columns that were regressed out of the volumes */
  confounds?: string[];
}
