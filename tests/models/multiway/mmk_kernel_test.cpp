// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/mmk_kernel.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/core/rng.h"
#include "sturm/linalg/host.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

TEST(StructureKernel, IsTheDefinition) {
  std::vector<Cp> models;
  std::vector<CpFeatures> features;
  const Index sizes[3] = {5, 4, 3};
  for (int m = 0; m < 6; ++m) {
    models.push_back(cp(random_normal({5, 4, 3}, m), {.rank = 3}));
    features.push_back(features_of(models.back()));
  }
  constexpr double sigma = 0.8;
  const auto kernel = structure_kernel(term_distances(features, features), 6, 6, 3, sigma);
  for (Index a = 0; a < 6; ++a)
    for (Index b = 0; b < 6; ++b) {
      double expected = 0;
      for (Index i = 0; i < 3; ++i)
        for (Index j = 0; j < 3; ++j) {
          double product = 1;
          for (int n = 0; n < 3; ++n) {
            double square = 0;
            for (Index p = 0; p < sizes[n]; ++p)
              square += std::pow(std::cbrt(models[a].weights[i]) * models[a].factors[n][p + sizes[n] * i] -
                                     std::cbrt(models[b].weights[j]) * models[b].factors[n][p + sizes[n] * j],
                                 2);
            product *= std::exp(-square / (2 * sigma * sigma));
          }
          expected += product;
        }
      EXPECT_NEAR(kernel[a + 6 * b], expected, 1e-13 * 9);
    }
  std::vector<double> vectors = kernel, values(6);
  linalg::host::eigh<double>(6, vectors.data(), values.data());
  EXPECT_GT(values.front(), -1e-12) << "a kernel matrix is positive semidefinite";
}

// A kernel that is too narrow to reach the next voxel is the identity, and MMK with it is DuSK; a wider one smooths.
TEST(PositionKernels, NarrowOnesAreTheIdentity) {
  const Tensor x = random_normal({6, 5, 4}, 3);
  const CpOptions options{.rank = 2};
  const CpFeatures plain = features_of(cp(x, options));
  EXPECT_EQ(features_of(cp(x, options, position_kernels(x.shape(), 1e-3, 0.05))).terms, plain.terms);
  EXPECT_NE(features_of(cp(x, options, position_kernels(x.shape(), 2, 0.05))).terms, plain.terms);
}

}  // namespace
}  // namespace sturm
