// SPDX-License-Identifier: BSD-3-Clause
// What confounds explained of the training volumes, so that the same can be taken out of others.
#pragma once

#include <string>
#include <vector>

namespace sturm {

/// A column of a table that is a confound.
struct ConfoundColumn {
  std::string name;
  std::vector<std::string> values;  ///< of words, in order: each but the first is a confound. Empty: it holds numbers
};

/// Voxel v of a sample with confounds c becomes  x_v - sum_p coef_vp (c_p - mean_p).
struct ConfoundModel {
  std::vector<ConfoundColumn> columns;
  std::vector<double> mean;  ///< of each confound over the training samples
  std::vector<double> coef;  ///< of each voxel of the mask, those of a voxel side by side

  bool empty() const { return mean.empty(); }
};

}  // namespace sturm
