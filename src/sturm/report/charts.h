// SPDX-License-Identifier: BSD-3-Clause
// The charts of a report, each from the study; empty where it has no numbers for one.
#pragma once

#include <string>

#include "sturm/report/study.h"

namespace sturm {

std::string comparison_chart(const Study& study);   ///< one row per method: folds, score, interval, chance
std::string sparsity_chart(const Study& study);     ///< score beside sparsity
std::string convergence_chart(const Study& study);  ///< the gap of the models of all samples
std::string roc_chart(const Study& study);          ///< of all predictions pooled
std::string confusion_chart(const Study& study);    ///< counts of right and wrong, one square per method
std::string scatter_chart(const Study& study);      ///< of a regression: predicted beside actual
std::string null_chart(const Study& study);         ///< scores under permuted labels
std::string grid_chart(const Study& study, const StudyMethod& method);  ///< heat maps

}  // namespace sturm
