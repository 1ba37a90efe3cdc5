// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/fit_files.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "sturm/cli/space.h"
#include "sturm/core/build_info.h"
#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/resize.h"
#include "sturm/models/model_file.h"

namespace sturm::cli {

using nlohmann::ordered_json;

namespace {

void write_map(const std::filesystem::path& file, const Grid& grid, const Tensor& map) {
  write_volume(file, grid, cast<float>(map).flat(), {.description = "sturm coefficients"});
}

}  // namespace

ordered_json fit_facts(const SturmFit& fit, const Target& target, const SturmOptions& options,
                       const std::string& precision, const std::optional<Space>& space) {
  const FitReport& r = fit.report;
  const Shape& shape = fit.model.coef.shape();
  ordered_json labels;
  if (target.classes) labels = {target.classes->negative, target.classes->positive};
  ordered_json facts = {{"method", "sturm"},
                        {"tau", r.tau},
                        {"gamma", r.gamma},
                        {"alpha", r.alpha},
                        {"objective", r.objective},
                        {"dual", r.dual},
                        {"relative_gap", r.relative_gap},
                        {"iterations", r.iterations},
                        {"status", to_word(r.status)},
                        {"sparsity", r.sparsity},
                        {"sparsity_in_mask", r.sparsity_in_mask},
                        {"tubal_rank", r.tubal_rank},
                        {"intercept", r.intercept},
                        {"n_samples", r.samples},
                        {"shape", {shape.n1, shape.n2, shape.n3}},
                        {"seconds", r.seconds},
                        {"solver", to_word(options.solver.solver)},
                        {"precision", precision},
                        {"normalize", to_word(options.normalize)},
                        {"target", target.column},
                        {"labels", labels},
                        {"version", build_info().version}};
  if (space) {
    const Shape& grid = space->grid.shape;
    facts["grid"] = {{"shape", {grid.n1, grid.n2, grid.n3}}, {"affine", space->grid.affine.rows}};
    facts["resize"] = space->resize;
  }
  return facts;
}

std::vector<std::string> write_fit(const std::filesystem::path& folder, const SturmFit& fit, const Target& target,
                                   const ordered_json& facts, const std::optional<Space>& space) {
  const Tensor& coef = fit.model.coef;
  SavedModel saved{fit.model, "sturm", target.column, target.classes};
  std::vector<std::string> names;
  if (space) {
    write_map(folder / "coef.nii.gz", space->grid, coef_on_grid(coef, *space));
    names.emplace_back("coef.nii.gz");
    if (coef.shape() != space->grid.shape) {
      write_map(folder / "coef_resized.nii.gz", resized_grid(space->grid, coef.shape()), coef);
      names.emplace_back("coef_resized.nii.gz");
    }
    saved.grid = to_model_grid(*space, coef.shape());
  } else {
    write_npy(folder / "coef.npy", coef);
    names.emplace_back("coef.npy");
  }
  write_model(folder / "model.safetensors", saved);
  write_file(folder / "fit.json", to_text(facts) + "\n");
  std::string trace = "iteration\tobjective\tgap\tchange\n";
  for (const TraceRow& row : fit.report.trace)
    trace += fmt::format("{}\t{}\t{}\t{}\n", row.iteration, row.objective, row.gap, row.change);
  write_file(folder / "trace.tsv", trace);
  names.insert(names.end(), {"model.safetensors", "fit.json", "trace.tsv"});
  return names;
}

std::string to_text(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace sturm::cli
