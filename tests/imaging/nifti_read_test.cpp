// SPDX-License-Identifier: BSD-3-Clause
// Files that are sound, and files that are odd but have an answer. tests/cli/nifti_test.py holds real files beside
// nibabel.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "imaging/nifti_file.h"
#include "message.h"
#include "sturm/imaging/gzip.h"

namespace sturm {
namespace {

using test::has;
using test::NiftiFile;
using test::NiftiFolder;

class NiftiRead : public testing::Test {
 protected:
  /// The only warning of a file; "none" or "several" otherwise.
  std::string warning(NiftiFile file) const {
    const VolumeInfo info = folder_.info(file);
    return info.warnings.empty() ? "none" : info.warnings.size() > 1 ? "several" : info.warnings[0];
  }
  NiftiFolder folder_;
};

std::vector<double> counting(Index count) {
  std::vector<double> out(static_cast<std::size_t>(count));
  std::iota(out.begin(), out.end(), 0.0);
  return out;
}

TEST_F(NiftiRead, BothByteOrdersAndBothVersions) {
  for (const bool swapped : {false, true})
    for (const bool two : {false, true}) {
      NiftiFile file(swapped, two);
      const VolumeInfo info = folder_.info(file);
      EXPECT_EQ(info.swapped, swapped);
      EXPECT_EQ(info.format, two ? VolumeFormat::nifti2 : VolumeFormat::nifti1);
      EXPECT_EQ(info.grid.shape, (Shape{4, 3, 2}));
      EXPECT_EQ(info.type, VoxelType::int16);
      EXPECT_EQ(info.grid.affine.rows[1][1], 2);
      EXPECT_TRUE(info.warnings.empty());
      EXPECT_EQ(read_volume<double>(info), counting(24));
      EXPECT_EQ(read_volume<float>(info)[23], 23.0F);
    }
}

/// A file of one type with extreme values, read in both byte orders.
template <class Stored>
void check_type(const NiftiFolder& folder, int code, VoxelType type) {
  const std::vector<Stored> values = {std::numeric_limits<Stored>::lowest(), Stored{0}, Stored{1},
                                      std::numeric_limits<Stored>::max()};
  for (const bool swapped : {false, true}) {
    NiftiFile file(swapped);
    file.dim({3, 2, 2, 1, 1, 1, 1, 1}).type(code, 8 * sizeof(Stored)).no_voxels();
    for (const Stored v : values) file.add(v);
    const VolumeInfo info = folder.info(file);
    EXPECT_EQ(info.type, type);
    EXPECT_EQ(voxel_bytes(info.type), static_cast<Index>(sizeof(Stored)));
    const std::vector<double> read = read_volume<double>(info);
    file.scaling(-0.5, 3);
    const std::vector<double> scaled = read_volume<double>(folder.info(file));
    for (std::size_t n = 0; n < 4; ++n) {
      EXPECT_EQ(read[n], static_cast<double>(values[n])) << to_string(type);
      EXPECT_EQ(scaled[n], static_cast<double>(values[n]) * -0.5 + 3) << to_string(type);
    }
  }
}

TEST_F(NiftiRead, EveryRealType) {
  check_type<std::uint8_t>(folder_, 2, VoxelType::uint8);
  check_type<std::int8_t>(folder_, 256, VoxelType::int8);
  check_type<std::int16_t>(folder_, 4, VoxelType::int16);
  check_type<std::uint16_t>(folder_, 512, VoxelType::uint16);
  check_type<std::int32_t>(folder_, 8, VoxelType::int32);
  check_type<std::uint32_t>(folder_, 768, VoxelType::uint32);
  check_type<std::int64_t>(folder_, 1024, VoxelType::int64);
  check_type<std::uint64_t>(folder_, 1280, VoxelType::uint64);
  check_type<float>(folder_, 16, VoxelType::float32);
  check_type<double>(folder_, 64, VoxelType::float64);
}

TEST_F(NiftiRead, AFileWithoutAnInterceptKeepsTheSignOfItsZeros) {
  NiftiFile file;
  file.dim({3, 2, 2, 1, 1, 1, 1, 1}).type(16, 32).no_voxels().scaling(2, 0);
  for (const float v : {-0.0F, 0.0F, 1.5F, -1.5F}) file.add(v);
  const std::vector<double> read = read_volume<double>(folder_.info(file));
  EXPECT_TRUE(std::signbit(read[0]));
  EXPECT_FALSE(std::signbit(read[1]));
  EXPECT_EQ(read[2], 3);
}

TEST_F(NiftiRead, VolumesOfAFourDimensionalFile) {
  NiftiFile file;
  file.dim({4, 4, 3, 2, 3, 1, 1, 1}).pixdim(4, 2.5).set<std::uint8_t>(123, 10);
  for (std::int16_t v = 24; v < 72; ++v) file.add(v);
  for (const bool gzip : {false, true}) {
    const auto path = folder_.write(gzip ? gzip_compress(file.bytes()) : file.bytes(), "b.nii");
    const VolumeInfo info = read_volume_info(path);
    EXPECT_EQ(info.gzip, gzip) << "by content, not by name";
    EXPECT_EQ(info.volumes, 3);
    EXPECT_EQ(info.repetition_time, 2.5);
    EXPECT_EQ(read_volume<double>(info, 2)[0], 48);
    std::vector<double> two(48);
    read_volumes_into(info, 1, 2, std::span(two));
    EXPECT_EQ(two[0], 24);
    EXPECT_EQ(two[47], 71);
    EXPECT_SAYS(read_volume<double>(info, 3), "b.nii", "dim[4]", "no volume 3");
    EXPECT_SAYS(read_volume<double>(info, -1), "no volume -1");
    EXPECT_SAYS(require_one_volume(info), "b.nii", "dim[4]", "3 volumes");
  }
  EXPECT_NO_THROW(require_one_volume(VolumeInfo{}));
}

TEST_F(NiftiRead, DimensionsOfOneAtTheEndAreNone) {
  for (const auto& dim : {std::array{7, 4, 3, 2, 1, 1, 1, 1}, std::array{2, 6, 4, 0, 0, 0, 0, 0}}) {
    NiftiFile file;
    file.dim(dim);
    EXPECT_EQ(read_volume<double>(folder_.info(file)), counting(24));
  }
}

TEST_F(NiftiRead, PairsByEitherName) {
  NiftiFile file;
  file.set<float>(108, 0);
  std::memcpy(file.bytes().data() + 344, "ni1", 4);
  const std::string header = file.bytes().substr(0, 348), data = file.bytes().substr(352);
  folder_.write(header, "p.hdr");
  folder_.write(gzip_compress(data), "p.img.gz");
  folder_.write(header, "UP.HDR");
  folder_.write(data, "UP.IMG");
  folder_.write(gzip_compress(header), "z.hdr.gz");
  folder_.write(gzip_compress(data), "z.img.gz");
  for (const char* name : {"p.hdr", "p.img.gz", "UP.HDR", "UP.IMG", "z.hdr.gz", "z.img.gz"}) {
    const VolumeInfo info = read_volume_info(folder_ / name);
    EXPECT_EQ(read_volume<double>(info), counting(24)) << name;
    EXPECT_TRUE(info.warnings.empty()) << name;
  }
  folder_.write(data, "lonely.img");
  EXPECT_SAYS(read_volume_info(folder_ / "lonely.img"), "lonely.img", ".hdr");
  folder_.write(header, "no_name");
  EXPECT_SAYS(read_volume_info(folder_ / "no_name"), "magic", ".img");
}

TEST_F(NiftiRead, AnalyzeIsReadWithAWarning) {
  NiftiFile file(true);
  file.set<float>(108, 0).set<std::int32_t>(344, 0);
  for (std::size_t n = 252; n < 344; ++n) file.bytes()[n] = 0;
  for (int n = 0; n < 3; ++n) file.set<std::int16_t>(253 + 2 * n, 2);  // SPM's origin, counted from 1
  folder_.write(file.bytes().substr(0, 348), "a.hdr");
  folder_.write(file.bytes().substr(352), "a.img");
  const VolumeInfo info = read_volume_info(folder_ / "a.img");
  EXPECT_EQ(info.format, VolumeFormat::analyze);
  ASSERT_EQ(info.warnings.size(), 1U);
  EXPECT_TRUE(has(info.warnings[0], "left")) << info.warnings[0];
  EXPECT_EQ(orientation(info.grid.affine), "LAS");
  EXPECT_EQ(info.grid.affine.rows[0][3], 2) << "voxel 1 of x is at 0 mm, and x runs to the left";
  EXPECT_EQ(info.grid.affine.rows[1][3], -2);
  EXPECT_EQ(read_volume<double>(info), counting(24));
  folder_.write("x", "a.mat");
  EXPECT_TRUE(has(read_volume_info(folder_ / "a.hdr").warnings.at(1), ".mat"));
}

TEST_F(NiftiRead, QformIsARotationOfTheVoxels) {
  NiftiFile file;
  // 90 degrees about z, then the third axis turned round: columns (0, 2, 0), (-2, 0, 0), (0, 0, -2).
  file.codes(1, 0).quatern(0, 0, std::sqrt(0.5)).pixdim(0, -1).qoffset(1, 7);
  const VolumeInfo info = folder_.info(file);
  EXPECT_EQ(orientation(info.grid.affine), "ALI");
  const double expected[3][4] = {{0, -2, 0, 0}, {2, 0, 0, 7}, {0, 0, -2, 0}};
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 4; ++c) EXPECT_NEAR(info.grid.affine.rows[r][c], expected[r][c], 1e-6);  // float32 fields
}

TEST_F(NiftiRead, OddButAnswered) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(warning(NiftiFile()), "none");
  EXPECT_TRUE(has(warning(NiftiFile().codes(0, 0)), "qform_code and sform_code are 0"));
  EXPECT_TRUE(has(warning(NiftiFile().type(4, 8)), "bitpix is 8"));
  EXPECT_TRUE(has(warning(NiftiFile().scaling(nan, 0)), "scl_slope"));
  EXPECT_EQ(warning(NiftiFile().scaling(0, nan)), "none");
  EXPECT_TRUE(has(warning(NiftiFile().codes(0, 1).pixdim(2, 0)), "pixdim[2]"));
  EXPECT_TRUE(has(warning(NiftiFile().set<float>(108, 0)), "vox_offset is 0"));
  EXPECT_TRUE(has(warning(NiftiFile().srow(0, 3, 1)), "disagree"));
  EXPECT_EQ(warning(NiftiFile().srow(0, 3, 1).codes(1, 4)), "none") << "two codes are two spaces";
  EXPECT_TRUE(has(warning(NiftiFile().codes(0, 1).srow(0, 1, 1)), "sheared"));
  EXPECT_TRUE(has(warning(NiftiFile().set<std::uint8_t>(123, 1)), "metres"));
  EXPECT_TRUE(has(warning(NiftiFile().quatern(nan, 0, 0)), "quatern_b"));
  // Bytes behind the voxels, plain and inside gzip: of the latter only the reader of voxels can know.
  NiftiFile longer;
  longer.add<std::int32_t>(0);
  EXPECT_TRUE(has(warning(longer), "4 bytes"));
  const VolumeInfo info = read_volume_info(folder_.write(gzip_compress(longer.bytes()), "l.nii.gz"));
  std::vector<std::string> warnings;
  EXPECT_EQ(read_volume<double>(info, 0, &warnings), counting(24));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_TRUE(has(warnings[0], "4 bytes"));
}

