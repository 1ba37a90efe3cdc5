// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/scores.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace sturm {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

double share(Index part, Index whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : nan;
}

void check_equal(std::span<const double> a, std::span<const double> b) {
  if (a.size() != b.size()) throw std::logic_error("scores: actual and predicted differ in length");
}

double mean(std::span<const double> values) {
  return std::reduce(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// Whether values with this sum of squares about this mean vary: a constant keeps only the rounding of its mean.
bool varies(double squares, double centre, std::size_t count) {
  return squares > 1e-26 * static_cast<double>(count) * centre * centre;
}

struct Found {
  Index right = 0, all = 0;
};

std::map<double, Found> found_by_class(std::span<const double> actual, std::span<const double> predicted) {
  check_equal(actual, predicted);
  std::map<double, Found> classes;
  for (std::size_t m = 0; m < actual.size(); ++m) {
    Found& found = classes[actual[m]];
    ++found.all;
    if (predicted[m] == actual[m]) ++found.right;
  }
  return classes;
}

double auc_of_several(std::span<const double> actual, std::span<const double> decision) {
  const std::size_t classes = decision.size() / actual.size();
  std::vector<double> each;
  for (std::size_t c = 0; c < classes; ++c) {
    std::vector<double> is, value;
    for (std::size_t m = 0; m < actual.size(); ++m) {
      is.push_back(actual[m] == static_cast<double>(c) ? 1 : -1);
      value.push_back(decision[m * classes + c]);
    }
    each.push_back(auc(is, value));
  }
  return mean_sd(each).mean;
}

}  // namespace

Confusion confusion(std::span<const double> actual, std::span<const double> predicted) {
  check_equal(actual, predicted);
  Confusion c;
  for (std::size_t m = 0; m < actual.size(); ++m) {
    if (actual[m] > 0)
      ++(predicted[m] > 0 ? c.true_positive : c.false_negative);
    else
      ++(predicted[m] > 0 ? c.false_positive : c.true_negative);
  }
  return c;
}

double sensitivity(const Confusion& c) { return share(c.true_positive, c.true_positive + c.false_negative); }
double specificity(const Confusion& c) { return share(c.true_negative, c.true_negative + c.false_positive); }

std::vector<double> predicted_labels(std::span<const double> decision) {
  std::vector<double> out;
  out.reserve(decision.size());
  for (const double d : decision) out.push_back(std::isnan(d) ? d : d >= 0 ? 1 : -1);
  return out;
}

std::vector<double> predicted_labels(std::span<const double> decision, std::size_t samples) {
  if (decision.size() == samples) return predicted_labels(decision);
  if (samples == 0 || decision.size() % samples != 0)
    throw std::logic_error("scores: samples do not have as many decision values each");
  const std::size_t classes = decision.size() / samples;
  std::vector<double> out;
  out.reserve(samples);
  for (std::size_t m = 0; m < samples; ++m) {
    const std::span<const double> mine = decision.subspan(m * classes, classes);
    const bool known = std::ranges::none_of(mine, [](double d) { return std::isnan(d); });
    out.push_back(known ? static_cast<double>(std::ranges::max_element(mine) - mine.begin()) : nan);
  }
  return out;
}

std::vector<std::vector<Index>> confusion_matrix(std::span<const double> actual, std::span<const double> predicted,
                                                 Index classes) {
  check_equal(actual, predicted);
  std::vector<std::vector<Index>> out(classes, std::vector<Index>(classes));
  for (std::size_t m = 0; m < actual.size(); ++m)
    if (!std::isnan(predicted[m])) ++out[static_cast<std::size_t>(actual[m])][static_cast<std::size_t>(predicted[m])];
  return out;
}

double accuracy(std::span<const double> actual, std::span<const double> predicted) {
  Index right = 0;
  for (const auto& [label, found] : found_by_class(actual, predicted)) right += found.right;
  return share(right, static_cast<Index>(actual.size()));
}

double balanced_accuracy(std::span<const double> actual, std::span<const double> predicted) {
  const auto classes = found_by_class(actual, predicted);
  double sum = 0;
  for (const auto& [label, found] : classes) sum += share(found.right, found.all);
  return classes.empty() ? nan : sum / static_cast<double>(classes.size());
}

double auc(std::span<const double> actual, std::span<const double> decision) {
  if (!actual.empty() && decision.size() > actual.size()) return auc_of_several(actual, decision);
  check_equal(actual, decision);
  if (std::ranges::any_of(decision, [](double d) { return std::isnan(d); })) return nan;
  std::vector<std::size_t> order(actual.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t m) { return decision[m]; });
  // Mann and Whitney: with the ranks of the positive, equal values sharing the mean of theirs,
  // auc = (sum of ranks - p (p + 1)/2) / (p n).
  double ranks = 0, positive = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    std::size_t end = begin;
    double here = 0;
    for (; end < order.size() && decision[order[end]] == decision[order[begin]]; ++end) here += actual[order[end]] > 0;
    ranks += here * 0.5 * static_cast<double>(begin + 1 + end);
    positive += here;
    begin = end;
  }
  const double negative = static_cast<double>(actual.size()) - positive;
  if (positive == 0 || negative == 0) return nan;
  return (ranks - positive * (positive + 1) / 2) / (positive * negative);
}

