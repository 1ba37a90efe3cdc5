// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/fit_files.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "sturm/core/build_info.h"
#include "sturm/core/files.h"
#include "sturm/core/npy.h"
#include "sturm/models/model_file.h"

namespace sturm::cli {

using nlohmann::ordered_json;

ordered_json fit_facts(const SturmFit& fit, const Target& target, const SturmOptions& options,
                       const std::string& precision) {
  const FitReport& r = fit.report;
  const Shape& shape = fit.model.coef.shape();
  ordered_json labels;
  if (target.classes) labels = {target.classes->negative, target.classes->positive};
  return {{"method", "sturm"},
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
}

void write_fit(const std::filesystem::path& folder, const SturmFit& fit, const Target& target,
               const ordered_json& facts) {
  write_npy(folder / "coef.npy", fit.model.coef);
  write_model(folder / "model.safetensors", {fit.model, "sturm", target.column, target.classes, {}});
  write_file(folder / "fit.json", to_text(facts) + "\n");
  std::string trace = "iteration\tobjective\tgap\tchange\n";
  for (const TraceRow& row : fit.report.trace)
    trace += fmt::format("{}\t{}\t{}\t{}\n", row.iteration, row.objective, row.gap, row.change);
  write_file(folder / "trace.tsv", trace);
}

std::string to_text(const ordered_json& value) {
  return value.dump(2, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace sturm::cli
