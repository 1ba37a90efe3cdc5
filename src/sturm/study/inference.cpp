// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/inference.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sturm/eval/bootstrap.h"
#include "sturm/eval/clustered_share.h"
#include "sturm/eval/forced_choice.h"
#include "sturm/eval/paired_tests.h"
#include "sturm/eval/weighted_scores.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using Rows = std::vector<Index>;

Range range_of(const Interval& interval) { return {interval.low, interval.high}; }

/// The samples that a method predicted, unit by unit.
struct Units {
  std::vector<Rows> rows;        ///< of the study
  std::vector<Index> of_sample;  ///< the unit of each predicted sample
  bool repeated = false;         ///< some unit has several samples
};

Units units_of(const SampleKeys& keys, const Rows& predicted) {
  Units out;
  std::map<Index, Index> unit_of_row;
  for (const Rows& group : rows_of_groups(keys)) {
    Rows known;
    std::ranges::copy_if(group, std::back_inserter(known),
                         [&](Index row) { return std::ranges::binary_search(predicted, row); });
    if (known.empty()) continue;
    for (const Index row : known) unit_of_row[row] = std::ssize(out.rows);
    out.repeated = out.repeated || known.size() > 1;
    out.rows.push_back(std::move(known));
  }
  for (const Index row : predicted) out.of_sample.push_back(unit_of_row.at(row));
  return out;
}

bool has_repeats(const SampleKeys& keys) {
  return std::ranges::any_of(rows_of_groups(keys), [](const Rows& rows) { return rows.size() > 1; });
}

/// Units that a measure of classes rests on: where it is a mean over the classes, those of the class with the fewest.
Index units_behind(Measure measure, const SampleKeys& keys, const Units& units) {
  if (measure == Measure::accuracy) return std::ssize(units.rows);
  std::map<double, Index> with_class;
  for (const Rows& rows : units.rows) {
    std::vector<double> labels;
    for (const Index row : rows) labels.push_back(keys.y[row]);
    for (const double label : classes_of(labels)) ++with_class[label];
  }
  return std::ranges::min_element(with_class, {}, [](const auto& one) { return one.second; })->second;
}

class Inference {
 public:
  Inference(const CvFacts& facts, const CvPlan& plan)
      : facts_(facts),
        plan_(plan),
        keys_(facts.keys),
        repeated_(has_repeats(keys_)),
        forced_(has_forced_choice(keys_)) {
    bootstrap_.seed = facts.settings.seed;
  }

  StatisticsFacts how() const {
    StatisticsFacts out;
    out.level = bootstrap_.level;
    out.draws = bootstrap_.draws;
    out.units = repeated_ ? Unit::groups : Unit::samples;
    out.count = repeated_ ? std::ssize(rows_of_groups(keys_)) : keys_.rows();
    out.paired_test = repeated_ ? PairedTest::groups : keys_.classification ? PairedTest::mcnemar : PairedTest::samples;
    return out;
  }

  void add(const MethodOutcomes& method, MethodResults& out) const {
    if (method.rows().empty()) return;
    const Units units = units_of(keys_, method.rows());
    const Predicted pooled = method.predicted();
    if (keys_.classification) add_p(pooled, units, out);
    std::vector<double> choices;
    if (forced_) choices = add_forced_choice(method, units, out);
    add_intervals(pooled, units, choices, out);
  }

  /// Of the headline score of a learning curve.
  void add_learning(const MethodOutcomes& method, MethodResults& out) const {
    if (!out.learning) return;
    const Measure headline = measure_of(facts_.score);
    for (std::size_t s = 0; s < method.learning().size(); ++s) {
      const MethodOutcomes& part = method.learning()[s];
      if (part.rows().empty()) continue;
      MethodResults of_part;
      of_part.scores[headline].pooled = out.learning->at(s).pooled;
      add_intervals(part.predicted(), units_of(keys_, part.rows()), {}, of_part);
      out.learning->at(s).interval = of_part.scores[headline].interval;
    }
    out.learning->back().interval = out.scores[headline].interval;
  }

