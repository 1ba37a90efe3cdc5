// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/cv_files.h"

#include <algorithm>
#include <functional>
#include <iterator>

#include "sturm/app/data_facts.h"
#include "sturm/app/fit_files.h"
#include "sturm/app/space.h"
#include "sturm/app/trained_on.h"
#include "sturm/core/files.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/report/truth_agreement.h"
#include "sturm/results/json.h"
#include "sturm/study/stability.h"

namespace sturm {
namespace {

/// The space of the size that an outcome chose; none for arrays.
const std::optional<Space>& space_of(double resize, const std::vector<double>& factors,
                                     const std::vector<std::optional<Space>>& spaces) {
  return spaces[std::ranges::find(factors, resize) - factors.begin()];
}

std::string write(const std::filesystem::path& folder, const std::string& name, const Tensor& map,
                  const std::optional<Space>& space, const char* description) {
  return write_map(folder, name, {cast<float>(map), space ? space->grid.affine : Affine{}, space.has_value()},
                   description);
}

/// Values of the voxels, class after class, on the grid of the volumes: one map, or one a class.
std::vector<BrainMap> maps_on_grid(std::span<const float> values, const Shape& shape, const std::optional<Space>& space,
                                   Tensor (*on_grid)(const Tensor&, const Space&)) {
  std::vector<BrainMap> out;
  const auto voxels = static_cast<std::size_t>(shape.size());
  for (std::size_t begin = 0; begin < values.size(); begin += voxels) {
    Tensor map(shape);
    std::ranges::copy(values.subspan(begin, voxels), map.data());
    out.push_back(
        {cast<float>(space ? on_grid(map, *space) : map), space ? space->grid.affine : Affine{}, space.has_value()});
  }
  return out;
}
std::vector<BrainMap> coefficient_maps(const FoldOutcome& outcome, const std::optional<Space>& space) {
  return maps_on_grid(outcome.coef, outcome.shape, space, coef_on_grid);
}

/// Adds `value` of the coarse voxel that holds the middle of the fine one, wherever that is inside the mask.
void add_to(Tensor& fine_map, const Shape& coarse, const std::optional<Space>& space,
            const std::function<double(Index coarse)>& value) {
  const Shape& fine = fine_map.shape();
  for (Index k = 0; k < fine.n3; ++k)
    for (Index j = 0; j < fine.n2; ++j)
      for (Index i = 0; i < fine.n1; ++i) {
        const Index a = (2 * i + 1) * coarse.n1 / (2 * fine.n1), b = (2 * j + 1) * coarse.n2 / (2 * fine.n2),
                    c = (2 * k + 1) * coarse.n3 / (2 * fine.n3);
        if (space && !space->mask.empty() && !space->mask[i + fine.n1 * (j + fine.n2 * k)]) continue;
        fine_map(i, j, k) += value(a + coarse.n1 * (b + coarse.n2 * c));
      }
}

/// How far the outer folds agree on the sign of a voxel's coefficient, on the grid of the volumes: folds may have
/// chosen different sizes.
Tensor stability_map(const std::vector<Stability>& parts, const CvFacts& facts,
                     const std::vector<std::optional<Space>>& spaces) {
  const std::optional<Space>& first = space_of(parts.front().resize, facts.resize, spaces);
  Tensor out(first ? first->grid.shape : parts.front().shape);
  Index folds = 0;
  for (const Stability& part : parts) folds += part.folds;
  for (const Stability& part : parts)
    add_to(out, part.shape, space_of(part.resize, facts.resize, spaces),
           [&](Index v) { return static_cast<double>(part.agree[v]) / static_cast<double>(folds); });
  return out;
}

/// The voxels that each fold selects, in the order of the folds that are done; empty for a method that selects most.
std::vector<BrainMap> fold_maps(const std::string& method, const CvFacts& facts, const CvPlan& plan,
                                const CvOutcomes& outcomes, const std::vector<std::optional<Space>>& spaces) {
  std::vector<BrainMap> out;
  double sparsity = 0;
  for (int fold = 0; fold < plan.folds(); ++fold) {
    const FoldOutcome* const outcome = find_outcome(plan, outcomes, method, fold);
    if (outcome == nullptr) continue;
    if (!outcome->has_signs()) return {};
    const std::optional<Space>& space = space_of(outcome->resize, facts.resize, spaces);
    Tensor map(space ? space->grid.shape : outcome->shape);
    add_to(map, outcome->shape, space, [&](Index v) { return outcome->selects(v) ? 1 : 0; });
    out.push_back({cast<float>(map), space ? space->grid.affine : Affine{}, space.has_value()});
    sparsity += outcome->sparsity_in_mask;
  }
  return sparsity >= 0.5 * static_cast<double>(out.size()) ? out : std::vector<BrainMap>{};
}

std::string model_name(const std::string& method) { return "model_" + method + ".safetensors"; }

}  // namespace

std::vector<std::string> cv_file_names(const std::vector<std::string>& methods) {
  std::vector<std::string> out = {"results.json", "folds.tsv",   "predictions.tsv", "grid.tsv",
                                  "fitted.tsv",   "table.md",    "groups.tsv",      "sites.tsv",
                                  "null.tsv",     "repeats.tsv", "learning.tsv"};
  out.insert(out.end(), report_files.begin(), report_files.end());
  for (const std::string& method : methods) out.push_back(model_name(method));
  for (const std::string& method : methods)
    for (const char* what : {"map_", "readable_", "pattern_", "stability_", "folds_", "trace_"})
      for (const char* end : {".nii.gz", ".npy", ".tsv"}) out.push_back(what + method + end);
  return out;
}

std::vector<std::string> write_cv(const std::filesystem::path& folder, const ResultFiles& tables, const CvFacts& facts,
                                  const CvPlan& plan, const CvOutcomes& outcomes,
                                  const std::vector<std::optional<Space>>& spaces) {
  std::vector<std::string> names;
  for (const auto& [name, text] : tables) {
    write_file(folder / name, text);
    names.push_back(name);
  }
  // Compressing maps takes longest of all: one file per thread. Each job gives the name of its file, or none.
  std::vector<std::function<std::string()>> jobs;
  for (const std::string& method : plan.methods) {
    const FoldOutcome* const all = find_outcome(plan, outcomes, method, -1);
    if (all != nullptr && !all->trace.empty())
      jobs.emplace_back([&folder, all, name = "trace_" + method + ".tsv"] {
        write_file(folder / name, trace_table(all->trace));
        return name;
      });
    const auto write_all = [&](const std::string& name, const std::vector<BrainMap>& maps, const char* what) {
      return facts.keys.several > 0 ? write_series(folder, name, maps, what)
                                    : write_map(folder, name, maps.front(), what);
    };
    if (all != nullptr && !all->coef.empty())
      jobs.emplace_back([&, all, write_all, name = "map_" + method] {
        return write_all(name, coefficient_maps(*all, space_of(all->resize, facts.resize, spaces)),
                         "sturm coefficients");
      });
    if (all != nullptr && !all->readable.empty() && !all->coef.empty())
      jobs.emplace_back([&, all, write_all, name = "readable_" + method] {
        const FoldOutcome& readable = all->readable.front().coef.empty() ? *all : all->readable.front();
        return write_all(name, coefficient_maps(readable, space_of(readable.resize, facts.resize, spaces)),
                         "sturm coefficients, sparsest near the best");
      });
    if (all != nullptr && std::ranges::any_of(all->pattern, [](float v) { return v != 0; }))
      jobs.emplace_back([&, all, write_all, name = "pattern_" + method] {
        return write_all(
            name, maps_on_grid(all->pattern, all->shape, space_of(all->resize, facts.resize, spaces), pattern_on_grid),
            "sturm forward pattern");
      });
    jobs.emplace_back([&, method]() -> std::string {
      const std::vector<Stability> parts = stability_of(method, plan, outcomes);
      if (parts.empty()) return {};
      return write(folder, "stability_" + method, stability_map(parts, facts, spaces),
                   space_of(parts.front().resize, facts.resize, spaces), "agreement of folds on the sign");
    });
    jobs.emplace_back([&, method]() -> std::string {
      const std::vector<BrainMap> folds = fold_maps(method, facts, plan, outcomes, spaces);
      return folds.empty() ? "" : write_series(folder, "folds_" + method, folds, "voxels that a fold selects");
    });
  }
  std::vector<std::string> written(jobs.size());
  parallel_for(std::ssize(jobs), [&](Index j, int) { written[j] = jobs[j](); });
  std::ranges::copy_if(written, std::back_inserter(names), [](const std::string& name) { return !name.empty(); });
  return names;
}

template <class Real>
std::vector<std::string> write_models(const std::filesystem::path& folder, const CvStudy<Real>& study,
                                      const CvOutcomes& outcomes, std::vector<std::string>& notes) {
  std::vector<std::string> names;
  const Target& target = study.facts.target;
  for (const std::string& method : study.plan.methods) {
    const FoldOutcome* const all = find_outcome(study.plan, outcomes, method, -1);
    if (all == nullptr) continue;
    if (all->model.arrays.empty()) {
      notes.push_back("the model of " + method + " is not kept, being larger than " +
                      format_bytes(most_bytes_of_model) + "; sturm fit makes it.");
      continue;
    }
    SavedModel saved = model_of(all->model);
    saved.target = target.column;
    saved.classes = target.classes;
    saved.names = target.names;
    const auto size = std::ranges::find(study.facts.resize, all->resize) - study.facts.resize.begin();
    if (const std::optional<Space>& space = study.spaces[size]) saved.grid = to_model_grid(*space, saved.shape);
    const Design<Real> raw = study.nested.resolutions[size].volumes(study.nested.counted_samples(), {});
    saved.trained_on = names_of_content(saved, raw, study.nested.weights);
    names.push_back(model_name(method));
    write_model(folder / names.back(), saved);
  }
  return names;
}

template std::vector<std::string> write_models(const std::filesystem::path&, const CvStudy<float>&, const CvOutcomes&,
                                               std::vector<std::string>&);
template std::vector<std::string> write_models(const std::filesystem::path&, const CvStudy<double>&, const CvOutcomes&,
                                               std::vector<std::string>&);

Named<TruthAgreement> agreement_with_truth(const BrainMap& truth, const BrainMap& mean, const CvFacts& facts,
                                           const CvPlan& plan, const CvOutcomes& outcomes,
                                           const std::vector<std::optional<Space>>& spaces) {
  Named<TruthAgreement> out;
  const std::optional<Classes>& two = facts.target.classes;
  if (!two || !is_planted_target(facts.target.column, std::vector<std::string>{two->negative, two->positive}))
    return out;
  for (const std::string& method : plan.methods) {
    const FoldOutcome* const all = find_outcome(plan, outcomes, method, -1);
    if (all == nullptr || all->coef.empty()) continue;
    const BrainMap map = coefficient_maps(*all, space_of(all->resize, facts.resize, spaces)).front();
    if (const std::optional<TruthAgreement> found = agreement_with(truth, map, mean)) out.emplace_back(method, *found);
  }
  return out;
}

bool holds_results_of(const std::filesystem::path& folder, const StudySettings& settings) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(folder / "results.json", failure)) return false;
  const auto results = nlohmann::ordered_json::parse(read_file(folder / "results.json"), nullptr, false);
  if (!results.is_object() || !results.contains("settings")) return false;
  if (!has_every_key<StudySettings>(results["settings"])) return false;  // of another build
  StudySettings there;
  try {
    from_json(results["settings"], there, "settings");
  } catch (const Error&) {
    return false;
  }
  return digest(identity_of(there)) == digest(identity_of(settings));
}

}  // namespace sturm
