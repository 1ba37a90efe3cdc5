// SPDX-License-Identifier: BSD-3-Clause
// The part of words.h that is for the methods section of a paper.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/models/registry.h"
#include "sturm/report/words.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

/// A support vector machine, alone or at the end.
bool is_machine(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method != nullptr && method->has_parameter("C");
}

std::string title_of(const std::string& name) {
  return known_method<double>(name) == nullptr ? name : fmt::format("{} ({})", name, method_title(name));
}

std::string folds_words(const std::string& folds) {
  if (folds == "group") return "leaving one group out";
  if (folds.starts_with("column:")) return "the folds of the column " + folds.substr(7);
  return folds + " folds";
}

std::string normalize_words(const std::string& how) {
  if (how == "sample") return " Each volume was brought to mean 0 and norm 1.";
  if (how == "voxel") return " Each voxel was brought to variance 1 over the training samples.";
  return "";
}

/// "face (30 samples), house (28)".
std::string classes_words(const std::vector<std::string>& classes, const std::vector<Index>& counts) {
  std::string out;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    if (c > 0) out += ", ";
    out += classes[c];
    if (!counts.empty()) out += c == 0 ? " (" + plural(counts[c], "sample") + ")" : fmt::format(" ({})", counts[c]);
  }
  return out;
}

constexpr const char* one_against_rest =
    " Each class was told from all others by a model of its own (one against the rest); the class of a sample is that "
    "of "
    "the largest decision value.";

}  // namespace

std::string method_title(const std::string& name) {
  const Method<double>* const method = known_method<double>(name);
  return method == nullptr ? name : method->title();
}

std::string cv_methods_text(const ResultFolder& folder) {
  const ordered_json& f = folder.facts;
  const auto said = [&](const char* flag) { return folder.setting(flag); };
  std::vector<std::string> titles;
  bool machines = false;
  for (const auto& [name, method] : f["methods"].items()) {
    titles.push_back(title_of(name));
    machines = machines || is_machine(name);
  }
  const ordered_json groups = field(f, "groups");
  const std::vector<std::string> classes = class_names(f);
  const bool several = classes.size() > 2;
  std::string out = fmt::format("{} samples", field(f, "samples").dump());
  if (groups.is_object())
    out += fmt::format(" in {} groups of {}", field(groups, "count").dump(), text_of(groups, "column"));
  if (several)
    out += fmt::format(" were classified by {} into {} classes: {}.{}", text_of(f, "target"), classes.size(),
                       classes_words(classes, class_counts(f, classes.size())), one_against_rest);
  else if (!classes.empty())
    out += fmt::format(" were classified by {}: {} ({} samples) against {}.", text_of(f, "target"), classes[1],
                       field(f, "positive_samples").dump(), classes[0]);
  else
    out += fmt::format(" were used to predict {}.", text_of(f, "target"));
  if (!said("--resize").empty() && said("--resize") != "1")
    out += fmt::format(" Volumes were resized by factors of {}.", said("--resize"));
  out += normalize_words(said("--normalize"));
  out += fmt::format(" Methods compared: {}.", join(titles, titles.size()));
  if (classes.empty() && machines)
    out += fmt::format(
        " Support vector machines did not count errors below {} standard deviations of the training targets.",
        said("--tube"));
  out += fmt::format(
      " They were tested by nested cross-validation: {} to test on, and inside each training set {} to "
      "choose the hyperparameters with, by {}{}, from {}.",
      said("--outer").empty() ? "outer folds" : folds_words(said("--outer")),
      said("--inner").empty() ? "inner folds" : folds_words(said("--inner")), score_name(text_of(f, "score")),
      several ? fmt::format(" over all {} classes, one setting for all of them", classes.size()) : "",
      said("--grid") == "paper" ? "the grid of Li et al. (2018)"
                                : "a grid relative to where all coefficients become zero");
  if (said("--one-standard-error") == "yes")
    out += " Of the settings within one standard error of the best, the sparsest was taken.";
  if (groups.is_object()) out += fmt::format(" No {} was on both sides of a fold.", text_of(groups, "column"));
  if (!said("--confounds").empty())
    out += fmt::format(" {} {} regressed out of the volumes.", said("--confounds"),
                       said("--confounds").find(',') == std::string::npos ? "was" : "were");
  out += " Whatever was learnt (mask, confounds, scaling, hyperparameters) was learnt from the training samples alone.";
  if (said("--solver") == "paper")
    out += " Sturm and Remurs were fitted by the algorithms of their papers.";
  else if (!said("--gap").empty())
    out += fmt::format(" Penalised fits were run to a relative duality gap of {}.", said("--gap"));
  bool has_gap = false;
  for (const auto& [name, result] : f["methods"].items())
    if (const Method<double>* const method = known_method<double>(name)) has_gap = has_gap || method->has_gap();
  const bool rough = said("--inner-gap") != "0" && has_gap;
  if (said("--solver") != "paper" && rough && !said("--inner-gap").empty())
    out += fmt::format(
        " Inner fits of Sturm and Remurs went to a gap of {} first, and to the other where their setting could be "
        "chosen.",
        said("--inner-gap"));
  if (several)
    out +=
        " Balanced accuracy and AUC are means over the classes: of the share of a class that was found, and of the AUC "
        "of a class against the rest.";
  if (!classes.empty()) out += " The interval of an accuracy is the exact one of Clopper and Pearson, at 95 %.";
  if (number_of(f, "permutations") > 0)
    out += fmt::format(
        " All of it was repeated for {} permutations of the labels ({}), whose share of scores at least "
        "as good, the true one counted among them, is p.",
        field(f, "permutations").dump(), text_of(f, "permuted"));
  out += fmt::format(" Random numbers started from seed {}. The program was sturm {}.", said("--seed"),
                     text_of(f, "version"));
  return out;
}

std::string fit_methods_text(const ResultFolder& folder) {
  const ordered_json& f = folder.facts;
  const std::vector<std::string> classes = class_names(f);
  const bool several = classes.size() > 2;
  std::string out =
      fmt::format("{} was fitted to {} samples", title_of(text_of(f, "method")), field(f, "n_samples").dump());
  if (several)
    out += fmt::format(" to tell {} classes of {} apart: {}.{}", classes.size(), text_of(f, "target"),
                       classes_words(classes, class_counts(folder.data, classes.size())), one_against_rest);
  else if (!classes.empty())
    out += fmt::format(" to tell {} from {} ({}).", classes[1], classes[0], text_of(f, "target"));
  else
    out += fmt::format(" to predict {}.", text_of(f, "target"));
  out += normalize_words(text_of(f, "normalize"));
  std::string parameters;
  const ordered_json given = field(f, "parameters");
  if (given.is_object())
    for (const auto& [name, value] : given.items())
      if (value.is_number())
        parameters += fmt::format("{}{} {:.4g}", parameters.empty() ? "" : ", ", name, value.get<double>());
  if (!parameters.empty()) out += fmt::format(" Its hyperparameters were {}.", parameters);
  if (const double gap = number_of(f, "relative_gap"); !std::isnan(gap))
    out += fmt::format(" The {}relative duality gap of the {} is {:.1e}.", several ? "largest " : "",
                       several ? "fits" : "fit", gap);
  return out + fmt::format(" The program was sturm {}.", text_of(f, "version"));
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
