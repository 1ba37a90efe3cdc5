// SPDX-License-Identifier: BSD-3-Clause
// Parts of a study: what lies behind the scores of a method, what two methods say of each other, and figures.
#pragma once

#include <string>
#include <vector>

#include "sturm/results/describe.h"

namespace sturm {

/// ROC curves of the outer folds, put together at equal false positive rates (vertical averaging).
struct RocBand {
  Index folds = 0;
  std::vector<Number> false_positive, mean, sd;
};
template <>
inline constexpr const char* type_name<RocBand> = "RocBand";
template <class Field>
void describe(Field& field, RocBand& b) {
  field("folds", b.folds, "That have both classes.");
  field("false_positive", b.false_positive);
  field("mean", b.mean, "True positive rate, over the folds.");
  field("sd", b.sd);
}

/// Samples whose decision values lie side by side, and how many of them are positive.
struct ReliabilityBin {
  Number from, to, decision;
  Index n = 0, positive = 0;
  Number share, low, high;
};
template <>
inline constexpr const char* type_name<ReliabilityBin> = "ReliabilityBin";
template <class Field>
void describe(Field& field, ReliabilityBin& b) {
  field("from", b.from, "Least decision value.");
  field("to", b.to);
  field("decision", b.decision, "Their mean.");
  field("n", b.n);
  field("positive", b.positive);
  field("share", b.share, "Of positive samples.");
  field("low", b.low, "Of the exact 95 % interval of Clopper and Pearson, as if samples were independent.");
  field("high", b.high);
}

/// Decision values of a class, in all or at a site, in five numbers.
struct DecisionBox {
  std::string of_class, site;
  Index n = 0;
  Number low, q1, median, q3, high;
};
template <>
inline constexpr const char* type_name<DecisionBox> = "DecisionBox";
template <class Field>
void describe(Field& field, DecisionBox& b) {
  field("class", b.of_class);
  field("site", b.site, "Empty: all sites.");
  field("n", b.n);
  field("low", b.low, "Least value.");
  field("q1", b.q1, "Quartiles.");
  field("median", b.median);
  field("q3", b.q3);
  field("high", b.high);
}

/// What volumes of one size can do: in each outer fold the best setting by the inner score.
struct ResizeScore {
  Number resize, mean;
  double sd = not_known;
  Index chosen = 0;
};
template <>
inline constexpr const char* type_name<ResizeScore> = "ResizeScore";
template <class Field>
void describe(Field& field, ResizeScore& r) {
  field("resize", r.resize);
  field("mean", r.mean, "Over the outer folds, of the best inner score.");
  field("sd", r.sd);
  field("chosen", r.chosen, "By how many outer folds.");
}

/// A figure for a paper, which the page carries as a file.
struct StudyFigure {
  std::string id, name;
  Index millimetres = 0, pixels = 0;
};
template <>
inline constexpr const char* type_name<StudyFigure> = "PaperFigure";
template <class Field>
void describe(Field& field, StudyFigure& f) {
  field("id", f.id, "Of its script element: figure-ID, a gzipped file in base64.");
  field("name", f.name, "Of the file.");
  field("millimetres", f.millimetres, "Its width in print.");
  field("pixels", f.pixels, "Its width at 300 dpi.");
}

/// Which of two methods is better, at 5 % after correction for all pairs.
enum class WhichIsBetter { first, second, neither, unknown };
template <>
inline std::vector<std::string> names_of<WhichIsBetter>() {
  return {"first", "second", "neither", "unknown"};
}

struct PairVerdict {
  WhichIsBetter same_samples = WhichIsBetter::unknown, outer_folds = WhichIsBetter::unknown;
  std::string words;
};
template <>
inline constexpr const char* type_name<PairVerdict> = "PairVerdict";
template <class Field>
void describe(Field& field, PairVerdict& p) {
  field("same_samples", p.same_samples, "Which of the two is better on the same samples, with p corrected.");
  field("outer_folds", p.outer_folds, "The same over the outer folds.");
  field("words", p.words);
}

}  // namespace sturm
