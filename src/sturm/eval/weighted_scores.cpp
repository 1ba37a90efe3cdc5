// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/weighted_scores.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "sturm/eval/sample_keys.h"

namespace sturm {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

using Values = std::span<const double>;

/// Means and sums of squares of two columns, each sample counted `weight` times.
struct Moments {
  double count = 0, a = 0, b = 0;           // means
  double aa = 0, bb = 0, ab = 0, diff = 0;  // sums of squares about them; of (a - b)^2
};

Moments moments(Values a, Values b, Values weight) {
  Moments out;
  for (std::size_t m = 0; m < a.size(); ++m) {
    out.count += weight[m];
    out.a += weight[m] * a[m];
    out.b += weight[m] * b[m];
  }
  out.a /= out.count;
  out.b /= out.count;
  for (std::size_t m = 0; m < a.size(); ++m) {
    const double da = a[m] - out.a, db = b[m] - out.b, d = a[m] - b[m];
    out.aa += weight[m] * da * da;
    out.bb += weight[m] * db * db;
    out.ab += weight[m] * da * db;
    out.diff += weight[m] * d * d;
  }
  return out;
}

/// As in scores.cpp: a constant keeps only the rounding of its mean.
bool varies(double squares, double centre, double count) { return squares > 1e-26 * count * centre * centre; }

}  // namespace

WeightedScores::WeightedScores(std::vector<Measure> measures, Values actual, Values decision)
    : measures_(std::move(measures)),
      actual_(actual.begin(), actual.end()),
      decision_(decision.begin(), decision.end()) {
  if (actual.empty() || decision.size() % actual.size() != 0)
    throw std::logic_error("weighted scores: samples do not have as many decision values each");
  if (!std::ranges::any_of(measures_, [](Measure measure) { return facts_of(measure).of_classes; })) return;
  predicted_ = predicted_labels(decision, actual.size());
  const std::vector<double> labels = classes_of(actual);
  classes_ = labels.size();
  for (const double y : actual)
    class_of_.push_back(static_cast<std::size_t>(std::ranges::lower_bound(labels, y) - labels.begin()));
  if (!std::ranges::count(measures_, Measure::auc)) return;
  const std::size_t width = decision.size() / actual.size();
  for (std::size_t c = 0; c < width; ++c) {
    std::vector<char> positive;
    std::vector<double> value;
    for (std::size_t m = 0; m < actual.size(); ++m) {
      positive.push_back(width == 1 ? actual[m] > 0 : actual[m] == static_cast<double>(c));
      value.push_back(decision[m * width + c]);
    }
    rankings_.push_back(ranking(std::move(positive), value));
  }
}

WeightedScores::Ranking WeightedScores::ranking(std::vector<char> positive, Values decision) {
  Ranking out;
  out.positive = std::move(positive);
  out.known = std::ranges::none_of(decision, [](double d) { return std::isnan(d); });
  if (!out.known) return out;
  out.order.resize(decision.size());
  std::iota(out.order.begin(), out.order.end(), std::size_t{0});
  std::ranges::stable_sort(out.order, {}, [&](std::size_t m) { return decision[m]; });
  for (std::size_t i = 1; i <= out.order.size(); ++i)
    if (i == out.order.size() || decision[out.order[i]] != decision[out.order[i - 1]]) out.ends.push_back(i);
  return out;
}

double WeightedScores::auc(const Ranking& ranking, Values weight) {
  if (!ranking.known) return no_value;
  double positive = 0, negative = 0, pairs = 0;
  std::size_t at = 0;
  for (const std::size_t end : ranking.ends) {
    double up = 0, down = 0;
    for (; at < end; ++at) {
      const std::size_t m = ranking.order[at];
      (ranking.positive[m] ? up : down) += weight[m];
    }
    pairs += up * (negative + 0.5 * down);
    positive += up;
    negative += down;
  }
  return positive > 0 && negative > 0 ? pairs / (positive * negative) : no_value;
}

double WeightedScores::share_of(bool positive, Values weight) const {
  double found = 0, all = 0;
  for (std::size_t m = 0; m < actual_.size(); ++m) {
    if ((actual_[m] > 0) != positive) continue;
    all += weight[m];
    if ((predicted_[m] > 0) == positive) found += weight[m];
  }
  return all > 0 ? found / all : no_value;
}

double WeightedScores::one(Measure measure, Values weight) const {
  const std::size_t samples = actual_.size();
  switch (measure) {
    case Measure::accuracy: {
      double right = 0, all = 0;
      for (std::size_t m = 0; m < samples; ++m) {
        all += weight[m];
        if (predicted_[m] == actual_[m]) right += weight[m];
      }
      return all > 0 ? right / all : no_value;
    }
    case Measure::balanced_accuracy: {
      std::vector<double> right(classes_), all(classes_);
      for (std::size_t m = 0; m < samples; ++m) {
        all[class_of_[m]] += weight[m];
        if (predicted_[m] == actual_[m]) right[class_of_[m]] += weight[m];
      }
      double sum = 0, seen = 0;
      for (std::size_t c = 0; c < classes_; ++c)
        if (all[c] > 0) {
          sum += right[c] / all[c];
          ++seen;
        }
      return seen > 0 ? sum / seen : no_value;
    }
    case Measure::auc: {
      double sum = 0, seen = 0;
      for (const Ranking& each : rankings_)
        if (const double value = auc(each, weight); !std::isnan(value)) {
          sum += value;
          ++seen;
        }
      return seen > 0 ? sum / seen : no_value;
    }
    case Measure::sensitivity: return share_of(true, weight);
    case Measure::specificity: return share_of(false, weight);
    case Measure::mean_absolute_error: {
      double sum = 0, all = 0;
      for (std::size_t m = 0; m < samples; ++m) {
        all += weight[m];
        sum += weight[m] * std::abs(actual_[m] - decision_[m]);
      }
      return all > 0 ? sum / all : no_value;
    }
    case Measure::r2: {
      const Moments sums = moments(actual_, decision_, weight);
      return varies(sums.aa, sums.a, sums.count) ? 1 - sums.diff / sums.aa : no_value;
    }
    case Measure::correlation: {
      const Moments sums = moments(actual_, decision_, weight);
      if (!varies(sums.aa, sums.a, sums.count) || !varies(sums.bb, sums.b, sums.count)) return no_value;
      return std::clamp(sums.ab / std::sqrt(sums.aa) / std::sqrt(sums.bb), -1.0, 1.0);
    }
  }
  return no_value;
}

void WeightedScores::compute(Values weight, std::span<double> scores) const {
  for (std::size_t i = 0; i < measures_.size(); ++i) scores[i] = one(measures_[i], weight);
}

}  // namespace sturm
