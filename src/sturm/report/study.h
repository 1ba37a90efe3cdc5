// SPDX-License-Identifier: BSD-3-Clause
// What a report says: the study that the page is filled with, and that figures are drawn from. The page's types
// (web/src/schema.ts) are printed from these descriptions.
#pragma once

#include "sturm/report/first_screen.h"
#include "sturm/report/study_diagnostics.h"
#include "sturm/report/study_maps.h"
#include "sturm/results/cv_results.h"
#include "sturm/results/cv_tables.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/fit_results.h"

namespace sturm {

enum class ReportKind { cv, fit };
template <>
inline std::vector<std::string> names_of<ReportKind>() {
  return {"cv", "fit"};
}

enum class VolumeKind { map, stability, fold, truth, background, readable, pattern };
template <>
inline std::vector<std::string> names_of<VolumeKind>() {
  return {"map", "stability", "fold", "truth", "background", "readable", "pattern"};
}

struct StudyTarget {
  std::string column;
  OrNull<std::vector<std::string>> classes;
  OrNull<std::string> positive, negative;

  bool regression() const { return !classes; }
  /// The classes where there are more than two, told apart one against the rest; empty otherwise.
  std::vector<std::string> several() const {
    return classes && classes->size() > 2 ? *classes : std::vector<std::string>{};
  }
};
template <>
inline constexpr const char* type_name<StudyTarget> = "Target";
template <class Field>
void describe(Field& field, StudyTarget& t) {
  field("column", t.column);
  field("classes", t.classes, "In the order of their numbers; of two, negative and positive. Null for a regression.");
  field("positive", t.positive,
        "Null for a regression, and for more than two classes, told apart one against the rest.");
  field("negative", t.negative);
}

struct StudyCounts {
  Index samples = 0;
  OrNull<Index> positive;
  OrNull<std::vector<Index>> classes;
  OrNull<Index> groups;
  std::string group_column;
  OrNull<Index> folds;
};
template <>
inline constexpr const char* type_name<StudyCounts> = "Counts";
template <class Field>
void describe(Field& field, StudyCounts& c) {
  field("samples", c.samples);
  field("positive", c.positive);
  field("classes", c.classes, "Of more than two classes, in their order.");
  field("groups", c.groups);
  field("group_column", c.group_column);
  field("folds", c.folds);
}

struct StudyScore {
  double mean = not_known, sd = not_known, pooled = not_known;
  std::vector<double> folds;
  OrNull<std::array<double, 2>> interval;
};
template <>
inline constexpr const char* type_name<StudyScore> = "Score";
template <class Field>
void describe(Field& field, StudyScore& s) {
  field("mean", s.mean, "Over the outer folds.");
  field("sd", s.sd);
  field("pooled", s.pooled, "Of all predictions together.");
  field("folds", s.folds);
  field("interval", s.interval, "Of all predictions together, at 95 %.");
}

struct StudyP {
  double permutation = not_known, binomial = not_known, groups = not_known;
};
template <>
inline constexpr const char* type_name<StudyP> = "PValues";
template <class Field>
void describe(Field& field, StudyP& p) {
  field("permutation", p.permutation, "All of them are one-sided.");
  field("binomial", p.binomial, "Against always naming the largest class.");
  field("groups", p.groups, "The same where groups have several samples.");
}

struct StudyForcedChoice {
  double score = not_known, p = not_known;
  OrNull<std::array<double, 2>> interval;
};
template <>
inline constexpr const char* type_name<StudyForcedChoice> = "ForcedChoice";
template <class Field>
void describe(Field& field, StudyForcedChoice& f) {
  field("score", f.score, "Share of the pairs of a group's samples that are told apart rightly.");
  field("p", f.p, "One-sided, over groups.");
  field("interval", f.interval, "Over groups, at 95 %.");
}

/// What the numbers mean, a sentence or two each; empty where there are none of a kind.
struct StudySentences {
  std::string intervals, p, forced_choice, comparisons, truth;
  std::string readable, path, stability, pattern, learning;
};
template <>
inline constexpr const char* type_name<StudySentences> = "Sentences";
template <class Field>
void describe(Field& field, StudySentences& s) {
  field("intervals", s.intervals);
  field("p", s.p);
  field("forced_choice", s.forced_choice);
  field("comparisons", s.comparisons);
  field("truth", s.truth);
  field("readable", s.readable, "What the readable map is.");
  field("path", s.path, "What the chart of scores against sparsity shows.");
  field("stability", s.stability, "What the stability of a voxel is.");
  field("pattern", s.pattern, "What a forward pattern is, and that a weight is no activation.");
  field("learning", s.learning, "What the learning curve is.");
}

struct StudySparsity {
  double mean = not_known, sd = not_known, in_mask = not_known, in_mask_sd = not_known;
};
template <>
inline constexpr const char* type_name<StudySparsity> = "Sparsity";
template <class Field>
void describe(Field& field, StudySparsity& s) {
  field("mean", s.mean, "Of the box, with the voxels outside the mask.");
  field("sd", s.sd);
  field("in_mask", s.in_mask);
  field("in_mask_sd", s.in_mask_sd);
}

struct StudyFits {
  Index inner = 0, unconverged = 0;
  double worst_gap = not_known;
};
template <>
inline constexpr const char* type_name<StudyFits> = "InnerFits";
template <class Field>
void describe(Field& field, StudyFits& f) {
  field("inner", f.inner);
  field("unconverged", f.unconverged);
  field("worst_gap", f.worst_gap);
}

struct StudyChoice {
  std::string fold;
  double resize = not_known;
  Setting setting;
  double inner_score = not_known;
  Status status = Status::converged;
};
template <>
inline constexpr const char* type_name<StudyChoice> = "Choice";
template <class Field>
void describe(Field& field, StudyChoice& c) {
  field("fold", c.fold);
  field("resize", c.resize);
  field("setting", c.setting);
  field("inner_score", c.inner_score);
  field("status", c.status);
}

struct StudyModel {
  double resize = not_known;
  Setting setting;
  Status status = Status::converged;
  double relative_gap = not_known;
  OrNull<Index> iterations;
  OrNull<std::vector<ClassFit>> classes;
};
template <>
inline constexpr const char* type_name<StudyModel> = "FinalModel";
template <class Field>
void describe(Field& field, StudyModel& m) {
  field("resize", m.resize);
  field("setting", m.setting);
  field("status", m.status);
  field("relative_gap", m.relative_gap);
  field("iterations", m.iterations);
  field("classes", m.classes, "Of more than two classes, the fit of each against the rest, where it is known.");
}

struct GridAxis {
  std::string name;
  std::vector<Number> values;
};
template <>
inline constexpr const char* type_name<GridAxis> = "GridAxis";
template <class Field>
void describe(Field& field, GridAxis& a) {
  field("name", a.name);
  field("values", a.values);
}

struct GridBlock {
  double resize = not_known;
  std::vector<GridAxis> axes;
  std::vector<double> score, sparsity;
  std::vector<Index> chosen;
  std::vector<std::string> best_over;
};
template <>
inline constexpr const char* type_name<GridBlock> = "GridBlock";
template <class Field>
void describe(Field& field, GridBlock& b) {
  field("resize", b.resize);
  field("axes", b.axes, "One for lasso and svm, two for sturm, remurs and enet.");
  field("score", b.score, "Row-major over the axes: mean inner score.");
  field("sparsity", b.sparsity);
  field("chosen", b.chosen, "How many outer folds chose each cell.");
  field("best_over", b.best_over, "Parameters without an axis: a cell is the best over them.");
}

template <>
inline constexpr const char* type_name<TraceRow> = "TraceStep";

struct StudyMethod {
  std::string name, title;
  ByScore<StudyScore> scores;
  OrNull<std::array<double, 2>> interval;
  StudyP p;
  OrNull<StudyForcedChoice> forced_choice;
  std::vector<Number> null_scores;
  StudySparsity sparsity;
  OrNull<ConfusionCounts> confusion;
  OrNull<Index> tubal_rank;
  StudyFits fits;
  std::vector<StudyChoice> chosen;
  OrNull<StudyModel> final;
  std::vector<GridBlock> grid;
  std::vector<TraceRow> trace;
  std::vector<Cluster> clusters;
  std::string cluster_rule;
  std::vector<ClassClusters> class_clusters;
  OrNull<TruthAgreement> truth;
  OrNull<RocBand> roc;
  std::vector<ReliabilityBin> reliability;
  std::vector<DecisionBox> boxes;
  std::vector<ResizeScore> resizing;
  OrNull<StudyReadable> readable;
  std::vector<StudyPathPoint> path;
  std::vector<StudyLearning> learning;

