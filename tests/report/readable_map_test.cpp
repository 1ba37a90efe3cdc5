// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/readable_map.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/report/brain_pictures.h"

namespace sturm {
namespace {

using test::has;

StudyMethod scored(const std::string& name, double mean, double sparsity) {
  StudyMethod out;
  out.name = name;
  out.scores[Measure::accuracy] = {mean, 0.1, mean, {}, {}};
  out.sparsity.in_mask = sparsity;
  return out;
}

/// A map of `count` weights that grow by one from 1.
ReportVolume volume(const std::string& method, Index count) {
  ReportVolume out{"map-" + method, VolumeKind::map, method, "", "", {TensorF(Shape{10, 10, 10}), {}, true}, 0, "", ""};
  for (Index v = 0; v < count; ++v) out.map.values.flat()[v] = static_cast<float>(v + 1);
  return out;
}

Study three_methods() {
  Study out;
  out.target.classes = std::vector<std::string>{"control", "patient"};
  out.target.positive = "patient";
  out.target.negative = "control";
  out.methods = {scored("svm", 0.9, 0), scored("lasso", 0.85, 0.96), scored("sturm", 0.8, 0.98)};
  out.best = "svm";
  return out;
}

TEST(ReadableMap, IsTheSparsestThatMayBeAsGood) {
  Study study = three_methods();
  const std::vector<ReportVolume> volumes = {volume("svm", 1000), volume("lasso", 40), volume("sturm", 12)};
  std::optional<ReadableMap> found = readable_map(study, volumes);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->volume->method, "sturm");
  EXPECT_EQ(found->shown.voxels, 12);
  // sturm is shown to be worse than svm: lasso is left.
  Comparison pair;
  pair.first = "svm";
  pair.second = "sturm";
  pair.difference = 0.1;
  pair.p_adjusted = 0.01;
  study.comparisons = {pair};
  found = readable_map(study, volumes);
  EXPECT_EQ(found->volume->method, "lasso");
  EXPECT_TRUE(has(where_of(study, *found).words, "40 voxels are the whole map", "not shown to be worse than svm"))
      << where_of(study, *found).words;
}

TEST(ReadableMap, DenseMapsAreCutAsTheirClustersAre) {
  const Study study = three_methods();
  const std::vector<ReportVolume> volumes = {volume("svm", 1000), volume("lasso", 0)};
  const std::optional<ReadableMap> found = readable_map(study, volumes);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->volume->method, "svm");
  EXPECT_EQ(found->shown.voxels, 20);
  EXPECT_EQ(found->shown.least, 981);
  Index in_clusters = 0;
  for (const Cluster& cluster : clusters_of(volumes[0].map, nullptr, nullptr).clusters) in_clusters += cluster.voxels;
  EXPECT_EQ(in_clusters, found->shown.voxels);
  EXPECT_TRUE(has(where_of(study, *found).words, "20 voxels with the largest", "2 % of the volume"));
}

TEST(ReadableMap, NothingIsShownOfNothing) {
  EXPECT_FALSE(readable_map(three_methods(), {}));
  EXPECT_FALSE(readable_map(three_methods(), {volume("svm", 0)}));
}

TEST(BrainPictures, SayWhatTheyShowAndHoldNoMarkup) {
  Study study = three_methods();
  study.target.positive = "<b>&\"patient\"</b>";
  const std::vector<ReportVolume> volumes = {volume("lasso", 40)};
  const BrainMap under = volume("", 1000).map;
  const std::vector<BrainPicture> pictures = brain_pictures(study, *readable_map(study, volumes), &under, 4);
  ASSERT_GE(pictures.size(), 5U);
  const char* const views[] = {"from above", "from behind", "from the right"};
  for (std::size_t n = 0; n < 3; ++n) {
    EXPECT_EQ(pictures[n].told.kind, PictureKind::glass);
    EXPECT_TRUE(has(pictures[n].told.words, views[n], "lasso")) << pictures[n].told.words;
    EXPECT_TRUE(has(pictures[n].svg, "data:image/png;base64,", n < 2 ? ">L</text>" : ">P</text>"));
  }
  EXPECT_TRUE(has(pictures[2].svg, " mm</text>"));  // the scale of all three
  EXPECT_EQ(pictures[3].told.kind, PictureKind::bar);
  EXPECT_TRUE(has(pictures[3].svg, ">40</text>",
                  "\u2212"
                  "40</text>",
                  "&lt;b&gt;"));
  for (const BrainPicture& picture : pictures) EXPECT_FALSE(has(picture.svg, "<b>")) << picture.told.id;
  EXPECT_TRUE(has(pictures.back().svg, "z = "));
}

}  // namespace
}  // namespace sturm
