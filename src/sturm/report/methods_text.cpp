// SPDX-License-Identifier: BSD-3-Clause
// The part of words.h that is for the methods section of a paper.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

/// A support vector machine, alone or at the end.
bool is_machine(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method != nullptr && method->has_parameter("C");
}

std::string title_of(const std::string& name) {
  return known_method<double>(name) == nullptr ? name : fmt::format("{} ({})", name, method_title(name));
}

std::string folds_words(const std::string& asked, const char* option) {
  const FoldChoice choice = parse_folds(asked, option);
  if (choice.kind == FoldKind::group) return "leaving one group out";
  if (choice.kind == FoldKind::one) return "leaving one sample out";
  if (choice.at_most) return "up to " + std::to_string(choice.count) + " folds";
  if (choice.kind == FoldKind::column) return "the folds of the column " + choice.column;
  return std::to_string(choice.count) + " folds";
}

std::string normalize_words(Normalize how) {
  if (how == Normalize::sample) return " Each volume was scaled to mean 0 and norm 1.";
  if (how == Normalize::voxel) return " Each voxel was scaled to variance 1 over the training samples.";
  return "";
}

/// "face (30 samples), house (28)".
std::string classes_words(const std::vector<std::string>& classes, const std::vector<Index>& counts) {
  std::string out;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (c > 0) out += ", ";
    out += classes[c];
    if (counts.size() == classes.size())
      out += c == 0 ? " (" + plural(counts[c], "sample") + ")" : fmt::format(" ({})", counts[c]);
  }
  return out;
}

constexpr const char* one_against_rest =
    " A model of its own told each class from all others (one against the rest); a sample was assigned to the class "
    "with "
    "the largest decision value.";

}  // namespace

std::string method_title(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method == nullptr ? name : method->title();
}

namespace {

/// Who was told apart, and how volumes were prepared.
std::string samples_words(const CvResults& r) {
  const std::vector<std::string> classes = r.labels.value_or(std::vector<std::string>{});
  std::string out = fmt::format("{} samples", r.samples);
  if (r.groups) out += fmt::format(" in {} groups of {}", r.groups->count, r.groups->column);
  if (classes.size() > 2)
    out += fmt::format(" were classified by {} into {} classes: {}.{}", r.target, classes.size(),
                       classes_words(classes, r.class_samples.value_or(std::vector<Index>{})), one_against_rest);
  else if (!classes.empty())
    out += fmt::format(" were classified by {}: {} ({} samples) against {}.", r.target, classes[1],
                       r.positive_samples.value_or(0), classes[0]);
  else
    out += fmt::format(" were used to predict {}.", r.target);
  return out;
}

/// How far the fits went.
std::string solver_words(const CvResults& r, const CvOptions& asked) {
  if (asked.solver.solver == SolverKind::paper)
    return " Sturm and Remurs were fitted by the algorithms of their papers.";
  std::string out = fmt::format(" Penalised fits were run to a relative duality gap of {}.", asked.solver.gap);
  const bool has_gap = std::ranges::any_of(r.methods, [](const auto& named) {
    const Method<double>* const method = known_method<double>(named.first);
    return method != nullptr && method->has_gap();
  });
  if (has_gap && asked.inner_gap != 0)
    out += fmt::format(
        " Inner fits of Sturm and Remurs first went to a gap of {}; only those whose setting could still be chosen "
        "went "
        "on.",
        asked.inner_gap);
  return out;
}

/// How pairs of methods were compared, without the layout of a table.
std::string compared_words(const CvResults& r) {
  if (!r.comparisons) return {};
  const char* const same = r.statistics->paired_test == PairedTest::mcnemar ? "McNemar's exact test"
                           : r.statistics->paired_test == PairedTest::groups
                               ? "permutation tests that exchange the two methods in whole groups"
                               : "permutation tests that exchange the two methods in single samples";
  return fmt::format(
      " Pairs of methods were compared on the same samples by {}, and over the outer folds by the corrected resampled "
      "t-test, two-sided, with p corrected for all pairs by Holm's method.",
      same);
}

}  // namespace

