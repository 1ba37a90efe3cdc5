// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/diagnostics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sturm/eval/scores.h"

namespace sturm {
namespace {

using Decision = std::pair<double, bool>;

OrNull<RocBand> roc_band(const Study& study, const std::string& method) {
  std::map<std::string, std::vector<Decision>> folds;
  for (const StudyPrediction& p : study.predictions)
    if (p.method == method && !std::isnan(p.decision))
      folds[p.fold].emplace_back(p.decision, p.actual == study.target.positive.value_or(""));
  std::vector<std::vector<std::pair<double, double>>> curves;
  for (auto& [fold, decisions] : folds)
    if (auto corners = roc_corners(std::move(decisions)); !corners.empty()) curves.push_back(std::move(corners));
  constexpr std::size_t fewest = 3;
  if (curves.size() < fewest) return {};
  OrNull<RocBand> out;
  out.emplace().folds = static_cast<Index>(curves.size());
  constexpr int steps = 50;
  for (int i = 0; i <= steps; ++i) {
    const double at = static_cast<double>(i) / steps;
    std::vector<double> heights;
    for (const auto& curve : curves) heights.push_back(roc_at(curve, at));
    const MeanSd both = mean_sd(heights);
    out->false_positive.emplace_back(at);
    out->mean.emplace_back(both.mean);
    out->sd.emplace_back(both.sd);
  }
  return out;
}

std::vector<DecisionBox> decision_boxes(const Study& study, const std::string& method) {
  std::map<std::string, std::map<std::string, std::vector<double>>> values;  // site, class
  for (const StudyPrediction& p : study.predictions) {
    if (p.method != method || std::isnan(p.decision)) continue;
    values[""][p.actual].push_back(p.decision);
    if (!p.site.empty()) values[p.site][p.actual].push_back(p.decision);
  }
  std::vector<DecisionBox> out;
  for (auto& [site, classes] : values)
    for (const auto& name : {*study.target.negative, *study.target.positive}) {
      const auto found = classes.find(name);
      if (found == classes.end()) continue;
      std::vector<double>& sorted = found->second;
      std::ranges::sort(sorted);
      out.push_back({name, site, std::ssize(sorted), sorted.front(), quantile_of(sorted, 0.25),
                     quantile_of(sorted, 0.5), quantile_of(sorted, 0.75), sorted.back()});
    }
  return out;
}

std::vector<ResizeScore> effect_of_resizing(const std::vector<GridRow>& grid, const std::string& method) {
  std::map<double, std::map<std::string, double>> best;  // factor, fold
  std::map<double, Index> chosen;
  for (const GridRow& row : grid) {
    if (row.method != method || row.fold == "all" || std::isnan(row.resize)) continue;
    const auto [at, first] = best[row.resize].try_emplace(row.fold, row.score);
    if (!first && (std::isnan(at->second) || row.score > at->second)) at->second = row.score;
    chosen[row.resize] += row.chosen ? 1 : 0;
  }
  std::vector<ResizeScore> out;
  if (best.size() < 2) return out;
  for (const auto& [factor, folds] : best) {
    std::vector<double> scores;
    for (const auto& [fold, score] : folds) scores.push_back(score);
    const MeanSd both = mean_sd(scores);
    if (!std::isnan(both.mean)) out.push_back({factor, both.mean, both.sd, chosen[factor]});
  }
  return out;
}

}  // namespace

std::vector<std::pair<double, bool>> decisions_of(const Study& study, const std::string& method) {
  const std::string positive = study.target.positive.value_or("");
  std::vector<Decision> out;
  for (const StudyPrediction& p : study.predictions)
    if (p.method == method && !std::isnan(p.decision)) out.emplace_back(p.decision, p.actual == positive);
  return out;
}

std::vector<std::pair<double, double>> roc_corners(std::vector<std::pair<double, bool>> decisions) {
  std::ranges::sort(decisions, std::greater<>(), &Decision::first);
  const auto positives = static_cast<double>(std::ranges::count_if(decisions, &Decision::second));
  const double negatives = static_cast<double>(decisions.size()) - positives;
  if (positives == 0 || negatives == 0) return {};
  std::vector<std::pair<double, double>> corners{{0, 0}};
  double hits = 0, alarms = 0;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    ++(decisions[i].second ? hits : alarms);
    if (i + 1 < decisions.size() && decisions[i + 1].first == decisions[i].first) continue;  // ties move as one
    corners.emplace_back(alarms / negatives, hits / positives);
  }
  return corners;
}

double roc_at(const std::vector<std::pair<double, double>>& corners, double false_positive) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < corners.size(); ++i)
    if (corners[i].first <= false_positive) last = i;
  if (last + 1 == corners.size()) return corners[last].second;
  const auto& [x0, y0] = corners[last];
  const auto& [next_x, next_y] = corners[last + 1];
  return y0 + (next_y - y0) * (false_positive - x0) / (next_x - x0);
}

std::vector<ReliabilityBin> reliability_of(std::vector<std::pair<double, bool>> decisions) {
  std::ranges::sort(decisions, std::less<>(), &Decision::first);
  const auto n = decisions.size();
  const auto positives = static_cast<std::size_t>(std::ranges::count_if(decisions, &Decision::second));
  constexpr std::size_t fewest = 8, most_bins = 10;
  if (n < 3 * fewest || positives == 0 || positives == n) return {};
  const std::size_t bins = std::min(most_bins, n / fewest);
  std::vector<ReliabilityBin> out;
  std::size_t begin = 0;
  for (std::size_t left = bins; begin < n; left = std::max<std::size_t>(1, left - 1)) {
    std::size_t end = std::min(n, begin + std::max(fewest, (n - begin) / left));
    while (end < n && decisions[end].first == decisions[end - 1].first) ++end;
    if (n - end < fewest) end = n;
    ReliabilityBin bin;
    bin.from = decisions[begin].first;
    bin.to = decisions[end - 1].first;
    bin.n = static_cast<Index>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      bin.decision += decisions[i].first / static_cast<double>(bin.n);
      bin.positive += decisions[i].second ? 1 : 0;
    }
    bin.share = static_cast<double>(bin.positive) / static_cast<double>(bin.n);
    const Interval interval = share_interval(bin.positive, bin.n);
    bin.low = interval.low;
    bin.high = interval.high;
    out.push_back(bin);
    begin = end;
  }
  return out;
}

double quantile_of(const std::vector<double>& sorted, double share) {
  const double at = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= sorted.size()) return sorted.back();
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

void add_diagnostics(const Study& study, const std::vector<GridRow>& grid, StudyMethod& method) {
  method.resizing = effect_of_resizing(grid, method.name);
  if (!study.target.positive || !study.target.negative) return;
  method.roc = roc_band(study, method.name);
  method.reliability = reliability_of(decisions_of(study, method.name));
  method.boxes = decision_boxes(study, method.name);
}

}  // namespace sturm
