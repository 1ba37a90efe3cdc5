// SPDX-License-Identifier: BSD-3-Clause
// What a study works on: volumes, what is to be predicted from them, and who they belong to.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/core/target.h"

namespace sturm {

/// One row a sample, wherever it came from.
template <class Real>
struct Dataset {
  Design<Real> design;             ///< of the voxels of the mask
  Target target;                   ///< without values where nothing is known
  std::vector<double> weights;     ///< empty: all 1
  std::string id_column;           ///< empty: the samples have no names
  std::vector<std::string> ids;    ///< participant_id of each sample
  std::vector<std::string> paths;  ///< of each sample as its table names it; empty: the samples have no files
};

}  // namespace sturm