double r_squared(std::span<const double> actual, std::span<const double> predicted) {
  check_equal(actual, predicted);
  const double centre = mean(actual);
  double left = 0, all = 0;
  for (std::size_t m = 0; m < actual.size(); ++m) {
    left += (actual[m] - predicted[m]) * (actual[m] - predicted[m]);
    all += (actual[m] - centre) * (actual[m] - centre);
  }
  return varies(all, centre, actual.size()) ? 1 - left / all : nan;
}

double pearson(std::span<const double> actual, std::span<const double> predicted) {
  check_equal(actual, predicted);
  const double a = mean(actual), p = mean(predicted);
  double aa = 0, pp = 0, ap = 0;
  for (std::size_t m = 0; m < actual.size(); ++m) {
    aa += (actual[m] - a) * (actual[m] - a);
    pp += (predicted[m] - p) * (predicted[m] - p);
    ap += (actual[m] - a) * (predicted[m] - p);
  }
  if (!varies(aa, a, actual.size()) || !varies(pp, p, actual.size())) return nan;
  return std::clamp(ap / std::sqrt(aa) / std::sqrt(pp), -1.0, 1.0);
}

double mean_absolute_error(std::span<const double> actual, std::span<const double> predicted) {
  check_equal(actual, predicted);
  double sum = 0;
  for (std::size_t m = 0; m < actual.size(); ++m) sum += std::abs(actual[m] - predicted[m]);
  return actual.empty() ? nan : sum / static_cast<double>(actual.size());
}

MeanSd mean_sd(std::span<const double> values) {
  std::vector<double> known;
  std::ranges::copy_if(values, std::back_inserter(known), [](double v) { return !std::isnan(v); });
  MeanSd out{nan, nan, static_cast<Index>(known.size())};
  if (known.empty()) return out;
  out.mean = mean(known);
  if (known.size() < 2) return out;
  double square = 0;
  for (const double v : known) square += (v - out.mean) * (v - out.mean);
  out.sd = std::sqrt(square / static_cast<double>(known.size() - 1));
  return out;
}

double majority_share(std::span<const double> actual) {
  Index most = 0;
  for (const auto& [label, found] : found_by_class(actual, actual)) most = std::max(most, found.all);
  return share(most, static_cast<Index>(actual.size()));
}

double chance_level(std::span<const double> actual) {
  return share(1, static_cast<Index>(found_by_class(actual, actual).size()));
}

namespace {

using Values = std::span<const double>;

constexpr std::array<MeasureFacts, 8> table = {{
    {Measure::accuracy, "accuracy", "accuracy", true, false, true, true,
     [](Values a, Values d) { return accuracy(a, predicted_labels(d, a.size())); }},
    {Measure::balanced_accuracy, "balanced_accuracy", "balanced accuracy", true, false, true, true,
     [](Values a, Values d) { return balanced_accuracy(a, predicted_labels(d, a.size())); }},
    {Measure::auc, "auc", "AUC", true, false, false, true, auc},
    {Measure::sensitivity, "sensitivity", "sensitivity", true, true, true, true,
     [](Values a, Values d) { return sensitivity(confusion(a, predicted_labels(d))); }},
    {Measure::specificity, "specificity", "specificity", true, true, true, true,
     [](Values a, Values d) { return specificity(confusion(a, predicted_labels(d))); }},
    {Measure::r2, "r2", "R²", false, false, false, true, r_squared},
    {Measure::correlation, "correlation", "correlation", false, false, false, true, pearson},
    {Measure::mean_absolute_error, "mean_absolute_error", "mean absolute error", false, false, false, false,
     mean_absolute_error},
}};

}  // namespace

std::span<const MeasureFacts> all_measures() { return table; }

const MeasureFacts& facts_of(Measure measure) { return table.at(static_cast<std::size_t>(measure)); }

std::string title_of(const MeasureFacts& facts) {
  std::string out = facts.words;
  out[0] = static_cast<char>(std::toupper(out[0]));
  return out;
}

template <>
std::vector<std::string> names_of<Measure>() {
  std::vector<std::string> out;
  for (const MeasureFacts& facts : table) out.emplace_back(facts.key);
  return out;
}

std::vector<Measure> measures_of(bool classification, Index several) {
  std::vector<Measure> out;
  for (const MeasureFacts& facts : table)
    if (facts.of_classes == classification && !(facts.of_two_alone && several > 0)) out.push_back(facts.measure);
  return out;
}

Measure measure_of_parts(bool classification) {
  return classification ? Measure::accuracy : Measure::mean_absolute_error;
}

Measure measure_of(Score score) {
  switch (score) {
    case Score::balanced_accuracy: return Measure::balanced_accuracy;
    case Score::auc: return Measure::auc;
    case Score::r2: return Measure::r2;
    case Score::correlation: return Measure::correlation;
    default: return Measure::accuracy;
  }
}

double score(Score kind, std::span<const double> actual, std::span<const double> decision) {
  return facts_of(measure_of(kind)).of(actual, decision);
}

}  // namespace sturm