  Comparison compare(const MethodOutcomes& first, const MethodOutcomes& second) const {
    Comparison out{.first = first.name(), .second = second.name(), .first_alone = {}, .second_alone = {}};
    Rows both;
    std::ranges::set_intersection(first.rows(), second.rows(), std::back_inserter(both));
    if (both.empty()) return out;
    const Measure pooled = keys_.classification ? Measure::accuracy : Measure::r2;
    out.difference = first.predicted(both).score(pooled) - second.predicted(both).score(pooled);
    const std::vector<double> a = worth(first.predicted(both)), b = worth(second.predicted(both));
    if (keys_.classification) {
      out.first_alone = out.second_alone = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        *out.first_alone += a[i] > b[i];
        *out.second_alone += b[i] > a[i];
      }
    }
    out.p = paired_p(a, b, units_of(keys_, both), out);
    add_folds(first, second, out);
    return out;
  }

 private:
  /// Of each sample: whether it is right, or the square of its error with a minus.
  std::vector<double> worth(const Predicted& predicted) const {
    std::vector<double> out;
    const std::vector<double> labels =
        keys_.classification ? predicted_labels(predicted.decision, predicted.actual.size()) : predicted.decision;
    for (std::size_t m = 0; m < labels.size(); ++m) {
      const double error = labels[m] - predicted.actual[m];
      out.push_back(!keys_.classification ? -error * error : error == 0 ? 1 : 0);
    }
    return out;
  }

  double paired_p(const std::vector<double>& a, const std::vector<double>& b, const Units& units,
                  const Comparison& counted) const {
    if (!repeated_ && keys_.classification) return mcnemar_p(*counted.first_alone, *counted.second_alone);
    std::vector<double> differences(units.rows.size(), 0);
    for (std::size_t i = 0; i < a.size(); ++i) differences[units.of_sample[i]] += a[i] - b[i];
    return sign_flip_p(differences, facts_.settings.seed);
  }

  void add_folds(const MethodOutcomes& first, const MethodOutcomes& second, Comparison& out) const {
    const Measure headline = measure_of(facts_.score);
    const std::vector<double> a = first.by_fold(headline), b = second.by_fold(headline);
    std::vector<double> differences, ratios;
    for (int f = 0; f < plan_.folds(); ++f) {
      differences.push_back(a[f] - b[f]);
      const auto test = static_cast<double>(plan_.test(f).size());
      if (!std::isnan(differences.back())) ratios.push_back(test / (static_cast<double>(keys_.rows()) - test));
    }
    const TTest test = corrected_resampled_t(differences, mean_sd(ratios).mean);
    out.fold_difference = mean_sd(differences).mean;
    out.t = test.t;
    out.fold_p = test.p;
  }

  void add_p(const Predicted& pooled, const Units& units, MethodResults& out) const {
    const std::vector<double> right = worth(pooled);
    std::vector<Index> successes(units.rows.size(), 0), sizes(units.rows.size(), 0);
    for (std::size_t i = 0; i < right.size(); ++i) {
      successes[units.of_sample[i]] += right[i] > 0;
      ++sizes[units.of_sample[i]];
    }
    const double majority = majority_share(keys_.y);
    if (!repeated_)
      out.binomial_p = binomial_p(std::ranges::count(right, 1.0), std::ssize(right), majority);
    else if (sizes.size() > 1)
      out.group_p = clustered_share_p(successes, sizes, majority);
  }

  /// What each group that was predicted as a whole says.
  std::vector<double> add_forced_choice(const MethodOutcomes& method, const Units& units, MethodResults& out) const {
    const std::size_t classes = keys_.several > 0 ? static_cast<std::size_t>(keys_.several) : 2;
    if (std::ranges::any_of(units.rows, [&](const Rows& rows) { return rows.size() != classes; })) return {};
    const Index width = width_of(keys_);
    std::vector<double> decision(static_cast<std::size_t>(keys_.rows() * width), not_known);
    for (const Index row : method.rows()) std::ranges::copy(method.decisions(row), decision.begin() + row * width);
    const std::vector<double> told = forced_choices(keys_, units.rows, decision);
    out.forced_choice = mean_sd(told).mean;
    out.forced_choice_p = forced_choice_p(keys_, units.rows, decision, facts_.settings.seed);
    const auto groups = std::ssize(told), right = std::ranges::count(told, 1.0);
    // Groups that are right or wrong are independent trials: a bootstrap would say that all of them right is certain.
    if (right + std::ranges::count(told, 0.0) == groups)
      out.forced_choice_interval = range_of(mid_p_interval(right, groups, bootstrap_.level));
    return told;
  }

  void add_intervals(const Predicted& pooled, const Units& units, const std::vector<double>& choices,
                     MethodResults& out) const {
    const WeightedScores scores(measures_of(keys_.classification, keys_.several), pooled.actual, pooled.decision);
    const std::size_t count = scores.measures().size();
    std::vector<double> weight(pooled.actual.size());
    const UnitStatistics statistics = [&](std::span<const double> times, std::span<double> values) {
      for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = times[units.of_sample[i]];
      scores.compute(weight, values.first(count));
      double sum = 0, all = 0;
      for (std::size_t u = 0; u < choices.size(); ++u) {
        sum += times[u] * choices[u];
        all += times[u];
      }
      values[count] = sum / all;
    };
    const auto found =
        bootstrap_intervals(std::ssize(units.rows), static_cast<Index>(count) + 1, statistics, bootstrap_);
    for (std::size_t i = 0; i < count; ++i) {
      ScoreResult& score = out.scores[scores.measures()[i]];
      if (found[i])
        score.interval = range_of(*found[i]);
      else if (score.pooled)
        score.interval = without_spread(scores.measures()[i], *score.pooled, units);
    }
    if (!choices.empty() && !out.forced_choice_interval && found[count])
      out.forced_choice_interval = range_of(*found[count]);
    if (!repeated_ && keys_.classification) {
      const std::vector<double> right = worth(pooled);
      out.scores[Measure::accuracy].interval =
          range_of(share_interval(std::ranges::count(right, 1.0), std::ssize(right), bootstrap_.level));
    }
  }

  /// Of a share that is 0 or 1 in every draw: as if each unit were one trial, all of them right or wrong. A unit is
  /// right only where all of it is, so that this is no shorter than it must be.
  std::optional<Range> without_spread(Measure measure, double value, const Units& units) const {
    if (!facts_of(measure).of_classes || (value != 0 && value != 1) || units.rows.size() < 2) return {};
    const Index trials = units_behind(measure, keys_, units);
    return range_of(share_interval(value == 1 ? trials : 0, trials, bootstrap_.level));
  }

  const CvFacts& facts_;
  const CvPlan& plan_;
  const SampleKeys& keys_;
  bool repeated_, forced_;
  BootstrapOptions bootstrap_;
};