  /// A score of it; one without numbers where it has none.
  StudyScore score(Measure measure) const {
    const auto found = scores.find(measure);
    return found == scores.end() ? StudyScore() : found->second;
  }
};
template <>
inline constexpr const char* type_name<StudyMethod> = "Method";
template <class Field>
void describe(Field& field, StudyMethod& m) {
  field("name", m.name);
  field("title", m.title);
  field("scores", m.scores);
  field("interval", m.interval, "Of the pooled headline score.");
  field("p", m.p);
  field("forced_choice", m.forced_choice, "Where each group has one sample of each class.");
  field("null_scores", m.null_scores, "Headline scores under permuted labels.");
  field("sparsity", m.sparsity);
  field("confusion", m.confusion);
  field("tubal_rank", m.tubal_rank);
  field("fits", m.fits);
  field("chosen", m.chosen, "One for each fold, in order.");
  field("final", m.final, "The model of all samples.");
  field("grid", m.grid, "Inner scores over the grid, mean over outer folds: one block for each resize factor.");
  field("trace", m.trace);
  field("clusters", m.clusters);
  field("cluster_rule", m.cluster_rule, "Which voxels make a cluster, in words.");
  field("class_clusters", m.class_clusters, "In the place of the two above for more than two classes.");
  field("truth", m.truth, "Of a phantom: how its map agrees with what was planted.");
  field("roc", m.roc, "Where at least three outer folds have both classes.");
  field("reliability", m.reliability, "Of two classes: how often a decision value is positive, from low to high.");
  field("boxes", m.boxes, "Of two classes: decision values by class, and by class and site.");
  field("resizing", m.resizing, "Where several resize factors were tried.");
  field("readable", m.readable,
        "Of a method whose penalty makes weights zero: the sparsest setting within one standard error of the best.");
  field("path", m.path, "Of such a method: every setting that the model of all samples was chosen from.");
  field("learning", m.learning, "Where a learning curve was asked for: from the smallest part to all of it.");
}

struct StudyPrediction {
  std::string method, participant, path, fold, actual, predicted;
  double decision = not_known;
  std::string site;
};
template <>
inline constexpr const char* type_name<StudyPrediction> = "Prediction";
template <class Field>
void describe(Field& field, StudyPrediction& p) {
  field("method", p.method);
  field("participant", p.participant);
  field("path", p.path);
  field("fold", p.fold);
  field("actual", p.actual, "Label, or number as text for a regression.");
  field("predicted", p.predicted);
  field("decision", p.decision, "Of more than two classes the largest.");
  field("site", p.site, "Empty: not known.");
}

/// How a method does in a group or a site.
struct StudyPart {
  std::string method, part;
  Index n = 0;
  double score = not_known;
};
template <>
inline constexpr const char* type_name<StudyPart> = "PartScore";
template <class Field>
void describe(Field& field, StudyPart& p) {
  field("method", p.method);
  field("part", p.part, "The group or site.");
  field("n", p.n);
  field("score", p.score, "Study.part_score of its samples.");
}

struct StudyText {
  std::string methods;
  std::vector<std::string> references;
  std::string command;
  std::string caption, bibtex;
};
template <>
inline constexpr const char* type_name<StudyText> = "StudyText";
template <class Field>
void describe(Field& field, StudyText& t) {
  field("methods", t.methods);
  field("references", t.references);
  field("command", t.command);
  field("caption", t.caption, "Of the figure for a paper.");
  field("bibtex", t.bibtex, "The references as BibTeX, with the program itself.");
}

struct StudyData {
  std::vector<ValueCount> table;
  std::vector<Fact> facts;
  std::vector<Excluded> excluded;
  std::vector<std::string> warnings;
};
template <>
inline constexpr const char* type_name<StudyData> = "StudyData";
template <class Field>
void describe(Field& field, StudyData& d) {
  field("table", d.table);
  field("facts", d.facts);
  field("excluded", d.excluded);
  field("warnings", d.warnings);
}

struct ShownVolume {
  std::string id;
  VolumeKind kind = VolumeKind::map;
  OrNull<std::string> method, fold, of_class;
  std::string label;
  std::array<Index, 3> shape{};
  Number limit;
  bool in_world = false;
  bool exact = true;
  std::vector<Number> thresholds;
  std::vector<Index> voxels;
  Index opens = 0;
};
template <>
inline constexpr const char* type_name<ShownVolume> = "Volume";
template <class Field>
void describe(Field& field, ShownVolume& v) {
  field("id", v.id, "Of its script element: volume-ID.");
  field("kind", v.kind,
        "map, readable, stability and pattern have a method; fold a method and a fold; background is the mean or a "
        "template. readable is the map of the sparsest setting within one standard error of the best, where that is "
        "another one than the map's.");
  field("method", v.method);
  field("fold", v.fold);
  field("class", v.of_class, "Of a map of more than two classes: the one whose weights it holds.");
  field("label", v.label);
  field("shape", v.shape);
  field("limit", v.limit, "Largest absolute value.");
  field("in_world", v.in_world, "False for arrays without a space: the affine is then the identity.");
  field("exact", v.exact,
        "Its file has the values of the map. False: rounded to 8 binary digits, by less than 0.8 %, and but for the "
        "background the first bytes of all values come first, then the second ones, and so on.");
  field("thresholds", v.thresholds, "What the slider offers: ascending from 0, and counted in the map itself.");
  field("voxels", v.voxels, "For each threshold, how many voxels are not 0 and at least as large.");
  field("opens", v.opens, "The index of the threshold to begin with, which is that of the clusters.");
}

/// The map that a reader should see first.
struct FirstMap {
  std::string method;
  VolumeKind kind = VolumeKind::map;
};
template <>
inline constexpr const char* type_name<FirstMap> = "FirstMap";
template <class Field>
void describe(Field& field, FirstMap& m) {
  field("method", m.method);
  field("kind", m.kind, "map or readable.");
}

struct Study {
  ReportKind kind = ReportKind::cv;
  std::string title;
  std::vector<std::string> missing;
  StudyTarget target;
  StudyCounts counts;
  Measure score = Measure::accuracy, part_score = Measure::accuracy;
  double chance = not_known, majority = not_known;
  Index permutations = 0;
  double smallest_p = not_known;
  std::string verdict;
  OrNull<std::string> best;
  std::vector<StudyMethod> methods;
  std::vector<Comparison> comparisons;
  StudySentences sentences;
  std::vector<StudyPrediction> predictions;
  std::vector<StudyPart> groups, sites;
  StudyData data;
  std::vector<std::string> warnings;
  StudyText text;
  std::vector<Fact> provenance;
  std::vector<ShownVolume> volumes;
  std::vector<std::string> left_out;
  std::string folder;
  StudyAnswers answers;
  std::vector<TrustCheck> trust;
  StudyWhere where;
  std::vector<PairVerdict> pairs;
  std::vector<StudyFigure> figures;
  std::string anatomy;
  OrNull<FirstMap> first_map;
  OrNull<StudyProgress> progress;
};
template <>
inline constexpr const char* type_name<Study> = "Study";
template <class Field>
void describe(Field& field, Study& s) {
  field("kind", s.kind);
  field("title", s.title, "What was asked: the target, its classes and the data set.");
  field("missing", s.missing, "Of a study that is not finished: what is missing, one sentence for each thing.");
  field("target", s.target);
  field("counts", s.counts);
  field("score", s.score,
        "The headline: the score that chose among settings. A fit has none, and names that of its kind.");
  field("part_score", s.part_score, "The score of groups and sites.");
  field("chance", s.chance, "Of the headline score, by guessing; null for a regression and a fit.");
  field("majority", s.majority, "Accuracy of always naming the largest class.");
  field("permutations", s.permutations);
  field("smallest_p", s.smallest_p, "That permutations can give.");
  field("verdict", s.verdict,
        "The best method, its score, interval, chance and p; then which methods cannot be told from it.");
  field("best", s.best, "The method that the verdict names; null where none has a score.");
  field("methods", s.methods);
  field("comparisons", s.comparisons, "Each pair of methods, baselines apart.");
  field("sentences", s.sentences, "What the numbers mean.");
  field("predictions", s.predictions);
  field("groups", s.groups);
  field("sites", s.sites, "By a column of sites, where the table has one.");
  field("data", s.data);
  field("warnings", s.warnings, "What a careful reader should know.");
  field("text", s.text);
  field("provenance", s.provenance);
  field("volumes", s.volumes);
  field("left_out", s.left_out, "Volumes that were left out to stay below the size limit, in words.");
  field("folder", s.folder, "The name of the folder of results.");
  field("answers", s.answers, "What the first screen says.");
  field("trust", s.trust, "Whether it can be believed, point by point.");
  field("where", s.where, "The map on the first screen.");
  field("pairs", s.pairs, "What each of the comparisons says, in their order.");
  field("figures", s.figures, "For a paper, in two widths; the page makes PNG from the SVG.");
  field("anatomy", s.anatomy, "What the maps are laid over and why, in a sentence; empty without maps.");
  field("first_map", s.first_map,
        "The best readable map: of the methods that are not shown to be worse than the best, the sparsest in the mask; "
        "where none is sparse, that of the best method. Null where there is no map.");
  field("progress", s.progress, "Of a study that is not finished.");
}

}  // namespace sturm
