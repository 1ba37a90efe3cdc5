// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "imaging/nifti_file.h"
#include "message.h"
#include "sturm/core/rng.h"
#include "sturm/imaging/gzip.h"

namespace sturm {
namespace {

using test::bytes_of;
using test::NiftiFolder;

Grid oblique() {
  const double c = std::cos(0.4), s = std::sin(0.4);
  Grid grid{{5, 4, 3}, {}};
  grid.affine.rows = {{{-2 * c, 0, -3 * s, 90}, {0, 2.5, 0, -126}, {-2 * s, 0, 3 * c, -72}}};
  return grid;
}

std::vector<float> noise(Index count, std::uint64_t seed = 1) {
  Rng random(seed);
  std::vector<float> out(static_cast<std::size_t>(count));
  for (float& v : out) v = static_cast<float>(random.normal());
  return out;
}

TEST(NiftiWrite, RoundTripKeepsEveryBit) {
  const NiftiFolder folder;
  const Grid grid = oblique();
  std::vector<float> values = noise(120);
  values[3] = -0.0F;
  values[4] = std::numeric_limits<float>::denorm_min();
  for (const char* name : {"a.nii", "a.nii.gz"}) {
    const VolumeWriting how{.intent_code = 3, .intent_name = "t-test", .description = "a map", .form_code = 4};
    write_volume(folder / name, grid, values, how, 2);
    const VolumeInfo info = read_volume_info(folder / name);
    EXPECT_EQ(info.gzip, std::string(name).ends_with(".gz"));
    EXPECT_TRUE(info.warnings.empty()) << info.warnings[0];
    EXPECT_TRUE(same_grid(info.grid, grid));
    EXPECT_EQ(info.volumes, 2);
    EXPECT_EQ(info.qform_code, 4);
    EXPECT_EQ(info.sform_code, 4);
    EXPECT_EQ(info.intent_code, 3);
    EXPECT_EQ(info.intent_name, "t-test");
    EXPECT_EQ(info.description, "a map");
    std::vector<float> back(120);
    read_volumes_into(info, 0, 2, std::span(back));
    for (std::size_t n = 0; n < 120; ++n)
      EXPECT_EQ(std::bit_cast<std::uint32_t>(back[n]), std::bit_cast<std::uint32_t>(values[n]));
  }
}

// The qform alone must put the voxels where the sform does: every orientation, rotations by 180 degrees included.
TEST(NiftiWrite, QformAgreesForEveryOrientation) {
  const NiftiFolder folder;
  std::array<int, 3> axis{0, 1, 2};
  do {
    for (int flips = 0; flips < 8; ++flips) {
      const Grid grid = reordered(oblique(), {axis, {(flips & 1) != 0, (flips & 2) != 0, (flips & 4) != 0}});
      write_volume(folder / "q.nii", grid, noise(60));
      std::string bytes = bytes_of(folder / "q.nii");
      bytes[254] = bytes[255] = 0;  // sform_code
      write_file(folder / "q.nii", bytes);
      const VolumeInfo info = read_volume_info(folder / "q.nii");
      EXPECT_EQ(info.qform_code, 2);
      EXPECT_TRUE(same_grid(info.grid, grid)) << orientation(grid.affine);
    }
  } while (std::ranges::next_permutation(axis).found);
}

TEST(NiftiWrite, AShearedAffineHasNoQform) {
  const NiftiFolder folder;
  Grid grid = oblique();
  grid.affine.rows[0][1] = 1;
  write_volume(folder / "s.nii", grid, noise(60));
  const VolumeInfo info = read_volume_info(folder / "s.nii");
  EXPECT_EQ(info.qform_code, 0);
  EXPECT_EQ(info.sform_code, 2);
  EXPECT_TRUE(same_grid(info.grid, grid));
}

TEST(NiftiWrite, WholeNumbersThatFitAreKept) {
  const NiftiFolder folder;
  const std::vector<float> mask = {0, 1, 1, 0, 255, 3};
  write_volume(folder / "m.nii.gz", {{3, 2, 1}, {}}, mask, {.type = VoxelType::uint8});
  const VolumeInfo info = read_volume_info(folder / "m.nii.gz");
  EXPECT_EQ(info.type, VoxelType::uint8);
  EXPECT_EQ(info.slope, 1);
  EXPECT_EQ(read_volume<float>(info), mask);
}

TEST(NiftiWrite, IntegersKeepTheRange) {
  const NiftiFolder folder;
  for (const auto& [type, steps] : {std::pair{VoxelType::int16, 65535.0}, std::pair{VoxelType::uint8, 255.0}})
    for (const float scale : {1e-20F, 1.0F, 3e5F, 1e38F}) {
      std::vector<float> values = noise(60);
      for (float& v : values) v *= scale;
      write_volume(folder / "i.nii", oblique(), values, {.type = type});
      const std::vector<double> back = read_volume<double>(read_volume_info(folder / "i.nii"));
      const auto [least, greatest] = std::ranges::minmax(values);
      const double step = (static_cast<double>(greatest) - static_cast<double>(least)) / steps;
      // Half a step, and what slope and intercept lose in float32.
      const double allowed = 0.5 * step + 1e-6 * std::max(std::abs(greatest), std::abs(least));
      for (std::size_t n = 0; n < values.size(); ++n) EXPECT_NEAR(back[n], static_cast<double>(values[n]), allowed);
    }
  write_volume(folder / "c.nii", {{2, 1, 1}, {}}, std::vector<float>{0.3F, 0.3F}, {.type = VoxelType::int16});
  EXPECT_NEAR(read_volume<float>(read_volume_info(folder / "c.nii"))[1], 0.3F, 1e-2);
}

TEST(NiftiWrite, TheSameValuesGiveTheSameBytes) {
  const NiftiFolder folder;
  const std::vector<float> values = noise(60);
  for (const char* name : {"1.nii.gz", "2.nii.gz"}) write_volume(folder / name, oblique(), values);
  const std::string bytes = bytes_of(folder / "1.nii.gz");
  EXPECT_EQ(bytes, bytes_of(folder / "2.nii.gz"));
  EXPECT_EQ(bytes.substr(4, 4), std::string(4, '\0')) << "the time";
}

TEST(NiftiWrite, CalibrationIsTheRangeOfFiniteValues) {
  const NiftiFolder folder;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  write_volume(folder / "r.nii", {{2, 2, 1}, {}}, std::vector<float>{nan, -2, INFINITY, 5});
  const std::string bytes = bytes_of(folder / "r.nii");
  float most = 0, least = 0;
  std::memcpy(&most, bytes.data() + 124, 4);
  std::memcpy(&least, bytes.data() + 128, 4);
  EXPECT_EQ(most, 5);
  EXPECT_EQ(least, -2);
}

TEST(NiftiWrite, LongTextsAreCutBetweenCharacters) {
  const NiftiFolder folder;
  std::string text;
  for (int n = 0; n < 60; ++n) text += "\u00e9";  // two bytes each: 79 would be half of one
  write_volume(folder / "t.nii", {{2, 2, 1}, {}}, std::vector<float>(4), {.description = text});
  EXPECT_EQ(read_volume_info(folder / "t.nii").description, text.substr(0, 78));
}

TEST(NiftiWrite, RefusesWhatCannotBeWritten) {
  const NiftiFolder folder;
  const Grid grid{{2, 2, 1}, {}};
  const std::vector<float> four(4);
  EXPECT_SAYS(write_volume(folder / "a.nii", grid, std::vector<float>(3)), "3 values");
  EXPECT_SAYS(write_volume(folder / "a.nii", {{40000, 1, 1}, {}}, std::vector<float>(40000)), "32767");
  EXPECT_SAYS(write_volume(folder / "a.nii", grid, std::vector<float>{1, 2, 3, NAN}, {.type = VoxelType::int16}),
              "float32");
  EXPECT_SAYS(write_volume(folder / "a.nii", grid, four, {.type = VoxelType::int64}), "int64");
  Grid flat = grid;
  flat.affine.rows[2].fill(0);
  EXPECT_SAYS(write_volume(folder / "a.nii", flat, four), "singular");
  EXPECT_SAYS(write_volume(folder / "absent/a.nii", grid, four), "absent/a.nii", "cannot be written");
  EXPECT_FALSE(std::filesystem::exists(folder / "a.nii"));
}

}  // namespace
}  // namespace sturm
