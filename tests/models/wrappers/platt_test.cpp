// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/platt.h"

#include <gtest/gtest.h>

#include <cmath>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/kernel/svm.h"

namespace sturm {
namespace {

double likelihood(const Sigmoid& s, std::span<const double> f, std::span<const double> y, double high, double low) {
  double out = 0;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const double p = s.probability(f[i]), t = y[i] > 0 ? high : low;
    out += t * std::log(p) + (1 - t) * std::log(1 - p);
  }
  return out;
}

struct Drawn {
  std::vector<double> f, y;
};

/// Labels drawn from a sigmoid that is known.
Drawn drawn(const Sigmoid& truth, std::size_t samples) {
  Rng rng(1);
  Drawn out;
  for (std::size_t i = 0; i < samples; ++i) {
    out.f.push_back(3 * rng.normal());
    out.y.push_back(rng.uniform() < truth.probability(out.f.back()) ? 1 : -1);
  }
  return out;
}

// The likelihood is concave: a point that no neighbour beats is its maximum.
TEST(Platt, NoNeighbourIsLikelier) {
  const Drawn data = drawn({-1.5, 0.7}, 200);
  const Sigmoid found = fit_sigmoid(data.f, data.y);
  const auto positive = static_cast<double>(std::ranges::count(data.y, 1.0)), negative = 200 - positive;
  const double high = (positive + 1) / (positive + 2), low = 1 / (negative + 2);
  const double best = likelihood(found, data.f, data.y, high, low);
  for (const double step : {1e-1, 1e-3})
    for (const double slope : {-step, 0.0, step})
      for (const double offset : {-step, 0.0, step})
        EXPECT_GE(best, likelihood({found.slope + slope, found.offset + offset}, data.f, data.y, high, low));
}

// 20,000 samples: the standard error of the slope is about 0.02, of the offset 0.03; five of them.
TEST(Platt, FindsTheSigmoidThatLabelsWereDrawnFrom) {
  const Drawn data = drawn({-1.5, 0.7}, 20000);
  const Sigmoid found = fit_sigmoid(data.f, data.y);
  EXPECT_NEAR(found.slope, -1.5, 0.15);
  EXPECT_NEAR(found.offset, 0.7, 0.15);
}

TEST(Platt, SeparatedOrHugeValuesStayFinite) {
  const std::vector<double> f = {-1e8, -2, -1, 1, 2, 1e8}, y = {-1, -1, -1, 1, 1, 1};
  const Sigmoid found = fit_sigmoid(f, y);
  EXPECT_TRUE(std::isfinite(found.slope) && std::isfinite(found.offset));
  for (const double v : f) EXPECT_TRUE(found.probability(v) >= 0 && found.probability(v) <= 1);
  EXPECT_GT(found.probability(1), 0.5);
  EXPECT_LT(found.probability(-1), 0.5);
}

TEST(Platt, AWeightOfZeroIsNotThere) {
  Drawn data = drawn({-1, 0}, 50);
  const Sigmoid without = fit_sigmoid(data.f, data.y);
  std::vector<double> weights(50, 1.0);
  for (int i = 0; i < 10; ++i) {
    data.f.push_back(-5);
    data.y.push_back(1);
    weights.push_back(0);
  }
  const Sigmoid with = fit_sigmoid(data.f, data.y, weights);
  EXPECT_EQ(with.slope, without.slope);
  EXPECT_EQ(with.offset, without.offset);
}

// The values that count are those of the folds left out, found here one fold at a time.
TEST(Platt, OnFoldsItSeesValuesOfSamplesLeftOut) {
  const test::TwoClasses data = test::two_classes({4, 3, 5}, 36, 0.4, 3);
  const auto svm = make_svm<double>();
  const FitTask task{data.y, {}, {0.1}};
  std::vector<int> fold;
  for (int i = 0; i < 36; ++i) fold.push_back(i * 7 % 4);
  std::vector<double> values(36);
  for (int k = 0; k < 4; ++k) {
    FitTask part{data.y, std::vector<double>(36, 1.0), {0.1}};
    for (std::size_t i = 0; i < 36; ++i)
      if (fold[i] == k) part.weights[i] = 0;
    const auto model = test::fit_one(*svm, {linalg::cpu_backend(), data.design, {}}, part);
    for (std::size_t i = 0; i < 36; ++i)
      if (fold[i] == k) values[i] = model->decision_values()[i];
  }
  const Sigmoid expected = fit_sigmoid(values, data.y);
  const Sigmoid found = fit_sigmoid_on_folds<double>(*svm, {linalg::cpu_backend(), data.design, {}}, task, fold, {});
  EXPECT_EQ(found.slope, expected.slope);
  EXPECT_EQ(found.offset, expected.offset);
  // On the samples of the training itself it would believe far more.
  const auto whole = test::fit_one(*svm, {linalg::cpu_backend(), data.design, {}}, task);
  EXPECT_LT(std::abs(found.slope), std::abs(fit_sigmoid(whole->decision_values(), data.y).slope));
}

TEST(BalancedWeights, BothClassesCountAlike) {
  const std::vector<double> y = {1, -1, -1, -1, 1, -1}, weights = {1, 1, 2, 0, 1, 3};
  const std::vector<double> out = balanced_weights(y, weights);
  double total[2] = {0, 0};
  for (std::size_t i = 0; i < y.size(); ++i) total[y[i] > 0] += out[i];
  EXPECT_NEAR(total[0], 4, 1e-12);
  EXPECT_NEAR(total[1], 4, 1e-12);
  EXPECT_EQ(out[3], 0);
  EXPECT_EQ(balanced_weights(std::vector<double>{1, -1, -1, -1}, {}),
            (std::vector<double>{2, 2.0 / 3, 2.0 / 3, 2.0 / 3}));
}

}  // namespace
}  // namespace sturm
