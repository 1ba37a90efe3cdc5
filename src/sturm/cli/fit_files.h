// SPDX-License-Identifier: BSD-3-Clause
// The files that sturm fit writes.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sturm/core/target.h"
#include "sturm/models/sturm_model.h"

namespace sturm::cli {

inline const std::vector<std::string> fit_files = {"coef.npy", "model.safetensors", "fit.json", "trace.tsv"};

/// What fit.json holds: scripts depend on its keys.
nlohmann::ordered_json fit_facts(const SturmFit& fit, const Target& target, const SturmOptions& options,
                                 const std::string& precision);

/// All four files, into a folder that exists.
void write_fit(const std::filesystem::path& folder, const SturmFit& fit, const Target& target,
               const nlohmann::ordered_json& facts);

/// JSON as a person reads it. Bytes that are not UTF-8 are replaced, not refused.
std::string to_text(const nlohmann::ordered_json& value);

}  // namespace sturm::cli
