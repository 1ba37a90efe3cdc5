// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "sturm/report/report.h"

namespace sturm {
namespace {

ReportVolume volume(const std::string& kind, double keep, std::size_t bytes) {
  return {kind, from_word<VolumeKind>(kind, "kind"),  "",   "",
          kind, {TensorF(Shape{1, 1, 1}), {}, false}, keep, std::string(bytes, 'A'),
          ""};
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

TEST(Volumes, EncodingIsDeterministicAndSmallForSparseMaps) {
  BrainMap map{TensorF(Shape{40, 40, 40}), {}, true};
  for (Index i = 10; i < 20; ++i) map.values(i, i, i) = std::sin(static_cast<float>(i));
  EXPECT_EQ(encode(map), encode(map));
  EXPECT_LT(encode(map).size(), 1500U);
  EXPECT_FALSE(encode({TensorF(Shape{2, 2, 2}), {}, false}).empty());  // zeros alone
}

}  // namespace
}  // namespace sturm
