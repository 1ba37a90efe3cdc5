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

namespace sturm::cli {

using nlohmann::ordered_json;

namespace {

void write_map(const std::filesystem::path& file, const Grid& grid, const Tensor& map) {
  write_volume(file, grid, cast<float>(map).flat(), {.description = "sturm coefficients"});
}

}  // namespace

ordered_json fit_facts(const FitOutcome& fit, const Target& target, const SturmOptions& options,
                       const std::string& precision, const std::optional<Space>& space) {
  const FitReport& r = fit.report;
  const Shape& shape = fit.shape;
  ordered_json parameters = ordered_json::object();
  for (const auto& [name, value] : fit.parameters) parameters[name] = value;
  ordered_json labels;
  if (target.classes) labels = {target.classes->negative, target.classes->positive};
  // A number that is not one, such as the tau of a method that has none, is written as null.
  ordered_json facts = {{"method", fit.method},
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
                        {"tubal_rank", r.tubal_rank < 0 ? ordered_json() : ordered_json(r.tubal_rank)},
                        {"intercept", r.intercept},
                        {"n_samples", r.samples},
                        {"shape", {shape.n1, shape.n2, shape.n3}},
                        {"seconds", r.seconds},
                        {"solver", to_word(options.solver.solver)},
                        {"precision", precision},
                        {"normalize", to_word(options.normalize)},
                        {"parameters", parameters},
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

std::vector<std::string> write_fit(const std::filesystem::path& folder, const FitOutcome& fit, const Target& target,
                                   const SturmOptions& options, std::span<const std::uint8_t> mask,
                                   const ordered_json& facts, const std::optional<Space>& space) {
  std::vector<std::string> names;
  if (fit.linear && space) {
    const Tensor& coef = fit.linear->coef;
    write_map(folder / "coef.nii.gz", space->grid, coef_on_grid(coef, *space));
    names.emplace_back("coef.nii.gz");
    if (coef.shape() != space->grid.shape) {
      write_map(folder / "coef_resized.nii.gz", resized_grid(space->grid, coef.shape()), coef);
      names.emplace_back("coef_resized.nii.gz");
    }
  } else if (fit.linear) {
    write_npy(folder / "coef.npy", fit.linear->coef);
    names.emplace_back("coef.npy");
  }
  SavedModel saved{
      fit.linear ? *fit.linear : LinearModel{Tensor(fit.shape), 0, options.normalize, {mask.begin(), mask.end()}},
      fit.method, target.column, target.classes};
  saved.rbf = fit.rbf;
  saved.mmk = fit.mmk;
  if (space) saved.grid = to_model_grid(*space, fit.shape);
  write_model(folder / "model.safetensors", saved);
  names.emplace_back("model.safetensors");
  write_file(folder / "fit.json", to_text(facts) + "\n");
  write_file(folder / "trace.tsv", trace_table(fit.report.trace));
  names.insert(names.end(), {"fit.json", "trace.tsv"});
  return names;
}

std::string trace_table(std::span<const TraceRow> trace) {
  std::string out = "iteration\tobjective\tgap\tchange\n";
  for (const TraceRow& row : trace)
    out += fmt::format("{}\t{}\t{}\t{}\n", row.iteration, row.objective, row.gap, row.change);
  return out;
}

std::string to_text(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace sturm::cli
