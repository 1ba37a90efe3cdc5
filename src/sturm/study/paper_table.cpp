// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/paper_table.h"

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <set>

#include "sturm/models/registry.h"

namespace sturm {

std::string paper_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods) {
  const bool classes = facts.keys.classification;
  const MeasureFacts& measure = facts_of(measures_of(classes, facts.keys.several).front());
  struct Row {
    std::string method;
    MeanSd score, sparsity;
    bool map, baseline;
  };
  std::vector<Row> rows;
  rows.reserve(methods.size());
  for (const MethodOutcomes& method : methods)
    rows.push_back({method.name(), mean_sd(method.by_fold(measure.measure)), method.over_folds(&FoldOutcome::sparsity),
                    method.has_map(), is_baseline(method.name())});
  const auto marked = [&](auto value_of, const Row& row, const std::string& text) {
    std::set<double, std::greater<>> values;
    for (const Row& other : rows)
      if (!other.baseline && std::isfinite(value_of(other))) values.insert(value_of(other));
    const double mine = value_of(row);
    if (row.baseline || values.empty() || !std::isfinite(mine)) return text;
    if (mine == *values.begin()) return "**" + text + "**";
    return values.size() > 1 && mine == *std::next(values.begin()) ? "*" + text + "*" : text;
  };
  const auto text = [](const MeanSd& m, double scale) {
    const double sd = std::isfinite(m.sd) ? m.sd : 0;
    return fmt::format("{:.2f} ± {:.2f}", scale * m.mean, scale * sd);
  };
  std::string out = fmt::format("| Method | {}{} | Sparsity (%) |\n|---|---|---|\n", title_of(measure),
                                measure.percent ? " (%)" : "");
  for (const Row& row : rows)
    out += fmt::format(
        "| {} | {} | {} |\n", row.method,
        marked([](const Row& r) { return r.score.mean; }, row, text(row.score, measure.percent ? 100 : 1)),
        row.map
            ? marked([](const Row& r) { return r.map ? r.sparsity.mean : std::nan(""); }, row, text(row.sparsity, 100))
            : "–");
  out += fmt::format(
      "\nMean ± standard deviation over {} outer folds of {} samples{}; best in bold, second best in italics.",
      plan.folds(), facts.keys.rows(),
      plan.deals() == 1 ? "" : fmt::format(", {} folds dealt {} times", plan.outer.count(), plan.deals()));
  if (classes)
    out += fmt::format(" Always naming the larger class is right in {:.2f} %.", 100 * majority_share(facts.keys.y));
  return out + "\n";
}

}  // namespace sturm
