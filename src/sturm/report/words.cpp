// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sturm/models/registry.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

std::string p_words(double p) { return p < 1e-3 ? fmt::format("{:.1e}", p) : fmt::format("{:.3g}", p); }

bool is_share(const std::string& score) {
  return score == "accuracy" || score == "balanced_accuracy" || score == "sensitivity" || score == "specificity";
}

/// The p-value that counts: of permutations where there were any.
double p_of(const ordered_json& method) {
  const double permutation = number_of(method["p"], "permutation");
  return std::isnan(permutation) ? number_of(method["p"], "binomial") : permutation;
}

Index unconverged_folds(const ordered_json& method) {
  return std::ranges::count_if(method["chosen"],
                               [](const ordered_json& fold) { return text_of(fold, "status") == "iteration_limit"; });
}

/// Whether all samples of a site are of one class.
bool one_class_alone(const ordered_json& site, std::size_t classes) {
  if (const std::vector<Index> counts = class_counts(site, classes); !counts.empty())
    return std::ranges::count_if(counts, [](Index n) { return n > 0; }) == 1;
  const double n = number_of(site, "n"), positive = number_of(site, "positive");
  return n > 0 && (positive == 0 || positive == n);
}

void warn_of_sites(const ordered_json& data, const ordered_json& target, std::vector<std::string>& out) {
  const ordered_json sites = field(data, "sites");
  const double association = site_association(sites);
  if (std::isnan(association)) return;
  const std::string column = text_of(data, "site_column"), what = text_of(target, "column");
  std::vector<std::string> single;
  const ordered_json names = field(target, "classes");
  const bool classes = !names.is_null();
  for (const ordered_json& site : sites)
    if (classes && one_class_alone(site, names.size())) single.push_back(text_of(site, "site"));
  if (association >= 0.3)
    out.push_back(fmt::format(
        "{} and {} are confounded ({} = {:.2f}): a model may have learnt the site; leave one site "
        "out at a time (outer folds by group, the groups being those of {}), or regress it out as a confound.",
        column, what, classes ? "Cramer's V" : "eta", association, column));
  if (!single.empty())
    out.push_back(fmt::format("{} has one class alone at {}: these samples tell nothing apart from their site.", column,
                              join(single, 5)));
}

/// What is said of the classes where one is larger than another by half: of two, where one has more than 60 %.
void warn_of_balance(const ordered_json& study, std::vector<std::string>& out) {
  const double majority = number_of(study, "majority");
  const std::vector<std::string> classes = several_classes(study["target"]);
  if (classes.empty()) {
    if (majority > 0.6)
      out.push_back(
          fmt::format("The classes are not balanced: always naming the larger is right for {:.1f} %, so look at "
                      "balanced accuracy and AUC.",
                      100 * majority));
    return;
  }
  const ordered_json counts = field(study["counts"], "classes");
  if (!counts.is_array() || counts.size() != classes.size()) return;
  const auto n = counts.get<std::vector<Index>>();
  const auto least = std::ranges::min_element(n), most = std::ranges::max_element(n);
  if (2 * *most <= 3 * *least) return;
  out.push_back(fmt::format(
      "The classes are not balanced: {} has {}, {} has {}{}; look at balanced accuracy.", classes[most - n.begin()],
      plural(*most, "sample"), classes[least - n.begin()], *least,
      std::isnan(majority) ? ""
                           : fmt::format(", and always naming the largest is right for {:.1f} %", 100 * majority)));
}

