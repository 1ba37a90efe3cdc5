// SPDX-License-Identifier: BSD-3-Clause
// The charts and slices of a report as files for papers: SVG and PNG, without a browser.
#pragma once

#include <string>
#include <vector>

#include "sturm/report/report.h"

namespace sturm {

struct Figure {
  std::string name;   ///< of the file
  std::string bytes;  ///< of the same
};

/// Comparison of the methods, accuracy beside sparsity, heat maps of the grids, convergence, ROC curves and confusions
/// as SVG, and one mosaic of slices per map as PNG (one per class where there are several, named by its number and the
/// class): those for which there are numbers. The same report gives the same bytes.
std::vector<Figure> figures_of(const Report& report);

}  // namespace sturm
