// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/paper_table.h"

#include <fmt/core.h>

#include <cmath>
#include <functional>
#include <set>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

std::string line_of(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& cell : cells) out += " " + cell + " |";
  return out + "\n";
}

std::string head_of(const std::vector<std::string>& cells) {
  std::string out = line_of(cells) + "|";
  for (std::size_t i = 0; i < cells.size(); ++i) out += "---|";
  return out + "\n";
}

/// "72.92 (62.50 to 81.25)".
std::string with_interval(const std::optional<double>& value, const std::optional<Range>& interval, bool percent) {
  if (!value || !std::isfinite(*value)) return "–";
  const auto text = [percent](double v) { return percent ? fmt::format("{:.2f}", 100 * v) : fmt::format("{:.3f}", v); };
  return text(*value) +
         (interval ? fmt::format(" ({} to {})", text(interval->front()), text(interval->back())) : std::string());
}

/// What all predictions together say: a column for each score that has something to say in a study of its kind.
std::string pooled_table(const CvFacts& facts, const CvResults& results) {
  std::vector<Measure> measures = measures_of(facts.keys.classification, facts.keys.several);
  std::erase_if(measures, [](Measure m) { return m == Measure::sensitivity || m == Measure::specificity; });
  bool forced = false, p = false;
  for (const auto& [name, method] : results.methods) {
    forced = forced || method.forced_choice;
    p = p || !std::isnan(p_that_counts(method));
  }
  std::vector<std::string> head = {"All predictions together"};
  for (const Measure measure : measures)
    head.push_back(title_of(facts_of(measure)) + (facts_of(measure).percent ? " (%)" : "") + ", interval");
  if (forced) {
    head.emplace_back("Forced choice (%), interval");
    head.emplace_back("its p");
  }
  if (p) head.emplace_back("p");
  head.emplace_back("Sparsity in the mask (%)");
  std::string out = head_of(head);
  for (const auto& [name, method] : results.methods) {
    std::vector<std::string> cells = {name};
    for (const Measure measure : measures) {
      const auto found = method.scores.find(measure);
      const ScoreResult score = found == method.scores.end() ? ScoreResult() : found->second;
      cells.push_back(with_interval(score.pooled, score.interval, facts_of(measure).percent));
    }
    const auto number = [](const std::optional<double>& value) {
      return value && std::isfinite(*value) ? p_words(*value) : "–";
    };
    if (forced) {
      cells.push_back(with_interval(method.forced_choice, method.forced_choice_interval, true));
      cells.push_back(number(method.forced_choice_p));
    }
    if (p) cells.push_back(number(p_that_counts(method)));
    cells.push_back(with_interval(method.sparsity_in_mask, {}, true));
    out += line_of(cells);
  }
  return out;
}

/// Methods down and across: above the diagonal p on the same samples, below it over the folds.
std::string matrix_of(const std::vector<Comparison>& pairs) {
  std::vector<std::string> names = {pairs.front().first};
  for (const Comparison& pair : pairs)
    if (pair.first == names.front()) names.push_back(pair.second);
  std::vector<std::string> head = {"p, corrected"};
  head.insert(head.end(), names.begin(), names.end());
  std::string out = head_of(head);
  const auto p_of = [&](const std::string& first, const std::string& second, double Comparison::*p) {
    for (const Comparison& pair : pairs)
      if (pair.first == first && pair.second == second && !std::isnan(pair.*p)) return p_words(pair.*p);
    return std::string("–");
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::vector<std::string> cells = {names[i]};
    for (std::size_t j = 0; j < names.size(); ++j)
      cells.push_back(i == j  ? ""
                      : i < j ? p_of(names[i], names[j], &Comparison::p_adjusted)
                              : p_of(names[j], names[i], &Comparison::fold_p_adjusted));
    out += line_of(cells);
  }
  return out;
}

/// A paragraph of the sentences that there are.
std::string paragraph(const std::vector<std::string>& sentences) {
  std::string out;
  for (const std::string& sentence : sentences)
    if (!sentence.empty()) out += (out.empty() ? "" : " ") + sentence;
  return out.empty() ? "" : "\n" + out + "\n";
}

}  // namespace

std::string paper_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods,
                        const CvResults& results) {
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
  std::string out = fmt::format("| Method | {}{} | Sparsity of the box (%) |\n|---|---|---|\n", title_of(measure),
                                measure.percent ? " (%)" : "");
  for (const Row& row : rows)
    out += fmt::format(
        "| {} | {} | {} |\n", row.method,
        marked([](const Row& r) { return r.score.mean; }, row, text(row.score, measure.percent ? 100 : 1)),
        row.map
            ? marked([](const Row& r) { return r.map ? r.sparsity.mean : std::nan(""); }, row, text(row.sparsity, 100))
            : "–");
  out += fmt::format(
      "\nMean ± standard deviation over {} of {}{}; best in bold, second best in italics. The box holds the voxels "
      "outside the mask, too, which are all 0.",
      plural(plan.folds(), "outer fold"), plural(facts.keys.rows(), "sample"),
      plan.deals() == 1 ? "" : fmt::format(", {} folds dealt {} times", plan.outer.count(), plan.deals()));
  if (classes)
    out += fmt::format(" Always naming the {} class is right in {:.2f} %.",
                       facts.keys.several > 0 ? "largest" : "larger", 100 * majority_share(facts.keys.y));
  out += "\n\n" + pooled_table(facts, results);
  out += paragraph({interval_sentence(results), p_sentence(results), forced_choice_sentence(results)});
  if (results.comparisons) out += "\n" + matrix_of(*results.comparisons) + paragraph({paired_sentence(results)});
  return out + paragraph({guessing_sentence(results), comparison_sentence(results)});
}

}  // namespace sturm
