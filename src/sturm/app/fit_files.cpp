// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/fit_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <iterator>

#include "sturm/app/space.h"
#include "sturm/core/build_info.h"
#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/eval/stored_model.h"
#include "sturm/imaging/nifti.h"
#include "sturm/imaging/resize.h"
#include "sturm/results/cv_tables.h"
#include "sturm/results/json.h"
#include "sturm/results/rows.h"

namespace sturm {

namespace {

/// A map, or one a class, one after the other: `at(i)` makes the i-th.
void write_maps(const std::filesystem::path& file, const Grid& grid, Index count,
                const std::function<Tensor(Index)>& at, const char* what = "sturm coefficients") {
  std::vector<float> all;
  all.reserve(count * grid.shape.size());
  for (Index i = 0; i < count; ++i) {
    const Tensor map = at(i);
    all.insert(all.end(), map.flat().begin(), map.flat().end());
  }
  write_volume(file, grid, all, {.description = what}, count);
}

void write_arrays(const std::filesystem::path& file, const std::vector<const Tensor*>& maps) {
  if (maps.size() == 1) return write_npy(file, *maps.front());
  std::vector<double> all;
  for (const Tensor* const map : maps) std::ranges::copy(map->flat(), std::back_inserter(all));
  write_npy_series(file, maps.front()->shape(), all);
}

/// Slope and offset of the probabilities; null where there are none.
OrNull<std::array<Number, 2>> sigmoid_facts(const FittedPart& part) {
  const std::optional<Sigmoid>& sigmoid = part.saved.sigmoid;
  if (!sigmoid) return {};
  return std::array<Number, 2>{sigmoid->slope, sigmoid->offset};
}

FitNumbers report_facts(const FitReport& r) {
  FitNumbers out{r.objective,        r.dual, r.relative_gap, Index{r.iterations}, r.status, r.sparsity,
                 r.sparsity_in_mask, {},     r.intercept};
  if (r.tubal_rank >= 0) out.tubal_rank = r.tubal_rank;
  return out;
}

std::array<Index, 3> extents(const Shape& s) { return {s.n1, s.n2, s.n3}; }

/// The coefficients as volumes: on the grid of the volumes that were read, and on the grid of the fit where that
/// differs.
std::vector<std::string> write_coefficients(const std::filesystem::path& folder, const FitOutcome& fit,
                                            const std::optional<Space>& space) {
  std::vector<std::string> names;
  std::vector<const Tensor*> maps;
  for (const FittedPart& part : fit.parts)
    if (part.saved.model.has_map()) maps.push_back(&part.saved.model.map().coef);
  const Index count = std::ssize(maps);
  if (count > 0 && space) {
    write_maps(folder / "coef.nii.gz", space->grid, count, [&](Index i) { return coef_on_grid(*maps[i], *space); });
    names.emplace_back("coef.nii.gz");
    if (fit.shape != space->grid.shape) {
      write_maps(folder / "coef_resized.nii.gz", resized_grid(space->grid, fit.shape), count,
                 [&](Index i) { return *maps[i]; });
      names.emplace_back("coef_resized.nii.gz");
    }
  } else if (count > 0) {
    write_arrays(folder / "coef.npy", maps);
    names.emplace_back("coef.npy");
  }
  return names;
}

/// The forward patterns, on the grid of the volumes that were read; none where the model says the same of all samples.
std::vector<std::string> write_patterns(const std::filesystem::path& folder, const FitOutcome& fit,
                                        const std::optional<Space>& space) {
  std::vector<const Tensor*> maps;
  bool any = false;
  for (const FittedPart& part : fit.parts) {
    if (!part.pattern) continue;
    any = any || std::ranges::any_of(part.pattern->flat(), [](double v) { return v != 0; });
    maps.push_back(&*part.pattern);
  }
  if (!any) return {};
  if (!space) {
    write_arrays(folder / "pattern.npy", maps);
    return {"pattern.npy"};
  }
  write_maps(
      folder / "pattern.nii.gz", space->grid, std::ssize(maps),
      [&](Index i) { return pattern_on_grid(*maps[i], *space); }, "sturm forward pattern");
  return {"pattern.nii.gz"};
}

}  // namespace

FitResults fit_facts(const FitOutcome& fit, const Target& target, const FitOptions& options,
                     const std::string& precision, const std::optional<Space>& space) {
  const FitReport& r = fit.report;
  FitResults out;
  out.method = fit.method;
  out.tau = r.tau;
  out.gamma = r.gamma;
  out.alpha = r.alpha;
  out.numbers = report_facts(r);
  out.n_samples = r.samples;
  out.shape = extents(fit.shape);
  out.seconds = r.seconds;
  out.solver = options.solver.solver;
  out.precision = precision;
  out.normalize = options.normalize;
  for (const auto& [name, value] : fit.parameters) out.parameters.values.emplace_back(name, value);
  out.target = target.column;
  if (target.classes) out.labels.emplace({target.classes->negative, target.classes->positive});
  if (!target.names.empty()) out.labels = target.names;
  out.version = build_info().version;
  if (!target.names.empty()) out.classes.emplace();
  for (std::size_t c = 0; c < target.names.size(); ++c)
    out.classes->push_back({report_facts(fit.parts[c].report), target.names[c], sigmoid_facts(fit.parts[c])});
  if (target.classes) out.sigmoid = sigmoid_facts(fit.parts.front());
  if (space) {
    FitGrid& grid = out.grid.emplace();
    grid.shape = extents(space->grid.shape);
    for (std::size_t row = 0; row < 3; ++row) std::ranges::copy(space->grid.affine.rows[row], grid.affine[row].begin());
    out.resize = space->resize;
  }
  out.choice = fit.choice;
  if (!fit.confounds.empty()) out.confounds.emplace();
  for (const ConfoundColumn& column : fit.confounds.columns)
    if (out.confounds) out.confounds->push_back(column.name);
  return out;
}

SavedModel saved_model(const FitOutcome& fit, const Target& target, Normalize normalize, std::vector<std::uint8_t> mask,
                       const std::optional<Space>& space) {
  std::vector<SavedPart> parts;
  for (const FittedPart& part : fit.parts) parts.push_back(part.saved);
  SavedModel saved = put_together(std::move(parts), fit.shape, normalize, std::move(mask));
  if (fit.parts.size() > 1) saved.names = target.names;
  saved.method = fit.method;
  saved.target = target.column;
  saved.classes = target.classes;
  if (space) saved.grid = to_model_grid(*space, fit.shape);
  saved.confounds = fit.confounds;
  return saved;
}

std::vector<std::string> write_fit(const std::filesystem::path& folder, const FitOutcome& fit, const SavedModel& saved,
                                   const FitResults& facts, const std::optional<Space>& space) {
  std::vector<std::string> names = write_coefficients(folder, fit, space);
  std::ranges::move(write_patterns(folder, fit, space), std::back_inserter(names));
  write_model(folder / "model.safetensors", saved);
  names.emplace_back("model.safetensors");
  write_file(folder / "fit.json", json_text(to_json(facts)) + "\n");
  write_file(folder / "trace.tsv", trace_table(fit.report.trace));
  names.insert(names.end(), {"fit.json", "trace.tsv"});
  if (fit.grid.empty()) return names;
  write_file(folder / "grid.tsv", fit.grid);
  names.emplace_back("grid.tsv");
  return names;
}

std::string trace_table(std::span<const TraceRow> trace) {
  return table_of(std::vector<TraceRow>(trace.begin(), trace.end()), {});
}

}  // namespace sturm
