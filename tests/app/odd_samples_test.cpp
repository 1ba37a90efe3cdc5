// SPDX-License-Identifier: BSD-3-Clause
// Volumes that are equal or constant, found in the design that is in memory.
#include <gtest/gtest.h>

#include "message.h"
#include "sturm/app/data_facts.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/core/tensor.h"

namespace sturm {
namespace {

/// Twelve samples of 60 x 70 x 50, which is many pieces of work.
Dataset<float> study() {
  constexpr Index samples = 12;
  const Shape shape{60, 70, 50};
  const Tensor random = random_normal({samples, shape.size(), 1}, 3);
  AlignedVector<float> x(random.flat().begin(), random.flat().end());
  for (Index v = 0; v < shape.size(); ++v) {
    float* const voxel = x.data() + v * samples;
    voxel[7] = voxel[2];
    voxel[9] = v == 1000 ? voxel[2] : voxel[2] + 1;  // nearly
    voxel[5] = 4;
    voxel[10] = voxel[0];
    if (voxel[0] == 0) voxel[10] = -0.0F;
  }
  Dataset<float> out{Design<float>::owning(shape, samples, std::move(x)), {}, {}, {}, {}, {}};
  out.target.column = "group";
  for (Index m = 0; m < samples; ++m) out.target.actual.push_back(m < 6 ? "a" : "b");
  out.target.actual[10] = "a";
  return out;
}

TEST(OddSamples, EqualAndConstantVolumesAreNamed) {
  Dataset<float> data = study();
  std::vector<Index> lines;
  for (Index m = 0; m < 12; ++m) lines.push_back(m + 2);
  std::vector<std::string> before;
  for (const int threads : {1, 2}) {
    const UseThreads use(threads);
    const std::vector<std::string> found = odd_samples(data, lines);
    ASSERT_EQ(found.size(), 3);
    EXPECT_TRUE(test::has(found[0], "line 7: is the same everywhere")) << found[0];
    EXPECT_TRUE(test::has(found[1], "line 9: is the same volume as line 4, with another group.")) << found[1];
    EXPECT_TRUE(test::has(found[2], "line 12: is the same volume as line 2; in two folds")) << found[2];
    if (!before.empty()) {
      EXPECT_EQ(found, before);
    }
    before = found;
  }
  data.paths = std::vector<std::string>(12, "x.nii");
  EXPECT_TRUE(test::has(odd_samples(data, lines)[0], "x.nii (line 7): is the same everywhere"));
}

}  // namespace
}  // namespace sturm
