// SPDX-License-Identifier: BSD-3-Clause
// How good predictions are, and how much of it may be luck. A score that the data do not define is NaN.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sturm/core/options.h"
#include "sturm/core/shape.h"

namespace sturm {

/// The four counts of a classification in two: +1 and -1.
struct Confusion {
  Index true_positive = 0, false_positive = 0, true_negative = 0, false_negative = 0;

  Index total() const { return true_positive + false_positive + true_negative + false_negative; }
};

/// A label above 0 is positive, actual and predicted alike.
Confusion confusion(std::span<const double> actual, std::span<const double> predicted);

double sensitivity(const Confusion& c);  ///< share of the positive that are found; NaN where there are none
double specificity(const Confusion& c);  ///< share of the negative that are found; NaN where there are none

/// +1 or -1 for each decision value, 0 being positive; NaN for NaN.
std::vector<double> predicted_labels(std::span<const double> decision);

/// The class of each sample from its decision values: by their sign where there is one a sample, and otherwise, for
/// classes 0 to K - 1, that of the largest of its K, which lie side by side; the first among equals. NaN for NaN.
std::vector<double> predicted_labels(std::span<const double> decision, std::size_t samples);

/// How often each class of K is taken for each: rows are what samples are, columns what they are taken for.
std::vector<std::vector<Index>> confusion_matrix(std::span<const double> actual, std::span<const double> predicted,
                                                 Index classes);

/// Share of equal labels, of two classes or many.
double accuracy(std::span<const double> actual, std::span<const double> predicted);

/// Mean over the classes of `actual` of the share of each that is found.
double balanced_accuracy(std::span<const double> actual, std::span<const double> predicted);

/// The chance that a positive sample has the larger decision value than a negative one, ties counting half. NaN where
/// there is one class alone or a decision value is NaN. With K decision values a sample: the mean over the classes of
/// each against the rest, by its own values, over the classes for which that is defined.
double auc(std::span<const double> actual, std::span<const double> decision);

/// 1 - sum (y - p)^2 / sum (y - mean y)^2; NaN where y does not vary.
double r_squared(std::span<const double> actual, std::span<const double> predicted);
/// Correlation; NaN where either does not vary.
double pearson(std::span<const double> actual, std::span<const double> predicted);
double mean_absolute_error(std::span<const double> actual, std::span<const double> predicted);

struct MeanSd {
  double mean = 0, sd = 0;
  Index count = 0;
};

/// Over the values that are not NaN; sd divides by count - 1 and is NaN below two.
MeanSd mean_sd(std::span<const double> values);

double majority_share(std::span<const double> actual);  ///< accuracy of always naming the most frequent class
double chance_level(std::span<const double> actual);    ///< 1 / number of classes: balanced accuracy of any guessing

struct Interval {
  double low = 0, high = 1;
};

/// The exact interval of Clopper and Pearson for a share: never too short, however few the trials. Predictions of a
/// cross-validation are not quite independent, so that it is a guide and no proof.
Interval share_interval(Index successes, Index trials, double level = 0.95);

/// P(at least so many successes) where each trial succeeds by chance.
double binomial_p(Index successes, Index trials, double chance);

/// I_x(a, b), the regularised incomplete beta function, for a, b > 0 and x in [0, 1].
double incomplete_beta(double a, double b, double x);

/// What predictions can be judged by. all_measures() says everything about each, and nothing else does: tables,
/// results.json, the report and its page take names, units and the better direction from there.
enum class Measure { accuracy, balanced_accuracy, auc, sensitivity, specificity, r2, correlation, mean_absolute_error };

struct MeasureFacts {
  Measure measure;
  const char* key;    ///< in results.json, in tables and on the page
  const char* words;  ///< in a sentence; a title is the same with a capital
  bool of_classes;    ///< false: of a regression
  bool of_two_alone;  ///< and not of several classes
  bool percent;       ///< a share of samples, shown in percent
  bool higher_is_better;
  double (*of)(std::span<const double> actual, std::span<const double> decision);
};
/// In the order of the enum, which is that of tables.
std::span<const MeasureFacts> all_measures();
const MeasureFacts& facts_of(Measure measure);
/// Its words with a capital, for the head of a column.
std::string title_of(const MeasureFacts& facts);
template <>
std::vector<std::string> names_of<Measure>();

/// Those of a study: of a regression (`classification` false), of two classes (`several` 0) or of several.
std::vector<Measure> measures_of(bool classification, Index several);
/// By which groups and sites are told apart: it is defined for one sample, and for samples of one class.
Measure measure_of_parts(bool classification);

/// What chooses among settings: measures of which more is better.
enum class Score { automatic, accuracy, balanced_accuracy, auc, r2, correlation };
template <>
inline std::vector<std::string> names_of<Score>() {
  return {"auto", "accuracy", "balanced-accuracy", "auc", "r2", "correlation"};
}
/// The measure of a score; `automatic` is that of accuracy.
Measure measure_of(Score score);

/// Larger is better; NaN where the data do not define it. A decision value of 0 counts as positive. Several classes
/// have a decision value each: see predicted_labels.
double score(Score kind, std::span<const double> actual, std::span<const double> decision);

}  // namespace sturm
