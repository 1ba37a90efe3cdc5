// SPDX-License-Identifier: BSD-3-Clause
// The files that sturm fit writes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sturm/app/fit_options.h"
#include "sturm/app/input.h"
#include "sturm/core/target.h"
#include "sturm/models/files/model_file.h"
#include "sturm/models/proof_point.h"
#include "sturm/results/fit_results.h"

namespace sturm {

/// Every file that a fit may write, those of the report apart. The map is coef.npy for arrays, coef.nii.gz for volumes,
/// on their own grid, and coef_resized.nii.gz where they were resized; the forward pattern lies on the grid of coef.
inline const std::vector<std::string> fit_files = {
    "coef.npy",          "coef.nii.gz", "coef_resized.nii.gz", "model.safetensors", "fit.json", "trace.tsv",
    "proof.safetensors", "grid.tsv",    "pattern.npy",         "pattern.nii.gz"};

/// What one task gave.
struct FittedPart {
  FitReport report;
  SavedPart saved;                          ///< with a sigmoid where probabilities were asked for
  std::shared_ptr<const ProofPoint> proof;  ///< where it was asked for
  std::optional<Tensor> pattern;            ///< the forward pattern, of a model with a map
};

/// What any method found, ready to be written.
struct FitOutcome {
  std::string method;
  std::vector<std::pair<std::string, double>> parameters;  ///< as they were chosen; empty: none were
  FitReport report;
  Shape shape;
  std::vector<FittedPart> parts;  ///< one, or one per class where there are several
  ConfoundModel confounds{};
  std::optional<FitChoice> choice{};  ///< where the setting was chosen
  std::string grid{};                 ///< of grid.tsv, where it was
};

/// What fit.json holds. `space` is none for arrays.
FitResults fit_facts(const FitOutcome& fit, const Target& target, const FitOptions& options,
                     const std::string& precision, const std::optional<Space>& space);

/// The model as its file holds it. `mask` is that of the design.
SavedModel saved_model(const FitOutcome& fit, const Target& target, Normalize normalize, std::vector<std::uint8_t> mask,
                       const std::optional<Space>& space);

/// The files, into a folder that exists; their names.
std::vector<std::string> write_fit(const std::filesystem::path& folder, const FitOutcome& fit, const SavedModel& saved,
                                   const FitResults& facts, const std::optional<Space>& space);

/// trace.tsv: how the gap fell.
std::string trace_table(std::span<const TraceRow> trace);

}  // namespace sturm