std::string cv_methods_text(const CvResults& r) {
  const std::size_t classes = r.labels ? r.labels->size() : 0;
  const bool several = classes > 2;
  const CvOptions* const asked = r.settings ? &r.settings->options : nullptr;
  std::vector<std::string> titles;
  bool machines = false;
  for (const auto& [name, method] : r.methods) {
    titles.push_back(title_of(name));
    machines = machines || is_machine(name);
  }
  std::string out = samples_words(r);
  if (asked != nullptr && asked->resize != "1")
    out += fmt::format(" Volumes were resized by factors of {}.", asked->resize);
  if (asked != nullptr) out += normalize_words(asked->normalize);
  out += fmt::format(" Methods compared: {}.", join(titles, titles.size()));
  if (asked != nullptr && classes == 0 && machines)
    out += fmt::format(" Support vector machines ignored errors below {} standard deviations of the training targets.",
                       asked->tube);
  out += fmt::format(
      " They were tested by nested cross-validation: {} for testing and, within each training set, {} for choosing the "
      "hyperparameters by {}{}, from {}.",
      asked == nullptr ? "outer folds" : folds_words(asked->folds.outer, "outer"),
      asked == nullptr ? "inner folds" : folds_words(asked->folds.inner, "inner"), facts_of(measure_of(r.score)).words,
      several ? fmt::format(" over all {} classes, one setting for all of them", classes) : "",
      asked != nullptr && asked->grid == GridKind::paper ? "the grid of Li et al. (2018)"
                                                         : "a grid relative to where all coefficients become zero");
  if (asked != nullptr && asked->choice.one_standard_error)
    out += " Of the settings within one standard error of the best, the sparsest was taken.";
  if (r.groups) out += fmt::format(" No {} was on both sides of a fold.", r.groups->column);
  if (asked != nullptr && asked->repeats > 1)
    out += fmt::format(
        " The outer folds were drawn {} times. Scores are means over all folds of all draws; whatever is said of all "
        "predictions together refers to the mean decision value of each sample over the draws.",
        asked->repeats);
  if (asked != nullptr && asked->balanced) out += " In training, all classes had the same weight.";
  if (r.settings && !r.settings->weights.empty())
    out += fmt::format(
        " In training, samples were weighted by the column {}; in the scores, every sample counts the same.",
        r.settings->weights);
  if (asked != nullptr && !asked->confounds.empty())
    out += fmt::format(" {} {} regressed out of the volumes.", asked->confounds,
                       asked->confounds.find(',') == std::string::npos ? "was" : "were");
  out += " Whatever was learnt (mask, confounds, scaling, hyperparameters) was learnt from the training samples alone.";
  if (asked != nullptr) out += solver_words(r, *asked);
  if (several)
    out +=
        " Balanced accuracy and AUC are means over the classes: of the share of each class that was recognised, and of "
        "the "
        "AUC of each class against the rest.";
  if (r.statistics) {
    for (const std::string& sentence : {interval_sentence(r), forced_choice_sentence(r)})
      if (!sentence.empty()) out += " " + sentence;
    out += compared_words(r);
  } else if (classes > 0) {
    out += " The interval of an accuracy is the exact one of Clopper and Pearson, at 95 %.";
  }
  if (r.permutations > 0)
    out += fmt::format(
        " The whole procedure was repeated for {} permutations of the labels ({}); p is the share of scores, the true "
        "one "
        "included, that are at least as good as the true one.",
        r.permutations, r.permuted ? to_word(*r.permuted) : "");
  if (asked != nullptr) out += fmt::format(" The random seed was {}.", r.settings->seed);
  return out + fmt::format(" The analysis was run with sturm {}.", r.version);
}

std::string fit_methods_text(const FitResults& fit, const DataFacts& data) {
  const std::vector<std::string> classes = fit.labels.value_or(std::vector<std::string>{});
  const bool several = classes.size() > 2;
  std::string out = fmt::format("{} was fitted to {} samples", title_of(fit.method), fit.n_samples);
  if (several)
    out += fmt::format(" to tell {} classes of {} apart: {}.{}", classes.size(), fit.target,
                       classes_words(classes, data.class_samples.value_or(std::vector<Index>{})), one_against_rest);
  else if (!classes.empty())
    out += fmt::format(" to tell {} from {} ({}).", classes[1], classes[0], fit.target);
  else
    out += fmt::format(" to predict {}.", fit.target);
  out += normalize_words(fit.normalize);
  std::string parameters;
  for (const auto& [name, value] : fit.parameters.values)
    if (!std::isnan(value.value))
      parameters += fmt::format("{}{} {:.4g}", parameters.empty() ? "" : ", ", name, value.value);
  if (!parameters.empty()) out += fmt::format(" Its hyperparameters were {}.", parameters);
  if (const double gap = fit.numbers.relative_gap; !std::isnan(gap))
    out += fmt::format(" The {}relative duality gap of the {} is {:.1e}.", several ? "largest " : "",
                       several ? "fits" : "fit", gap);
  return out + fmt::format(" The analysis was run with sturm {}.", fit.version);
}

std::vector<std::string> references_of_statistics(const CvResults& r) {
  std::vector<std::string> out;
  if (!r.statistics) return out;
  out.emplace_back(
      "Efron (1987), Better bootstrap confidence intervals, Journal of the American Statistical Association "
      "82:171-185");
  out.emplace_back(
      "Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician 69:371-386");
  if (std::ranges::any_of(r.methods, [](const auto& named) { return named.second.group_p.has_value(); }))
    out.emplace_back(
        "Korn and Graubard (1998), Confidence intervals for proportions with small expected number of positive "
        "counts estimated from survey data, Survey Methodology 24:193-201");
  if (!r.comparisons) return out;
  if (r.statistics->paired_test == PairedTest::mcnemar)
    out.emplace_back(
        "McNemar (1947), Note on the sampling error of the difference between correlated proportions or "
        "percentages, Psychometrika 12:153-157");
  out.emplace_back("Nadeau and Bengio (2003), Inference for the generalization error, Machine Learning 52:239-281");
  out.emplace_back(
      "Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics "
      "6:65-70");
  return out;
}

std::vector<std::string> references_of(const std::vector<std::string>& names, bool compared, bool permuted) {
  std::vector<std::string> out;
  for (const std::string& name : names) {
    const Method<double>* const method = known_method<double>(name);
    if (method == nullptr || method->is_baseline()) continue;
    const std::string reference = method->reference();
    if (std::ranges::find(out, reference) == out.end()) out.push_back(reference);
  }
  if (compared) {
    out.emplace_back(
        "Varma and Simon (2006), Bias in error estimation when using cross-validation for model selection, "
        "BMC Bioinformatics 7:91");
    out.emplace_back(
        "Clopper and Pearson (1934), The use of confidence or fiducial limits illustrated in the case of the "
        "binomial, Biometrika 26:404-413");
  }
  if (permuted)
    out.emplace_back(
        "Phipson and Smyth (2010), Permutation p-values should never be zero, Statistical Applications in "
        "Genetics and Molecular Biology 9:39");
  return out;
}

}  // namespace sturm