/// Corrected for as many tests as there are pairs.
void adjust(std::vector<Comparison>& pairs, double Comparison::*p, double Comparison::*adjusted) {
  std::vector<double> all;
  for (const Comparison& pair : pairs) all.push_back(pair.*p);
  const std::vector<double> corrected = holm(all);
  for (std::size_t i = 0; i < pairs.size(); ++i) pairs[i].*adjusted = corrected[i];
}

}  // namespace

void add_inference(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods,
                   CvResults& results) {
  const Inference inference(facts, plan);
  results.statistics = inference.how();
  for (std::size_t i = 0; i < methods.size(); ++i) {
    inference.add(methods[i], results.methods[i].second);
    inference.add_learning(methods[i], results.methods[i].second);
  }
  std::vector<Comparison> pairs;
  for (std::size_t i = 0; i < methods.size(); ++i)
    for (std::size_t j = i + 1; j < methods.size(); ++j)
      if (!is_baseline(methods[i].name()) && !is_baseline(methods[j].name()))
        pairs.push_back(inference.compare(methods[i], methods[j]));
  if (pairs.empty()) return;
  adjust(pairs, &Comparison::p, &Comparison::p_adjusted);
  adjust(pairs, &Comparison::fold_p, &Comparison::fold_p_adjusted);
  results.comparisons = std::move(pairs);
}

}  // namespace sturm