TEST_F(NiftiRead, ExtensionsArePassedOver) {
  NiftiFile file;
  const std::string voxels = file.bytes().substr(352);
  file.no_voxels().set<std::uint8_t>(348, 1).set<float>(108, 400);
  file.add<std::int32_t>(32).add<std::int32_t>(4).bytes().append(24, 'x');
  file.add<std::int32_t>(16).add<std::int32_t>(4).bytes().append(8, 'y');
  file.bytes() += voxels;
  EXPECT_EQ(warning(file), "none");
  EXPECT_EQ(read_volume<double>(folder_.info(file)), counting(24));
  file.set<std::int32_t>(352, 64);  // beyond vox_offset
  EXPECT_TRUE(has(warning(file), "esize", "64"));
  EXPECT_EQ(read_volume<double>(folder_.info(file)), counting(24));
}

TEST_F(NiftiRead, TextsEndAtTheirFirstZero) {
  NiftiFile file;
  std::memcpy(file.bytes().data() + 148, "made by hand  \0rubbish", 22);
  std::memset(file.bytes().data() + 328, 'i', 16);  // no zero at all
  const VolumeInfo info = folder_.info(file);
  EXPECT_EQ(info.description, "made by hand");
  EXPECT_EQ(info.intent_name, std::string(16, 'i'));
}

TEST(VoxelCounter, TellsWhatCannotBeLearntFrom) {
  const auto words = [](std::vector<float> values) {
    VoxelCounter counter;
    counter.add(std::span<const float>(values));
    std::string all;
    for (const std::string& w : counter.summary().warnings) all += w + "|";
    return all;
  };
  const float nan = std::numeric_limits<float>::quiet_NaN(), most = std::numeric_limits<float>::max();
  EXPECT_EQ(words({1, 2, -0.0F}), "");
  EXPECT_TRUE(has(words({3, 3}), "every voxel is 3"));
  EXPECT_TRUE(has(words({3, nan, 3}), "1 voxel is not a number"));
  EXPECT_TRUE(has(words({nan}), "no voxel"));
  EXPECT_TRUE(has(words({1, -INFINITY}), "1 voxel is infinite"));
  EXPECT_TRUE(has(words({most, 1}), "sum of squares"));
}

}  // namespace
}  // namespace sturm
