// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"
#include "sturm/report/report.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

Index unconverged_folds(const StudyMethod& method) {
  return std::ranges::count(method.chosen, Status::iteration_limit, &StudyChoice::status);
}

void warn_of_sites(const DataFacts& data, const StudyTarget& target, std::vector<Warning>& out) {
  const std::vector<SiteCount> sites = data.sites.value_or(std::vector<SiteCount>{});
  const double association = site_association(sites);
  if (std::isnan(association)) return;
  const std::string column = data.site_column.value_or("");
  std::vector<std::string> single;
  const bool classes = !target.regression();
  for (const SiteCount& site : sites)
    if (classes && one_class_alone(site)) single.push_back(site.site);
  if (association >= confounded)
    out.push_back(
        {Topic::sites,
         fmt::format(
             "{} and {} are confounded ({} = {:.2f}): a model may have learnt the site; leave one site "
             "out at a time (outer folds by group, the groups being those of {}), or regress it out as a confound.",
             column, target.column, classes ? "Cramer's V" : "eta", association, column)});
  if (!single.empty())
    out.push_back(
        {Topic::sites, fmt::format("All samples of {} {} are of one class, so they cannot tell the class from the {}.",
                                   column, join(single, 5), column)});
}

/// What is said of the classes where one is larger than another by half: of two, where one has more than 60 %.
void warn_of_balance(const Study& study, std::vector<Warning>& out) {
  const double majority = study.majority;
  const std::vector<std::string> classes = study.target.several();
  if (classes.empty()) {
    if (majority > 0.6)
      out.push_back(
          {Topic::balance,
           fmt::format("The classes are not balanced: always naming the larger is right for {:.1f} %, so look at "
                       "balanced accuracy and AUC.",
                       100 * majority)});
    return;
  }
  if (!study.counts.classes || study.counts.classes->size() != classes.size()) return;
  const std::vector<Index>& n = *study.counts.classes;
  const auto least = std::ranges::min_element(n), most = std::ranges::max_element(n);
  if (2 * *most <= 3 * *least) return;
  out.push_back({Topic::balance,
                 fmt::format("The classes are not balanced: {} has {}, {} has {}{}; look at balanced accuracy.",
                             classes[most - n.begin()], plural(*most, "sample"), classes[least - n.begin()], *least,
                             std::isnan(majority) ? ""
                                                  : fmt::format(", and always naming the largest is right for {:.1f} %",
                                                                100 * majority))});
}

/// Cramer's V of a table of sites and classes: sqrt(chi^2 / (n (min(rows, columns) - 1))).
double cramers_v(const std::vector<std::vector<Index>>& table) {
  std::vector<double> row(table.size(), 0), column(table.front().size(), 0);
  for (std::size_t r = 0; r < row.size(); ++r)
    for (std::size_t c = 0; c < column.size(); ++c) {
      const auto count = static_cast<double>(table[r][c]);
      row[r] += count;
      column[c] += count;
    }
  double sum = 0;  // chi^2 / n = sum of n_rc^2 / (n_r n_c), less 1
  for (std::size_t r = 0; r < row.size(); ++r)
    for (std::size_t c = 0; c < column.size(); ++c)
      if (table[r][c] > 0)
        sum += static_cast<double>(table[r][c]) * static_cast<double>(table[r][c]) / (row[r] * column[c]);
  const auto filled = [](const std::vector<double>& sums) {
    return std::ranges::count_if(sums, [](double s) { return s > 0; });
  };
  const auto free = static_cast<double>(std::min(filled(row), filled(column)) - 1);
  return free > 0 ? std::sqrt(std::max(0.0, sum - 1) / free) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool one_class_alone(const SiteCount& site) {
  if (site.class_samples) return std::ranges::count_if(*site.class_samples, [](Index n) { return n > 0; }) == 1;
  return site.n > 0 && site.positive && (*site.positive == 0 || *site.positive == site.n);
}

std::string shell_word(const std::string& text) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-_./,:+=%@").find(c) != std::string_view::npos;
  };
  if (!text.empty() && std::ranges::all_of(text, plain)) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

std::string score_words(Measure measure, double value) {
  if (std::isnan(value)) return "n/a";
  return facts_of(measure).percent ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3f}", value);
}

std::string p_in_prose(double p) { return p < 1e-3 ? "p < 0.001" : "p = " + p_words(p); }

double chance_of(Measure measure, double level) {
  if (!facts_of(measure).of_classes) return not_known;
  return measure == Measure::auc ? 0.5 : level;
}

