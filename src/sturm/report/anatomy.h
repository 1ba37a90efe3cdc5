// SPDX-License-Identifier: BSD-3-Clause
// What maps are laid over: the mean of the study's volumes, a template that somebody names, or the ICBM 152 template
// that the program carries, where the volumes are in MNI space.
#pragma once

#include <optional>
#include <string>

#include "sturm/report/brain_map.h"
#include "sturm/report/result_folder.h"

namespace sturm {

/// The ICBM 152 T1 template, brain only: 2 mm, 40 levels of grey above 0. scripts/make_template.py makes it.
BrainMap mni_template();
/// The gzipped file of it as it was embedded.
std::string_view embedded_template();

struct SpaceFinding {
  bool mni = false;
  std::string why;  ///< part of a sentence, such as "the headers of all volumes say so (form code 4)"
};

/// Whether maps on a grid are in MNI space. File names that name a space decide; then headers that name a standard
/// space; otherwise the grid has to be one that is used for MNI space, and the brain in `mean` has to lie where the
/// template's does.
SpaceFinding find_space(const std::optional<SpaceFacts>& said, const Grid& grid, const std::optional<BrainMap>& mean);

struct Anatomy {
  std::optional<BrainMap> map;  ///< on the grid of the maps, never below 0
  std::string label;
  std::string why;  ///< a sentence for the reader
};

/// `asked` is the option `background`: a file, mean, mni, or empty to choose by the space. `grid` is that of the maps,
/// where there are any. Throws where the template is asked for and the maps have no place in the world.
Anatomy choose_anatomy(const std::string& asked, const ResultFolder& folder, const std::optional<Grid>& grid,
                       bool in_world);

}  // namespace sturm
