// SPDX-License-Identifier: BSD-3-Clause
// A small study of volume files for the tests of loading.
#pragma once

#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "sturm/core/rng.h"
#include "sturm/imaging/load.h"
#include "temporary.h"

namespace sturm::test {

inline constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();

/// Twenty volumes of 6x7x5, more than are in memory at a time; zero at both ends of x.
class Loading : public testing::Test {
 protected:
  Loading() {
    grid.affine.rows = {{{-3, 0, 0, 9}, {0, 3, 0, -9}, {0, 0, 3, -6}}};
    for (int m = 0; m < 20; ++m) {
      const Tensor noise = random_normal(grid.shape, 1, m);
      std::vector<float> x(noise.flat().begin(), noise.flat().end());
      for (Index v = 0; v < grid.shape.size(); ++v)
        if (v % 6 < 2 || v % 6 > 4) x[v] = 0;
      volumes.push_back(std::move(x));
    }
  }
  void write_all() {
    files.clear();
    for (std::size_t m = 0; m < volumes.size(); ++m) {
      const std::string name = std::to_string(m) + ".nii.gz";
      write_volume(folder / name, grid, volumes[m]);
      files.push_back({folder / name, {}, static_cast<Index>(m), name});
    }
  }
  VolumeSet open() { return open_volumes(files, OnMismatch::error); }
  std::vector<float> row(const Design<float>& x, Index m) {
    std::vector<float> out;
    for (Index v = 0; v < x.voxels(); ++v) out.push_back(x.column(v)[m]);
    return out;
  }

  /// The same on the box, 0 where the design has no voxel.
  std::vector<float> on_box(const Design<float>& x, Index m) {
    const BasicTensor<float> out = x.region().spread<float>(row(x, m));
    return {out.flat().begin(), out.flat().end()};
  }

  TemporaryFolder folder;
  Grid grid{{6, 7, 5}, {}};
  std::vector<std::vector<float>> volumes;
  std::vector<SampleFile> files;
};

}  // namespace sturm::test
