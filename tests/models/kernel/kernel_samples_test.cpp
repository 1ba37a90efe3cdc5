// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/kernel_samples.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "models/gram.h"
#include "models/kernel/seen.h"
#include "sturm/linalg/pairs.h"

namespace sturm {
namespace {

using test::two_classes;
using test::TwoClasses;

const Shape shape{4, 3, 5};

class KernelCases : public testing::TestWithParam<test::Normalisation> {
 protected:
  KernelCases() {
    for (Index v = 0; v < shape.size() && GetParam().masked; ++v) mask_.push_back(v % 4 != 1);
  }
  TwoClasses data_ = two_classes(shape, 20, 0.6, 3);
  std::vector<double> weights_ = test::uneven_weights(20);
  std::vector<std::uint8_t> mask_;
};
INSTANTIATE_TEST_SUITE_P(Normalisations, KernelCases, testing::ValuesIn(test::every_case));

// Distances and sums against the samples by the formula. Sums of 60 numbers near 5 in double: 1e-11 is a thousand
// roundings.
TEST_P(KernelCases, DistancesAndSumsAreThoseOfTheFormula) {
  const TrainingSets<double> study({linalg::cpu_backend(), data_.design, mask_, GetParam().normalize});
  const VoxelSpace space = study.of(weights_).space();
  const auto z = test::seen(data_, GetParam().normalize, mask_, weights_);
  const std::vector<double> squared = squared_distances(gram_of(study, space), 20);
  const std::vector<Index> rows = {3, 0, 17};
  const std::vector<double> some =
      squared_distances(data_.design, study.data().design, std::span<const Index>(rows), space);
  for (Index i = 0; i < 20; ++i) {
    for (Index j = 0; j < 20; ++j) {
      double expected = 0;
      for (std::size_t v = 0; v < z[i].size(); ++v) expected += std::pow(z[i][v] - z[j][v], 2);
      EXPECT_NEAR(squared[i + 20 * j], expected, 1e-11 * (1 + expected));
      for (std::size_t k = 0; k < rows.size(); ++k)
        if (rows[k] == j) {
          EXPECT_NEAR(some[i + 20 * k], expected, 1e-11 * (1 + expected));
        }
    }
  }
  std::vector<double> beta(20);
  for (Index i = 0; i < 20; ++i) beta[i] = static_cast<double>(i) - 9.5;  // adds up to 0
  const WeightedSum sum = weighted_sum(study.data().design, study.samples(), space, beta);
  double square = 0;
  for (std::size_t k = 0; k < space.voxels.size(); ++k) {
    double w = 0;
    for (Index i = 0; i < 20; ++i) w += beta[i] * z[i][k];
    EXPECT_NEAR(sum.coef[space.voxels[k]], w * space.scale_of(k), 1e-10 * (1 + std::abs(w)));
    square += w * w;
  }
  EXPECT_NEAR(sum.square, square, 1e-11 * square);
}

TEST(Restricted, KeepsVoxelsAndTheirScale) {
  const VoxelSpace space{{2, 5, 7, 9}, {1, 2, 3, 4}, Normalize::voxel};
  const std::vector<std::size_t> kept = {1, 3};
  const VoxelSpace some = restricted(space, kept);
  EXPECT_EQ(some.voxels, (std::vector<Index>{5, 9}));
  EXPECT_EQ(some.scale, (std::vector<double>{2, 4}));
  EXPECT_EQ(some.normalize, Normalize::voxel);
  EXPECT_TRUE(restricted({{2, 5}, {}, Normalize::none}, std::vector<std::size_t>{1}).scale.empty());
}

// Products in single precision, sums of blocks in double: on volumes whose common part is a thousand times what tells
// them apart, and in units whose squares single precision cannot hold, the Gram matrix is that of the same numbers in
// double to 1e-6 of its diagonal: 256 roundings of 3e-8 that add up like a random walk make 5e-7. What is taken from
// all samples may be another number by a rounding of the common part, and so both are centred first.
TEST(GramInSinglePrecision, KeepsItsDigitsWhateverTheUnits) {
  const Shape large{13, 11, 17};
  const Index samples = 23;
  for (const double unit : {1.0, 1e-24, 1e24}) {
    const TwoClasses data = two_classes(large, samples, 0.6, 11);
    AlignedVector<float> narrow;
    AlignedVector<double> wide;
    for (const double v : data.design.x()) {
      narrow.push_back(static_cast<float>(unit * (1000 + v)));
      wide.push_back(static_cast<double>(narrow.back()));
    }
    const auto of_float = Design<float>::owning(large, samples, narrow);
    const auto of_double = Design<double>::owning(large, samples, wide);
    const FitTask task{data.y, {}, {}};
    const std::vector<double> found = test::gram_of_task<float>({linalg::cpu_backend(), of_float, {}}, task);
    const std::vector<double> expected = test::gram_of_task<double>({linalg::cpu_backend(), of_double, {}}, task);
    const auto centred = [&](std::vector<double> gram) {
      std::vector<double> means(samples);
      for (Index j = 0; j < samples; ++j)
        for (Index i = 0; i < samples; ++i) means[j] += gram[i + j * samples] / static_cast<double>(samples);
      const double all = std::accumulate(means.begin(), means.end(), 0.0) / static_cast<double>(samples);
      for (Index j = 0; j < samples; ++j)
        for (Index i = 0; i < samples; ++i) gram[i + j * samples] += all - means[i] - means[j];
      return gram;
    };
    const std::vector<double> one = centred(found), other = centred(expected);
    for (Index j = 0; j < samples; ++j)
      for (Index i = 0; i < samples; ++i)
        EXPECT_NEAR(one[i + j * samples], other[i + j * samples], 1e-6 * expected[j + j * samples]);
  }
}

TEST(GramOfFewDigits, IsRoughAndOnlyThat) {
  const Index n = 50;
  const TwoClasses data = two_classes({14, 15, 11}, n, 0.1, 5);
  const Design<float> x = test::converted<float>(data.design);
  const FitTask task{data.y, {}, {}};
  const std::vector<double> exact = test::gram_of_task<double>({linalg::cpu_backend(), data.design, {}}, task);
  const std::vector<double> rough = test::gram_of_task<float>({linalg::cpu_backend(), x, {}}, task, Digits::few);
  const std::vector<double> twice = test::gram_of_task<float>({linalg::cpu_backend(), x, {}}, task, Digits::twice);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i) {
      EXPECT_NEAR(rough[i + j * n], exact[i + j * n], 3e-4 * exact[j + j * n]) << i << ", " << j;
      EXPECT_NEAR(twice[i + j * n], exact[i + j * n], 1e-6 * exact[j + j * n]) << i << ", " << j;
    }
  const std::vector<double> plain = test::gram_of_task<float>({linalg::cpu_backend(), x, {}}, task);
  EXPECT_EQ(rough == plain, linalg::pair_kernel() == nullptr) << "where the processor has them, they are used";
  const std::vector<double> other =
      test::gram_of_task<double>({linalg::cpu_backend(), data.design, {}}, task, Digits::few);
  EXPECT_EQ(other, exact) << "of a design in double it is the plain one";
}

}  // namespace
}  // namespace sturm
