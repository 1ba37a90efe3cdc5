// SPDX-License-Identifier: BSD-3-Clause
// What a report says in sentences, from the numbers it shows.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/study.h"

namespace sturm {

/// A word as a shell takes it: in quotes where it must be.
std::string shell_word(const std::string& text);

/// "78.3 %" of an accuracy, "0.831" of an AUC.
std::string score_words(Measure measure, double value);

/// "p = 0.012", "p < 0.001".
std::string p_in_prose(double p);

/// What guessing reaches where `level` is one over the number of classes; NaN for a regression.
double chance_of(Measure measure, double level);

/// The method with the best mean of the headline score, baselines apart; null where none has one.
const StudyMethod* best_method(const Study& study);

/// The p that counts: of permutations where there were any. The others are of accuracies.
double p_of(const StudyMethod& method, Measure headline);

/// What guessing reaches by the headline score: of accuracies, naming the largest class.
double guess_of(const Study& study);

/// The methods that are compared: all but baselines.
Index compared_in(const Study& study);

/// The best method, its score, interval, chance and p, and its forced choice where there is one.
std::string cv_verdict(const Study& study);
std::string fit_verdict(const FitResults& fit);

/// What a warning is about.
enum class Topic { coverage, size, balance, sites, fits, permutations, choice };

struct Warning {
  Topic topic;
  std::string sentence;
};
/// What each comparison of two methods says: which is better, or that they cannot be told apart.
std::vector<PairVerdict> pair_verdicts(const Study& study);

/// What a careful reader should know, in sentences.
std::vector<Warning> cv_warnings_by_topic(const DataFacts& data, const Study& study);
std::vector<Warning> fit_warnings_by_topic(const FitResults& fit, const DataFacts& data);
std::vector<std::string> cv_warnings(const DataFacts& data, const Study& study);
std::vector<std::string> fit_warnings(const FitResults& fit, const DataFacts& data);

/// How much a site tells of the label: Cramer's V of a classification into two classes or more, the root of the
/// variance explained of a regression; from 0 to 1, NaN where there are not two sites.
double site_association(const std::vector<SiteCount>& sites);

/// Whether all samples of a site are of one class.
bool one_class_alone(const SiteCount& site);

/// From where on sites and labels count as confounded.
inline constexpr double confounded = 0.3;

/// A paragraph for the methods section of a paper.
std::string cv_methods_text(const CvResults& results);
std::string fit_methods_text(const FitResults& fit, const DataFacts& data);

/// What a method is, in a line; its name where this version does not know it.
std::string method_title(const std::string& name);

/// Whom to cite for methods of these names and for how they were compared.
std::vector<std::string> references_of(const std::vector<std::string>& names, bool compared, bool permuted);

/// Whom to cite for intervals, tests and comparisons.
std::vector<std::string> references_of_statistics(const CvResults& results);

/// Which versions wrote the results and the report.
std::vector<Fact> provenance(const std::string& version);

}  // namespace sturm
