// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/fit_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "sturm/app/space.h"
#include "sturm/core/build_info.h"
#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/resize.h"

namespace sturm {

using nlohmann::ordered_json;

namespace {

/// A map, or one a class.
void write_maps(const std::filesystem::path& file, const Grid& grid, const std::vector<Tensor>& maps) {
  std::vector<float> all;
  for (const Tensor& map : maps) all.insert(all.end(), map.flat().begin(), map.flat().end());
  write_volume(file, grid, all, {.description = "sturm coefficients"}, static_cast<Index>(maps.size()));
}

/// Slope and offset of the probabilities; null where there are none.
ordered_json sigmoid_facts(const FittedPart& part) {
  const std::optional<Sigmoid>& sigmoid = part.saved.sigmoid;
  return sigmoid ? ordered_json{sigmoid->slope, sigmoid->offset} : ordered_json();
}

/// What one fit found and how well, or all classes together. A number that is not one, such as the gap of a method
/// without a proof, is written as null.
ordered_json report_facts(const FitReport& r) {
  return {{"objective", r.objective},
          {"dual", r.dual},
          {"relative_gap", r.relative_gap},
          {"iterations", r.iterations},
          {"status", to_word(r.status)},
          {"sparsity", r.sparsity},
          {"sparsity_in_mask", r.sparsity_in_mask},
          {"tubal_rank", r.tubal_rank < 0 ? ordered_json() : ordered_json(r.tubal_rank)},
          {"intercept", r.intercept}};
}

/// The coefficients as volumes: on the grid of the volumes that were read, and on the grid of the fit where that
/// differs.
std::vector<std::string> write_coefficients(const std::filesystem::path& folder, const FitOutcome& fit,
                                            const std::optional<Space>& space) {
  std::vector<std::string> names;
  std::vector<Tensor> maps;
  for (const FittedPart& part : fit.parts)
    if (part.saved.model.has_map()) maps.push_back(part.saved.model.map().coef);
  if (!maps.empty() && space) {
    std::vector<Tensor> fine;
    fine.reserve(maps.size());
    for (const Tensor& map : maps) fine.push_back(coef_on_grid(map, *space));
    write_maps(folder / "coef.nii.gz", space->grid, fine);
    names.emplace_back("coef.nii.gz");
    if (fit.shape != space->grid.shape) {
      write_maps(folder / "coef_resized.nii.gz", resized_grid(space->grid, fit.shape), maps);
      names.emplace_back("coef_resized.nii.gz");
    }
  } else if (!maps.empty()) {
    std::vector<double> all;
    for (const Tensor& map : maps) std::ranges::copy(map.flat(), std::back_inserter(all));
    if (maps.size() == 1)
      write_npy(folder / "coef.npy", maps.front());
    else
      write_npy_series(folder / "coef.npy", fit.shape, all);
    names.emplace_back("coef.npy");
  }
  return names;
}

}  // namespace

ordered_json fit_facts(const FitOutcome& fit, const Target& target, const FitOptions& options,
                       const std::string& precision, const std::optional<Space>& space) {
  const FitReport& r = fit.report;
  const Shape& shape = fit.shape;
  ordered_json parameters = ordered_json::object();
  for (const auto& [name, value] : fit.parameters) parameters[name] = value;
  ordered_json labels;
  if (target.classes) labels = {target.classes->negative, target.classes->positive};
  if (!target.names.empty()) labels = target.names;
  ordered_json facts = {{"method", fit.method}, {"tau", r.tau}, {"gamma", r.gamma}, {"alpha", r.alpha}};
  facts.update(report_facts(r));
  facts.update(ordered_json{{"n_samples", r.samples},
                            {"shape", {shape.n1, shape.n2, shape.n3}},
                            {"seconds", r.seconds},
                            {"solver", to_word(options.solver.solver)},
                            {"precision", precision},
                            {"normalize", to_word(options.normalize)},
                            {"parameters", parameters},
                            {"target", target.column},
                            {"labels", labels},
                            {"version", build_info().version}});
  for (std::size_t c = 0; c < target.names.size(); ++c) {
    ordered_json one = {{"class", target.names[c]}};
    one.update(report_facts(fit.parts[c].report));
    one["sigmoid"] = sigmoid_facts(fit.parts[c]);
    facts["classes"].push_back(std::move(one));
  }
  if (target.classes) facts["sigmoid"] = sigmoid_facts(fit.parts.front());
  if (space) {
    const Shape& grid = space->grid.shape;
    facts["grid"] = {{"shape", {grid.n1, grid.n2, grid.n3}}, {"affine", space->grid.affine.rows}};
    facts["resize"] = space->resize;
  }
  return facts;
}

std::vector<std::string> write_fit(const std::filesystem::path& folder, const FitOutcome& fit, const Target& target,
                                   const FitOptions& options, std::span<const std::uint8_t> mask,
                                   const ordered_json& facts, const std::optional<Space>& space) {
  std::vector<std::string> names = write_coefficients(folder, fit, space);
  SavedModel saved{.shape = fit.shape, .normalize = options.normalize, .mask = {mask.begin(), mask.end()}};
  for (const FittedPart& part : fit.parts) saved.parts.push_back(part.saved);
  if (fit.parts.size() > 1) {
    saved.names = target.names;
  } else if (fit.parts.front().saved.model.has_map()) {
    // A map may need less: the mean label is not normalised, and a mask of every voxel is none.
    saved.normalize = fit.parts.front().saved.model.map().normalize;
    saved.mask = fit.parts.front().saved.model.map().mask;
  }
  saved.method = fit.method;
  saved.target = target.column;
  saved.classes = target.classes;
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

}  // namespace sturm
