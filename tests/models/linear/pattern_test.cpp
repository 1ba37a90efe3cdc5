// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/pattern.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/core/rng.h"

namespace sturm {
namespace {

constexpr Index samples = 9;
const Shape box{3, 2, 2};

/// Voxels 0 to 9 of the box.
Design<double> volumes(std::uint64_t seed, double middle) {
  std::vector<std::uint8_t> mask(box.size(), 1);
  mask[10] = mask[11] = 0;
  const Region region(box, mask);
  const Tensor drawn = random_normal({samples, region.size(), 1}, seed);
  AlignedVector<double> x(drawn.flat().begin(), drawn.flat().end());
  for (double& v : x) v += middle;
  return Design<double>::owning(region, samples, std::move(x));
}

LinearModel some_model(const Design<double>& x) {
  LinearModel model{random_normal(box, 5), 0.75, Normalize::none, x.region().mask()};
  model.coef.data()[3] = 0;
  return model;
}

/// Cov(X) w / w' Cov(X) w, from the whole covariance matrix of the columns.
std::vector<double> from_covariance(const std::vector<std::vector<double>>& columns, const std::vector<double>& w,
                                    const std::vector<double>& weights) {
  double total = 0;
  for (const double s : weights) total += s;
  const auto covariance = [&](std::size_t a, std::size_t b) {
    double mean_a = 0, mean_b = 0, sum = 0;
    for (Index m = 0; m < samples; ++m) {
      mean_a += weights[m] * columns[a][m] / total;
      mean_b += weights[m] * columns[b][m] / total;
    }
    for (Index m = 0; m < samples; ++m) sum += weights[m] * (columns[a][m] - mean_a) * (columns[b][m] - mean_b);
    return sum / total;
  };
  std::vector<double> out(columns.size(), 0);
  double variance = 0;
  for (std::size_t a = 0; a < columns.size(); ++a) {
    for (std::size_t b = 0; b < columns.size(); ++b) out[a] += covariance(a, b) * w[b];
    variance += w[a] * out[a];
  }
  for (double& a : out) a /= variance;
  return out;
}

std::vector<std::vector<double>> columns_of(const Design<double>& x) {
  std::vector<std::vector<double>> out;
  for (Index v = 0; v < x.voxels(); ++v) out.emplace_back(x.column(v), x.column(v) + samples);
  return out;
}

// The definition, by way of the covariance matrix that is never made. 1e-9: a mean of 1000 costs three digits of ten.
TEST(Pattern, IsCovarianceTimesWeights) {
  for (const double middle : {0.0, 1000.0}) {
    const Design<double> x = volumes(1, middle);
    const LinearModel model = some_model(x);
    for (const std::vector<double>& weights :
         {std::vector<double>(samples, 1.0), std::vector<double>{1, 2, 0, 0.5, 1, 1, 3, 0, 1}}) {
      const Tensor found = forward_pattern(model, x, weights);
      const std::vector<double> expected =
          from_covariance(columns_of(x), x.region().gather<double>(model.coef.flat()), weights);
      for (Index v = 0; v < x.voxels(); ++v) EXPECT_NEAR(found.data()[v], expected[v], 1e-9);
      EXPECT_EQ(found.data()[10], 0) << "outside the mask";
    }
  }
}

// Samples on a scale of their own: the pattern is of these.
TEST(Pattern, OfNormalisedSamples) {
  const Design<double> x = volumes(2, 3);
  LinearModel model = some_model(x);
  model.normalize = Normalize::sample;
  std::vector<std::vector<double>> scaled = columns_of(x);
  for (Index m = 0; m < samples; ++m) {
    double mean = 0, square = 0;
    for (const auto& column : scaled) mean += column[m] / static_cast<double>(scaled.size());
    for (const auto& column : scaled) square += (column[m] - mean) * (column[m] - mean);
    for (auto& column : scaled) column[m] = (column[m] - mean) / std::sqrt(square);
  }
  const Tensor found = forward_pattern(model, x, {});
  const std::vector<double> expected =
      from_covariance(scaled, x.region().gather<double>(model.coef.flat()), std::vector<double>(samples, 1.0));
  for (Index v = 0; v < x.voxels(); ++v) EXPECT_NEAR(found.data()[v], expected[v], 1e-9);
}

// A model that says the same of all samples has no pattern, however its mean is rounded.
TEST(Pattern, OfAConstantModelIsZero) {
  const Design<double> x = volumes(3, 0);
  LinearModel model{Tensor(box), 0.1, Normalize::none, x.region().mask()};
  const Tensor pattern = forward_pattern(model, x, {});
  for (const double v : pattern.flat()) EXPECT_EQ(v, 0);
}

// The map of a signal in noise that two voxels share: the weight of the second cancels noise, and its pattern says that
// it holds no signal (the example of Haufe et al. 2014).
TEST(Pattern, TellsSignalFromNoiseThatIsCancelled) {
  const Index count = 400;
  const Tensor drawn = random_normal({count, 2, 1}, 4);
  AlignedVector<double> x(2 * count);
  for (Index m = 0; m < count; ++m) {
    const double signal = m % 2 == 0 ? 1 : -1, noise = drawn.data()[m];
    x[m] = signal + noise;
    x[count + m] = noise;
  }
  const Design<double> design = Design<double>::owning(Region(Shape{2, 1, 1}), count, std::move(x));
  LinearModel model{Tensor({2, 1, 1}), 0, Normalize::none, {}};
  model.coef.data()[0] = 1;
  model.coef.data()[1] = -1;
  const Tensor pattern = forward_pattern(model, design, {});
  EXPECT_NEAR(pattern.data()[0], 1, 0.2);
  EXPECT_NEAR(pattern.data()[1], 0, 0.2);  // three standard errors of a covariance over 400 samples: 0.15
}

}  // namespace
}  // namespace sturm
