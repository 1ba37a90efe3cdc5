// SPDX-License-Identifier: BSD-3-Clause
// Whether a model was trained on a volume: it keeps a name for the content of each.
#pragma once

#include "sturm/models/files/model_file.h"

namespace sturm {

/// A name for each sample's content in the voxels that the model reads: the same for the same volume, and as good as
/// never for another. The design, of raw volumes, has these voxels at least. Samples of weight 0 have none.
template <class Real>
std::vector<std::string> names_of_content(const SavedModel& saved, const Design<Real>& raw,
                                          std::span<const double> weights = {});

}  // namespace sturm
