// SPDX-License-Identifier: BSD-3-Clause
// Which space volumes are in: what their names and headers say, and grids that everybody uses for MNI space.
#pragma once

#include <span>
#include <string>

#include "sturm/imaging/load.h"

namespace sturm {

/// What all volumes of a study say of their space.
struct DeclaredSpace {
  std::string entity;  ///< of their names, MNI152NLin6Asym in space-MNI152NLin6Asym; empty: they name none, or several
  int form_code = 0;   ///< of their headers: 1 scanner, 2 another volume's, 3 Talairach, 4 MNI; 0: none, or several
};
DeclaredSpace declared_space(const VolumeSet& set);

/// Whose grid of MNI space it is, in words, in whatever order its axes are; empty where it is none that is known.
std::string known_mni_grid(const Grid& grid);

}  // namespace sturm