double site_association(const std::vector<SiteCount>& sites) {
  if (sites.size() < 2) return not_known;
  if (sites.front().class_samples) {
    std::vector<std::vector<Index>> table;
    for (const SiteCount& site : sites) {
      if (!site.class_samples || site.class_samples->size() != sites.front().class_samples->size()) return not_known;
      table.push_back(*site.class_samples);
    }
    return cramers_v(table);
  }
  const auto mean_of = [](const SiteCount& site) {
    return site.positive ? static_cast<double>(*site.positive) / static_cast<double>(site.n)
                         : site.mean.value_or(not_known);
  };
  double n = 0, sum = 0;
  for (const SiteCount& site : sites) {
    n += static_cast<double>(site.n);
    sum += site.positive ? static_cast<double>(*site.positive) : static_cast<double>(site.n) * mean_of(site);
  }
  const double mean = sum / n;
  double between = 0, within = 0;  // sums of squares: for two classes between / total is chi^2 / n = V^2
  for (const SiteCount& site : sites) {
    const auto count = static_cast<double>(site.n);
    const double here = mean_of(site);
    between += count * (here - mean) * (here - mean);
    within += site.positive ? count * here * (1 - here) : site.squares.value_or(not_known);
  }
  return between + within > 0 ? std::sqrt(between / (between + within)) : not_known;
}

std::vector<Warning> cv_warnings_by_topic(const DataFacts& data, const Study& study) {
  std::vector<Warning> out;
  const auto add = [&](Topic topic, std::string sentence) { out.push_back({topic, std::move(sentence)}); };
  if (data.coverage && data.coverage->leak) add(Topic::coverage, data.coverage->sentence);
  const Index samples = study.counts.samples;
  if (samples < 100) {
    const double half = 1.96 * std::sqrt(0.25 / static_cast<double>(std::max<Index>(samples, 1)));
    add(Topic::size, study.target.regression()
                         ? fmt::format("The sample is small: {} samples.", samples)
                         : fmt::format("The sample is small: with {} samples an accuracy near 50 % has a 95 % interval "
                                       "of about ±{:.0f} percentage points.",
                                       samples, 100 * half));
  }
  warn_of_balance(study, out);
  warn_of_sites(data, study.target, out);
  for (const StudyMethod& method : study.methods) {
    const StudyFits& fits = method.fits;
    if (fits.unconverged > 0)
      add(Topic::fits, fmt::format("{}: {} of {} inner fits did not converge (largest relative gap {:.1e}).",
                                   method.name, fits.unconverged, fits.inner, fits.worst_gap));
    if (const Index folds = unconverged_folds(method); folds > 0)
      add(Topic::fits, fmt::format("{}: the model did not converge in {}.", method.name, plural(folds, "outer fold")));
  }
  if (const Index count = study.permutations; count > 0 && count < 19)
    add(Topic::permutations, fmt::format("{} are too few: p cannot be smaller than {:.2g}.",
                                         plural(count, "permutation"), 1 / static_cast<double>(count + 1)));
  if (const Index compared = compared_in(study); compared > 1) {
    const StudyMethod* const best = best_method(study);
    const double p = best == nullptr ? not_known : p_of(*best, study.score);
    add(Topic::choice,
        fmt::format(
            "The best of {} methods was picked after seeing the scores: its score is a little too good{}.", compared,
            std::isnan(p)
                ? ""
                : fmt::format(", and its p is {} when corrected for the choice", p_words(corrected(p, compared)))));
  }
  return out;
}

std::vector<Warning> fit_warnings_by_topic(const FitResults& fit, const DataFacts& data) {
  std::vector<Warning> out;
  const auto add = [&](Topic topic, std::string sentence) { out.push_back({topic, std::move(sentence)}); };
  if (data.coverage && data.coverage->leak) add(Topic::coverage, data.coverage->sentence);
  const std::size_t before = out.size();
  for (const ClassFit& one : fit.classes.value_or(std::vector<ClassFit>{}))
    if (one.status == Status::iteration_limit)
      add(Topic::fits, fmt::format("The fit of {} against the rest did not converge: its relative gap is {:.1e}.",
                                   one.of_class, one.relative_gap));
  if (out.size() == before && fit.numbers.status == Status::iteration_limit)
    add(Topic::fits, fmt::format("The fit did not converge: its relative gap is {:.1e}.", fit.numbers.relative_gap));
  if (fit.n_samples < 100) add(Topic::size, fmt::format("The sample is small: {} samples.", fit.n_samples));
  warn_of_sites(data, target_of(fit.target, fit.labels), out);
  return out;
}

namespace {

std::vector<std::string> sentences_of(const std::vector<Warning>& warnings) {
  std::vector<std::string> out;
  out.reserve(warnings.size());
  for (const Warning& warning : warnings) out.push_back(warning.sentence);
  return out;
}

}  // namespace

std::vector<std::string> cv_warnings(const DataFacts& data, const Study& study) {
  return sentences_of(cv_warnings_by_topic(data, study));
}

std::vector<std::string> fit_warnings(const FitResults& fit, const DataFacts& data) {
  return sentences_of(fit_warnings_by_topic(fit, data));
}

}  // namespace sturm
