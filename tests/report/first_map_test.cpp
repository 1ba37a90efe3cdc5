// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/first_map.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

/// Methods with their scores and sparsities, and a map of each.
struct Shown {
  Study study;
  std::vector<ReportVolume> volumes;

  /// Out of line: g++ 12 takes the empty string before it for one that is read.
  [[gnu::noinline]] void name_best(const char* name) { study.best.emplace(name); }
  StudyMethod& add(const std::string& name, double score, double sparsity) {
    StudyMethod& method = study.methods.emplace_back();
    method.name = name;
    method.scores[Measure::accuracy].mean = score;
    method.sparsity.in_mask = sparsity;
    add_volume(VolumeKind::map, name, 1);
    return method;
  }
  void add_volume(VolumeKind kind, const std::string& name, float value) {
    BrainMap map{TensorF({1, 1, 1}), {}, false};
    map.values.data()[0] = value;
    volumes.push_back({"id", kind, name, "", "label", std::move(map), 0, "", ""});
  }
  void add_readable(const std::string& name, double sparsity) {
    for (StudyMethod& method : study.methods)
      if (method.name == name) method.readable.emplace().sparsity_in_mask = sparsity;
    add_volume(VolumeKind::readable, name, 1);
  }
  std::string first() const {
    const OrNull<FirstMap> found = first_map(study, volumes);
    return found ? found->method + " " + to_word(found->kind) : "none";
  }
};

TEST(FirstMap, IsTheSparsestOfThoseThatAreNotWorse) {
  Shown shown;
  shown.name_best("svm");
  shown.add("svm", 0.9, 0);
  shown.add("sturm", 0.85, 0.3);
  shown.add("lasso", 0.6, 0.99);
  EXPECT_EQ(shown.first(), "lasso map");
  shown.add_readable("sturm", 0.9);
  EXPECT_EQ(shown.first(), "lasso map");
  shown.study.comparisons = {{.first = "svm", .second = "lasso", .difference = 0.3, .p_adjusted = 0.01}};
  EXPECT_EQ(shown.first(), "sturm readable") << "lasso is shown to be worse";
  shown.study.comparisons = {{.first = "lasso", .second = "svm", .difference = -0.3, .p_adjusted = 0.01}};
  EXPECT_EQ(shown.first(), "sturm readable") << "whichever stands first";
  shown.study.comparisons.front().p_adjusted = 0.2;
  EXPECT_EQ(shown.first(), "lasso map") << "it cannot be told apart";
}

TEST(FirstMap, OfDenseMethodsIsThatOfTheBest) {
  Shown shown;
  shown.name_best("ridge");
  shown.add("svm", 0.8, 0);
  shown.add("ridge", 0.9, 0);
  shown.add("dummy", 0.95, 1);
  EXPECT_EQ(shown.first(), "ridge map");
  shown.volumes.erase(shown.volumes.begin() + 1);
  EXPECT_EQ(shown.first(), "svm map") << "the best that has a map";
}

TEST(FirstMap, AMapWithoutAVoxelDoesNotCount) {
  Shown shown;
  EXPECT_EQ(shown.first(), "none");
  shown.name_best("lasso");
  shown.add("lasso", 0.5, 1);
  shown.volumes.front().map.values.data()[0] = 0;
  EXPECT_EQ(shown.first(), "none");
  shown.add_readable("lasso", 0.99);
  EXPECT_EQ(shown.first(), "lasso readable");
}

}  // namespace
}  // namespace sturm
