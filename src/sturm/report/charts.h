// SPDX-License-Identifier: BSD-3-Clause
// The charts of a report, each from the study as web/src/study.ts describes it; empty where it has no numbers for one.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sturm {

std::string comparison_chart(const nlohmann::ordered_json& study);   ///< a row a method: folds, score, interval, chance
std::string sparsity_chart(const nlohmann::ordered_json& study);     ///< score beside sparsity
std::string convergence_chart(const nlohmann::ordered_json& study);  ///< the gap of the models of all samples
std::string roc_chart(const nlohmann::ordered_json& study);          ///< of all predictions pooled
std::string confusion_chart(const nlohmann::ordered_json& study);    ///< counts of right and wrong, a square a method
std::string scatter_chart(const nlohmann::ordered_json& study);      ///< of a regression: predicted beside actual
std::string null_chart(const nlohmann::ordered_json& study);         ///< scores under permuted labels
std::string grid_chart(const nlohmann::ordered_json& study, const nlohmann::ordered_json& method);  ///< heat maps

}  // namespace sturm