/// Cramer's V of a table of sites and classes: sqrt(chi^2 / (n (min(rows, columns) - 1))).
double cramers_v(const std::vector<std::vector<Index>>& table) {
  std::vector<double> row(table.size(), 0), column(table.front().size(), 0);
  double n = 0;
  for (std::size_t r = 0; r < row.size(); ++r)
    for (std::size_t c = 0; c < column.size(); ++c) {
      const auto count = static_cast<double>(table[r][c]);
      row[r] += count;
      column[c] += count;
      n += count;
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

std::string score_words(const std::string& score, double value) {
  if (std::isnan(value)) return "n/a";
  return is_share(score) ? fmt::format("{:.1f} %", 100 * value) : fmt::format("{:.3f}", value);
}

std::string score_name(const std::string& score) {
  if (score == "auc") return "AUC";
  if (score == "r2") return "R²";
  std::string out = score;
  std::ranges::replace(out, '_', ' ');
  return out;
}

ordered_json best_method(const ordered_json& study) {
  const std::string score = text_of(study, "score");
  ordered_json best;
  double highest = -std::numeric_limits<double>::infinity();
  for (const ordered_json& method : study["methods"]) {
    const double mean = number_of(field(method["scores"], score), "mean");
    if (is_baseline(text_of(method, "name")) || std::isnan(mean) || mean <= highest) continue;
    highest = mean;
    best = method;
  }
  return best;
}

std::string cv_verdict(const ordered_json& study) {
  const ordered_json best = best_method(study);
  if (best.is_null()) return "There is no score yet: no outer fold of any method is done.";
  const std::string score = text_of(study, "score"), name = text_of(best, "name");
  const ordered_json& values = best["scores"][score];
  const double pooled = number_of(values, "pooled"), mean = number_of(values, "mean"), sd = number_of(values, "sd");
  const double p = p_of(best), permutation = number_of(best["p"], "permutation");
  const bool classes = !field(study["target"], "classes").is_null();
  const std::size_t several = several_classes(study["target"]).size();
  const auto permutations = static_cast<double>(best["null_scores"].size());
  const bool can_tell = std::isnan(permutation) || 1 / (permutations + 1) <= 0.05;
  std::string out;
  if (p > 0.05 && can_tell)
    out = study["methods"].size() > 1 ? "No method is shown to be better than chance: the best, " + name + ","
                                      : name + " is not shown to be better than chance: it";
  else
    out = name;
  if (score == "accuracy" && best["interval"].is_array())
    out +=
        fmt::format(" is right for {:.1f} % of {} samples{} (95 % interval {:.1f} to {:.1f} %)", 100 * pooled,
                    study["counts"]["samples"].get<Index>(), several > 0 ? fmt::format(" of {} classes", several) : "",
                    100 * best["interval"][0].get<double>(), 100 * best["interval"][1].get<double>());
  else
    out += fmt::format(" reaches {} {} of {} in the mean over the folds{}",
                       score_name(score).starts_with("A") || score == "accuracy" ? "an" : "a", score_name(score),
                       score_words(score, mean),
                       std::isnan(sd) ? "" : fmt::format(" (standard deviation {})", score_words(score, sd)));
  if (score == "accuracy" && several > 0)
    out += fmt::format(", where chance is {:.1f} %{}", 100 * number_of(study, "chance"),
                       study["majority"].is_null()
                           ? ""
                           : fmt::format(" and always naming the largest class is right for {:.1f} %",
                                         100 * study["majority"].get<double>()));
  else if (score == "accuracy" && !study["majority"].is_null())
    out += fmt::format(", where always naming the larger class is right for {:.1f} %",
                       100 * study["majority"].get<double>());
  else if (classes)
    out += fmt::format(", where chance is {}", score_words(score, score == "auc" ? 0.5 : number_of(study, "chance")));
  else
    out += ", where predicting the mean reaches 0";
  if (!std::isnan(permutation))
    out += fmt::format("; p = {} by {} of the labels", p_words(permutation),
                       plural(static_cast<Index>(best["null_scores"].size()), "permutation"));
  else if (!std::isnan(p) && score == "accuracy")
    out += fmt::format("; p = {} by a binomial test, as no labels were permuted", p_words(p));
  else
    out += "; without permutations there is no p-value";
  return out + ".";
}

std::string fit_verdict(const ResultFolder& folder) {
  const ordered_json& f = folder.facts;
  const std::string status = text_of(f, "status");
  const double gap = number_of(f, "relative_gap"), sparsity = number_of(f, "sparsity");
  const std::size_t several = several_classes(target_json(f)).size();
  std::string out = fmt::format("{} was fitted to {} samples", text_of(f, "method"), field(f, "n_samples").dump());
  if (several > 0) out += fmt::format(" of {} classes, each against the rest", several);
  if (status == "iteration_limit")
    out += ", and did not converge";
  else if (status == "zero_solution")
    out += "; the solution is zero everywhere";
  if (!std::isnan(gap))
    out += fmt::format(", with a relative duality gap of {}{:.1e}", several > 0 ? "at most " : "", gap);
  if (!std::isnan(sparsity))
    out += fmt::format("; {:.1f} % of the coefficients are 0{}", 100 * sparsity,
                       several > 0 ? " in the mean over the classes" : "");
  return out + ". A fit says nothing about how well it predicts: that is what sturm cv measures.";
}

double site_association(const ordered_json& sites) {
  if (!sites.is_array() || sites.size() < 2) return std::numeric_limits<double>::quiet_NaN();
  if (const ordered_json counts = field(sites[0], "class_samples"); counts.is_array()) {
    std::vector<std::vector<Index>> table;
    for (const ordered_json& site : sites) {
      table.push_back(class_counts(site, counts.size()));
      if (table.back().empty()) return std::numeric_limits<double>::quiet_NaN();
    }
    return cramers_v(table);
  }
  double n = 0, sum = 0;
  const bool classes = sites[0].contains("positive");
  for (const ordered_json& site : sites) {
    n += number_of(site, "n");
    sum += classes ? number_of(site, "positive") : number_of(site, "n") * number_of(site, "mean");
  }
  const double mean = sum / n;
  double between = 0, within = 0;  // sums of squares: for two classes between / total is chi^2 / n = V^2
  for (const ordered_json& site : sites) {
    const double count = number_of(site, "n");
    const double here = classes ? number_of(site, "positive") / count : number_of(site, "mean");
    between += count * (here - mean) * (here - mean);
    within += classes ? count * here * (1 - here) : number_of(site, "squares");
  }
  return between + within > 0 ? std::sqrt(between / (between + within)) : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::string> cv_warnings(const ResultFolder& folder, const ordered_json& study) {
  std::vector<std::string> out;
  const auto samples = study["counts"]["samples"].get<Index>();
  if (samples < 100) {
    const double half = 1.96 * std::sqrt(0.25 / static_cast<double>(std::max<Index>(samples, 1)));
    out.push_back(field(study["target"], "classes").is_null()
                      ? fmt::format("The sample is small: {} samples.", samples)
                      : fmt::format("The sample is small: with {} samples an accuracy near 50 % has a 95 % interval of "
                                    "about ±{:.0f} percentage points.",
                                    samples, 100 * half));
  }
  warn_of_balance(study, out);
  warn_of_sites(folder.data, study["target"], out);
  for (const ordered_json& method : study["methods"]) {
    const std::string name = text_of(method, "name");
    const auto inner = method["fits"]["inner"].get<Index>(), bad = method["fits"]["unconverged"].get<Index>();
    if (bad > 0)
      out.push_back(fmt::format("{}: {} of {} inner fits did not converge (largest relative gap {:.1e}).", name, bad,
                                inner, number_of(method["fits"], "worst_gap")));
    if (const Index folds = unconverged_folds(method); folds > 0)
      out.push_back(fmt::format("{}: the model did not converge in {}.", name, plural(folds, "outer fold")));
  }
  if (const auto count = study["permutations"].get<Index>(); count > 0 && count < 19)
    out.push_back(fmt::format("{} are too few: p cannot be smaller than {:.2g}.", plural(count, "permutation"),
                              1 / static_cast<double>(count + 1)));
  Index compared = 0;
  for (const ordered_json& method : study["methods"]) compared += !is_baseline(text_of(method, "name"));
  if (compared > 1)
    out.push_back(
        fmt::format("The best of {} methods is named after the fact: its score is a little too good, and its p "
                    "is not corrected for the choice.",
                    compared));
  return out;
}

std::vector<std::string> fit_warnings(const ResultFolder& folder) {
  std::vector<std::string> out;
  const auto stopped = [](const ordered_json& fit) { return text_of(fit, "status") == "iteration_limit"; };
  for (const ordered_json& one : field(folder.facts, "classes"))
    if (stopped(one))
      out.push_back(fmt::format("The fit of {} against the rest did not converge: its relative gap is {:.1e}.",
                                text_of(one, "class"), number_of(one, "relative_gap")));
  if (out.empty() && stopped(folder.facts))
    out.push_back(
        fmt::format("The fit did not converge: its relative gap is {:.1e}.", number_of(folder.facts, "relative_gap")));
  if (number_of(folder.facts, "n_samples") < 100)
    out.push_back(fmt::format("The sample is small: {} samples.", field(folder.facts, "n_samples").dump()));
  warn_of_sites(folder.data, target_json(folder.facts), out);
  return out;
}

}  // namespace sturm
