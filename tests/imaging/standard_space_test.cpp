// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/standard_space.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

VolumeSet set_of(const std::vector<std::string>& names, const std::vector<std::array<int, 2>>& codes) {
  VolumeSet out;
  for (std::size_t m = 0; m < names.size(); ++m) {
    out.files.push_back({names[m], {}, static_cast<Index>(m), names[m]});
    VolumeInfo& info = out.infos.emplace_back();
    info.sform_code = codes[m][0];
    info.qform_code = codes[m][1];
  }
  return out;
}

TEST(StandardSpace, IsWhatAllFilesSay) {
  const std::string one = "sub-1/sub-1_task-x_space-MNI152NLin6Asym_bold.nii.gz", two = "sub-2_space-T1w_bold.nii.gz";
  EXPECT_EQ(declared_space(set_of({one, one}, {{4, 1}, {4, 2}})).entity, "MNI152NLin6Asym");
  EXPECT_EQ(declared_space(set_of({one, one}, {{4, 1}, {4, 2}})).form_code, 4);
  EXPECT_EQ(declared_space(set_of({one, two}, {{4, 1}, {2, 4}})).entity, "");
  EXPECT_EQ(declared_space(set_of({one, two}, {{4, 1}, {2, 4}})).form_code, 0);
  // The qform counts where there is no sform.
  EXPECT_EQ(declared_space(set_of({"a.nii"}, {{0, 4}})).form_code, 4);
  EXPECT_EQ(declared_space(set_of({"a.nii"}, {{1, 4}})).form_code, 1);
  EXPECT_EQ(declared_space({}).form_code, 0);
}

TEST(StandardSpace, GridsAreKnownInAnyOrderOfTheirAxes) {
  // FSL's x runs from right to left.
  Grid grid{{91, 109, 91}, {{{{-2, 0, 0, 90}, {0, 2, 0, -126}, {0, 0, 2, -72}}}}};
  EXPECT_EQ(known_mni_grid(grid), "FSL's at 2 mm");
  EXPECT_EQ(known_mni_grid(reordered(grid, {{1, 2, 0}, {true, false, true}})), "FSL's at 2 mm");
  grid.affine.rows[1][3] += 1;
  EXPECT_EQ(known_mni_grid(grid), "");
  EXPECT_EQ(known_mni_grid({{64, 64, 30}, {}}), "");
}

}  // namespace
}  // namespace sturm
