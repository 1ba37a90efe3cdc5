// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sturm/core/files.h"
#include "sturm/imaging/gzip.h"
#include "sturm/report/report.h"
#include "temporary.h"

namespace sturm {
namespace {

ReportVolume volume(const std::string& kind, double keep, std::size_t bytes, std::size_t rounded = 0) {
  ReportVolume out{kind, from_word<VolumeKind>(kind, "kind"), "", "", kind, {TensorF(Shape{1, 1, 1}), {}, false}, keep};
  out.file.assign(bytes, 'A');
  out.rounded.assign(rounded, 'B');
  return out;
}

TEST(Volumes, TheLeastWorthKeepingIsLeftOutFirst) {
  std::vector<ReportVolume> all;
  all.push_back(volume("map", 3, 100));
  all.push_back(volume("fold", 1, 30));
  all.push_back(volume("stability", 2, 50));
  all.push_back(volume("fold", 1, 20));
  const auto kinds = [](const std::vector<ReportVolume>& volumes) {
    std::string out;
    for (const ReportVolume& v : volumes) out += to_word(v.kind) + " ";
    return out;
  };
  std::vector<ReportVolume> some = all;
  EXPECT_TRUE(fit_into(some, 200).empty());
  EXPECT_EQ(fit_into(some, 180).size(), 1U);  // the last of the equals
  EXPECT_EQ(kinds(some), "map fold stability ");
  EXPECT_EQ(fit_into(some, 100).size(), 2U);
  EXPECT_EQ(kinds(some), "map ");
  EXPECT_EQ(fit_into(some, 10).size(), 1U);
}

TEST(Volumes, APageKeepsToItsLimitAndNamesWhatItLacks) {
  Report report;
  report.study.title = "x";
  report.volumes.push_back(volume("map", 3, 5000));
  report.volumes.push_back(volume("stability", 2, 5000));
  const std::string page = report_page("<!--STURM-STUDY--><!--STURM-VOLUMES-->", report, 8000);
  EXPECT_LE(page.size(), 8000U);
  EXPECT_NE(page.find("stability was left out"), std::string::npos);
  EXPECT_NE(page.find("volume-map"), std::string::npos);
  EXPECT_EQ(page.find("volume-stability\""), std::string::npos);
}

TEST(Volumes, ExactFilesTravelWhereThereIsRoomTheBestFirst) {
  std::vector<ReportVolume> all;
  all.push_back(volume("stability", 2, 100, 40));
  all.push_back(volume("map", 3, 100, 50));
  std::vector<ReportVolume> some = all;
  EXPECT_TRUE(fit_into(some, 140).empty());
  EXPECT_FALSE(some[0].exact);
  EXPECT_EQ(some[0].file, std::string(40, 'B'));
  EXPECT_TRUE(some[1].exact);
  EXPECT_EQ(some[1].file, std::string(100, 'A'));
  some = all;
  fit_into(some, 200);
  EXPECT_TRUE(some[0].exact && some[1].exact);
  some = all;
  fit_into(some, 139);
  EXPECT_FALSE(some[0].exact || some[1].exact);
  EXPECT_EQ(fit_into(some = all, 89).size(), 1U);
}

ReportVolume of_map(BrainMap map, VolumeKind kind = VolumeKind::map) {
  ReportVolume out{"x", kind, "", "", "", std::move(map)};
  encode(out);
  return out;
}

TEST(Volumes, EncodingIsDeterministicAndSmallForSparseMaps) {
  BrainMap map{TensorF(Shape{40, 40, 40}), {}, true};
  for (Index i = 10; i < 20; ++i) map.values(i, i, i) = std::sin(static_cast<float>(i));
  EXPECT_EQ(of_map(map).file, of_map(map).file);
  EXPECT_LT(of_map(map).file.size(), 1500U);
  EXPECT_FALSE(of_map({TensorF(Shape{2, 2, 2}), {}, false}).file.empty());  // zeros alone
}

std::string bytes_of(const std::string& letters) {
  constexpr std::string_view all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned bits = 0, held = 0;
  for (const char c : letters) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<unsigned>(all.find(c));
    if ((held += 6) < 8) continue;
    held -= 8;
    out += static_cast<char>(bits >> held & 255U);
  }
  return out;
}

/// What a reader of NIfTI finds in the file that travels.
BrainMap unpacked(const std::string& letters) {
  const test::TemporaryFolder folder;
  write_file(folder / "map.nii.gz", bytes_of(letters));
  return read_map(folder / "map.nii.gz");
}

/// The same of a rounded file, whose bytes are in planes: each value is put together of its four.
std::vector<float> values_in_planes(const std::string& letters, Index voxels) {
  const test::TemporaryFolder folder;
  write_file(folder / "map.nii.gz", bytes_of(letters));
  constexpr std::size_t header = 352, planes = sizeof(float);
  const auto count = static_cast<std::size_t>(voxels);
  std::vector<std::byte> file(header + count * planes), bytes(count * planes);
  EXPECT_TRUE(inflate_whole(folder / "map.nii.gz", file));
  for (std::size_t v = 0; v < count; ++v)
    for (std::size_t b = 0; b < planes; ++b) bytes[v * planes + b] = file[header + b * count + v];
  std::vector<float> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Volumes, TheFileHasEveryValueOrThoseThatAreRounded) {
  BrainMap map{TensorF(Shape{20, 20, 20}), {{{{2, 0, 0, -20}, {0, 2, 0, -20}, {0, 0, 2, -20}}}}, true};
  Index n = 0;
  for (float& v : map.values.flat()) v = 1e-8F * std::pow(std::sin(static_cast<float>(++n)), 5.0F);
  const ReportVolume dense = of_map(map);
  EXPECT_TRUE(std::ranges::equal(unpacked(dense.file).values.flat(), map.values.flat()));
  ASSERT_FALSE(dense.rounded.empty());
  EXPECT_LT(dense.rounded.size(), 2 * dense.file.size() / 3);
  EXPECT_TRUE(std::ranges::equal(values_in_planes(dense.rounded, map.values.shape().size()),
                                 rounded_between(map, dense.thresholds).values.flat()));
  // Selected voxels of a fold take a byte and lose nothing.
  for (float& v : map.values.flat()) v = std::abs(v) > 5e-9F ? 1.0F : 0.0F;
  const ReportVolume fold = of_map(map, VolumeKind::fold);
  EXPECT_TRUE(std::ranges::equal(unpacked(fold.file).values.flat(), map.values.flat()));
}

TEST(Volumes, ThePageIsToldTheThresholdsOfTheMap) {
  BrainMap map{TensorF(Shape{10, 10, 10}), {}, true};
  for (Index i = 0; i < 10; ++i) map.values(i, i, i) = 1e-12F * static_cast<float>(i + 1);
  const ShownVolume told = facts_of(of_map(map));
  EXPECT_EQ(told.voxels.front(), 10);
  EXPECT_EQ(told.voxels.size(), told.thresholds.size());
  EXPECT_EQ(told.opens, 0);
  EXPECT_TRUE(told.exact);
}

}  // namespace
}  // namespace sturm
