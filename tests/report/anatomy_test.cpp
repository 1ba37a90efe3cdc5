// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/anatomy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "message.h"
#include "temporary.h"

namespace sturm {
namespace {

const Grid fsl{{61, 73, 61}, {{{{-3, 0, 0, 90}, {0, 3, 0, -126}, {0, 0, 3, -72}}}}};

/// Values where the world's point is inside the ball of that radius about the middle of the MNI brain.
BrainMap ball(const Grid& grid, double radius) {
  BrainMap out{TensorF(grid.shape), grid.affine, true};
  for (Index k = 0; k < grid.shape.n3; ++k)
    for (Index j = 0; j < grid.shape.n2; ++j)
      for (Index i = 0; i < grid.shape.n1; ++i) {
        const Point p = grid.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)});
        if (std::hypot(p[0], p[1] + 18, p[2] - 10) < radius) out.values(i, j, k) = -2;
      }
  return out;
}

TEST(Template, IsTheBrainOfTheMontrealInstitute) {
  const BrainMap map = mni_template();
  EXPECT_TRUE(map.in_world);
  EXPECT_EQ(orientation(map.affine), "RAS");
  EXPECT_EQ(voxel_size(map.affine), (Point{2, 2, 2}));
  const auto voxels = std::ranges::count_if(map.values.flat(), [](float v) { return v > 0; });
  EXPECT_NEAR(static_cast<double>(voxels) * 8e-6, 1.89, 0.02);  // litres, as at 1 mm
  EXPECT_EQ(std::ranges::max(map.values.flat()), 40);
  const Grid grid{{1, 1, 1}, {}};
  const auto at = [&](double x, double y, double z) {
    Grid one = grid;
    for (int n = 0; n < 3; ++n) one.affine.rows[n][3] = std::array{x, y, z}[n];
    return map_on(map, one, "template").values.data()[0];
  };
  EXPECT_GT(at(-24, -24, 28), 30);  // white matter is bright
  EXPECT_LT(at(-6, 8, 10), 15);     // the lateral ventricle is dark
  EXPECT_EQ(at(0, -18, 90), 0);     // above the head
}

TEST(Space, NamesDecideThenHeadersThenTheGrid) {
  const BrainMap brain = ball(fsl, 60);
  const auto find = [&](SpaceFacts said, const Grid& grid = fsl) { return find_space(said, grid, brain); };
  EXPECT_TRUE(find({.entity = "MNI152NLin2009cAsym", .form_code = 1}).mni);
  EXPECT_FALSE(find({.entity = "T1w", .form_code = 4}).mni);
  EXPECT_EQ(find({.entity = "T1w", .form_code = 4}).why, "the names of all files say space-T1w");
  const Grid odd{{20, 20, 20}, {{{{5, 0, 0, -50}, {0, 5, 0, -50}, {0, 0, 5, -40}}}}};
  EXPECT_TRUE(find({.form_code = 4}, odd).mni);
  EXPECT_FALSE(find({.form_code = 3}).mni);
  EXPECT_FALSE(find({.form_code = 2}, odd).mni);
  EXPECT_TRUE(find({.form_code = 2}).mni);
  EXPECT_EQ(find({.form_code = 2}).why, "the grid is FSL's at 3 mm, and the values lie where the brain is there");
  EXPECT_FALSE(find({.form_code = 4, .phantom = true}).mni);
  // Results of an earlier version say nothing.
  EXPECT_TRUE(find_space({}, fsl, brain).mni);
}

TEST(Space, AGridIsNotEnough) {
  EXPECT_FALSE(find_space({}, fsl, {}).mni);
  // Noise, or a head with its skull, fills far more than the brain; a corner or a speck far less.
  EXPECT_FALSE(find_space({}, fsl, ball(fsl, 300)).mni);
  EXPECT_FALSE(find_space({}, fsl, ball(fsl, 90)).mni);
  EXPECT_FALSE(find_space({}, fsl, ball(fsl, 20)).mni);
  EXPECT_FALSE(find_space({}, fsl, ball(fsl, 0)).mni);
  // The same brain elsewhere in the box.
  BrainMap moved = ball(fsl, 60);
  moved.affine.rows[2][3] += 60;
  EXPECT_FALSE(find_space({}, fsl, moved).mni);
}

class ChooseAnatomy : public testing::Test {
 protected:
  ChooseAnatomy() { results.path = folder.path(); }
  Anatomy choose(const std::string& asked, bool in_world = true) {
    return choose_anatomy(asked, results, fsl, in_world);
  }
  void keep(const BrainMap& mean) { write_map(folder.path(), "background", mean, "mean of the volumes"); }
  test::TemporaryFolder folder;
  ResultFolder results;
};

TEST_F(ChooseAnatomy, IsTheTemplateOnTheGridOfTheMapsInMniSpaceAlone) {
  keep(ball(fsl, 60));
  Anatomy anatomy = choose("");
  EXPECT_EQ(anatomy.label, "ICBM 152 template");
  EXPECT_EQ(
      anatomy.why,
      "The anatomy is the ICBM 152 template, because the volumes are in MNI space: the grid is FSL's at 3 mm, and the "
      "values lie where the brain is there.");
  ASSERT_TRUE(same_grid(anatomy.map->grid(), fsl));
  const BrainMap expected = map_on(mni_template(), fsl, "template");
  EXPECT_TRUE(std::ranges::equal(anatomy.map->values.flat(), expected.values.flat()));

  results.data.space = SpaceFacts{.entity = "T1w"};
  anatomy = choose("");
  EXPECT_EQ(anatomy.label, "Mean volume");
  EXPECT_EQ(
      anatomy.why,
      "The anatomy is the mean of the volumes. No template is laid under the maps, because the names of all files say "
      "space-T1w.");
  EXPECT_GE(std::ranges::min(anatomy.map->values.flat()), 0);
  EXPECT_EQ(choose("mni").label, "ICBM 152 template");
  results.data.space = SpaceFacts{.form_code = 4};
  EXPECT_EQ(choose("").label, "ICBM 152 template");
  EXPECT_EQ(choose("mean").why, "The anatomy is the mean of the volumes.");
}

TEST_F(ChooseAnatomy, ArraysHaveNoTemplate) {
  BrainMap mean = ball(fsl, 60);
  mean.in_world = false;
  keep(mean);
  results.data.space = SpaceFacts{.form_code = 4};
  EXPECT_EQ(choose("", false).why, "The anatomy is the mean of the volumes.");
  EXPECT_SAYS(choose("mni", false), "no place in the world", "`background mni`");
}

TEST_F(ChooseAnatomy, AFileIsTakenAsGiven) {
  write_map(folder.path(), "mine", ball(fsl, 60), "");
  const Anatomy anatomy = choose((folder.path() / "mine.nii.gz").string());
  EXPECT_EQ(anatomy.label, "Template");
  EXPECT_EQ(anatomy.why, "The anatomy is mine.nii.gz, as asked for.");
  EXPECT_FALSE(choose("").map.has_value());
  EXPECT_EQ(choose("").why, "");
}

}  // namespace
}  // namespace sturm
