// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/standard_space.h"

#include <algorithm>
#include <array>

#include "sturm/imaging/bids.h"

namespace sturm {
namespace {

struct KnownGrid {
  const char* words;
  Shape shape;
  double size;  ///< of a voxel, in millimetres
  Point first;  ///< the voxel that is furthest to the left, the back and the bottom
};

// x runs either way in files of these grids: reorder() does not mind.
const std::array<KnownGrid, 14> known_grids = {{
    {"FSL's at 1 mm", {182, 218, 182}, 1, {-91, -126, -72}},
    {"FSL's at 2 mm", {91, 109, 91}, 2, {-90, -126, -72}},
    {"FSL's at 3 mm", {61, 73, 61}, 3, {-90, -126, -72}},
    {"FSL's at 4 mm", {45, 54, 45}, 4, {-86, -126, -72}},
    {"FSL's at 4 mm", {46, 55, 46}, 4, {-90, -126, -72}},
    {"SPM's at 3 mm", {53, 63, 46}, 3, {-78, -112, -50}},
    {"SPM's at 2 mm", {79, 95, 68}, 2, {-78, -112, -50}},
    {"SPM's at 2 mm", {79, 95, 79}, 2, {-78, -112, -70}},
    {"SPM's at 3 mm", {53, 63, 52}, 3, {-78, -112, -70}},
    {"SPM's at 1.5 mm", {121, 145, 121}, 1.5, {-90, -126, -72}},
    {"CAT12's at 1.5 mm", {113, 137, 113}, 1.5, {-84, -120, -72}},
    {"that of the ICBM template at 1 mm", {197, 233, 189}, 1, {-98, -134, -72}},
    {"that of the ICBM template at 1 mm", {193, 229, 193}, 1, {-96, -132, -78}},
    {"that of the ICBM template at 2 mm", {97, 115, 97}, 2, {-96, -132, -78}},
}};

/// The entity `space` of a file's name; empty where it has none.
std::string space_entity(const std::filesystem::path& file) {
  for (const auto& [key, value] : entities_of(file))
    if (key == "space") return value;
  return {};
}

int form_code(const VolumeInfo& info) { return info.sform_code > 0 ? info.sform_code : info.qform_code; }

}  // namespace

DeclaredSpace declared_space(const VolumeSet& set) {
  if (set.files.empty()) return {};
  DeclaredSpace out{space_entity(set.files.front().file), form_code(set.infos.front())};
  const bool same_name =
      std::ranges::all_of(set.files, [&](const SampleFile& sample) { return space_entity(sample.file) == out.entity; });
  if (!same_name) out.entity.clear();
  const bool same_code =
      std::ranges::all_of(set.infos, [&](const VolumeInfo& info) { return form_code(info) == out.form_code; });
  if (!same_code) out.form_code = 0;
  return out;
}

std::string known_mni_grid(const Grid& grid) {
  for (const KnownGrid& known : known_grids) {
    Grid there{known.shape, {}};
    for (int n = 0; n < 3; ++n) {
      there.affine.rows[n][n] = known.size;
      there.affine.rows[n][3] = known.first[n];
    }
    if (reorder(grid, there)) return known.words;
  }
  return {};
}

}  // namespace sturm
