// SPDX-License-Identifier: BSD-3-Clause
// What the maps and charts of a report mean, in sentences.
#pragma once

#include "sturm/report/report_volumes.h"

namespace sturm {

/// Readable maps, paths, stability, forward patterns and learning curves, where the study has them.
void explain_maps(Study& study, const std::vector<ReportVolume>& volumes);

}  // namespace sturm
