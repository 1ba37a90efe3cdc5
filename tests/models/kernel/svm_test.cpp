// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/svm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <optional>

#include "message.h"
#include "models/classes.h"
#include "models/gram.h"
#include "models/kernel/seen.h"
#include "sturm/models/kernel/svm_rbf.h"

namespace sturm {
namespace {

using test::every_case;
using test::fit_one;
using test::largest_difference;
using test::Normalisation;
using test::seen;
using test::two_classes;
using test::TwoClasses;
using test::uneven_weights;

const Shape shape{4, 3, 5};

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  double out = 0;
  for (std::size_t v = 0; v < a.size(); ++v) out += a[v] * b[v];
  return out;
}

/// How far beta is from the conditions of optimality, in units of the margin: with b, y f >= 1 where beta is 0, y f <=
/// 1 where it is at its bound, y f = 1 between.
double violation(const SvmKernel& kernel, const SvmSolution& s, std::span<const double> y,
                 std::span<const double> upper) {
  const std::vector<double> f = decision_values(kernel, s);
  double out = 0, sum = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const double alpha = y[i] * s.beta[i];
    EXPECT_GE(alpha, 0);
    EXPECT_LE(alpha, upper[i]);
    sum += s.beta[i];
    if (!(upper[i] > 0)) continue;
    if (alpha < upper[i]) out = std::max(out, 1 - y[i] * f[i]);
    if (alpha > 0) out = std::max(out, y[i] * f[i] - 1);
  }
  EXPECT_NEAR(sum, 0, 1e-9 * (1 + *std::ranges::max_element(upper)));
  return out;
}

class Dual : public testing::TestWithParam<double> {
 protected:
  static SvmKernel kernel_of(const TwoClasses& data) {
    const FitTask task{data.y, {}, {}};
    return {test::gram_of_task<double>({linalg::cpu_backend(), data.design, {}}, task), data.design.samples()};
  }
};

// The loop in double stops where two samples violate each other by 1e-9; b lies between them, and the gap is at most
// the violation times the sum of the upper bounds.
TEST_P(Dual, OptimalAndProvedWhateverTheWeights) {
  const TwoClasses data = two_classes(shape, 40, 0.6, 1);
  const SvmKernel kernel = kernel_of(data);
  for (const bool uneven : {false, true}) {
    const std::vector<double> upper =
        upper_bounds(uneven ? uneven_weights(40) : std::vector<double>(40, 1.0), GetParam());
    const SvmSolution found = solve_svm(kernel, data.y, upper);
    EXPECT_EQ(found.status, Status::converged);
    EXPECT_LE(violation(kernel, found, data.y, upper), 2e-9);
    EXPECT_GE(found.relative_gap, -1e-12);
    const double total = std::accumulate(upper.begin(), upper.end(), 0.0);
    EXPECT_LE(found.relative_gap, 2e-9 * total / found.objective + 1e-12);
    for (std::size_t i = 0; i < upper.size(); ++i)
      if (upper[i] == 0) {
        EXPECT_EQ(found.beta[i], 0);
      }
  }
}

// A weight of 2 is the sample twice: LIBSVM, which knows no weights of samples, says so too. Each
// objective lies above the optimum by its gap at most; F* + 1/2 |f - f*|^2 <= F bounds what f may differ by.
TEST_P(Dual, AWeightOfTwoIsTheSampleTwice) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 2);
  const FitTask all{data.y, {}, {}};
  const std::vector<double> once = test::gram_of_task<double>({linalg::cpu_backend(), data.design, {}}, all);
  std::vector<double> weights(30, 1), y = data.y;
  std::vector<Index> rows;
  for (Index i = 0; i < 30; ++i) rows.push_back(i);
  for (Index i = 0; i < 30; i += 4) {
    weights[i] = 2;
    rows.push_back(i);
    y.push_back(data.y[i]);
  }
  const auto more = static_cast<Index>(rows.size());
  std::vector<double> twice(more * more);
  for (Index i = 0; i < more; ++i)
    for (Index j = 0; j < more; ++j) twice[i + j * more] = once[rows[i] + rows[j] * 30];
  const SvmKernel kernel(once, 30), longer(twice, more);
  const SvmSolution weighted = solve_svm(kernel, data.y, upper_bounds(weights, GetParam()));
  const SvmSolution repeated = solve_svm(longer, y, upper_bounds(std::vector<double>(more, 1.0), GetParam()));
  std::vector<double> expected = decision_values(longer, repeated);
  expected.resize(30);
  const double gap = 2e-9 * GetParam() * static_cast<double>(more) + 1e-12;
  EXPECT_NEAR(weighted.objective, repeated.objective, gap);
  EXPECT_LE(largest_difference(decision_values(kernel, weighted), expected), 2e-3);
}
INSTANTIATE_TEST_SUITE_P(C, Dual, testing::Values(1e-4, 1e-2, 1.0, 1e3));

class SvmCases : public testing::TestWithParam<Normalisation> {};
INSTANTIATE_TEST_SUITE_P(Normalisations, SvmCases, testing::ValuesIn(every_case));

// The Gram matrix, the decision values and the map against the formula on raw volumes. Sums of 60 numbers near 5 in
// double: 1e-11 is a thousand roundings.
TEST_P(SvmCases, TheMapIsTheWeightedSumAndGivesTheDecisionValues) {
  const TwoClasses data = two_classes(shape, 40, 0.6, 3);
  std::vector<std::uint8_t> mask;
  for (Index v = 0; v < shape.size() && GetParam().masked; ++v) mask.push_back(v % 4 != 1);
  const FitTask task{data.y, uneven_weights(40), {0.05}};
  const FitData<double> given{linalg::cpu_backend(), data.design, mask, GetParam().normalize};
  const auto z = seen(data, GetParam().normalize, mask, task.weights);
  std::vector<double> kernel(1600);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 40; ++j) kernel[i + j * 40] = inner(z[i], z[j]);
  const SvmKernel plain(kernel, 40);
  const std::vector<double> upper = upper_bounds(task.weights, 0.05);
  const auto model = fit_one(*make_svm<double>(), given, task);
  const LinearModel& linear = model->model().map();

  // The same plane from the kernel without centring: to the solver's 1e-6 of the margin, times its condition.
  const SvmSolution reference = solve_svm(plain, data.y, upper);
  EXPECT_LE(largest_difference(model->decision_values(), decision_values(plain, reference)), 1e-4);
  EXPECT_NEAR(model->report.objective, reference.objective, 1e-6 * reference.objective);
  // Its own map on raw volumes is the function that the kernel gave.
  EXPECT_LE(largest_difference(model->decision_values(), model->decision_values(data.design)), 1e-11);
  EXPECT_EQ(linear.normalize, GetParam().normalize);
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) {
      EXPECT_EQ(linear.coef.flat()[v], 0);
    }
  // sum_i beta_i z_i with the scale folded in, from the solution of the very problem.
  const TrainingSets<double> study(given);
  const VoxelSpace space = study.of(task.weights).space();
  const SvmSolution own = solve_svm(SvmKernel(gram_of(study, space), 40), data.y, upper);
  for (std::size_t k = 0; k < space.voxels.size(); ++k) {
    double w = 0;
    for (Index i = 0; i < 40; ++i) w += own.beta[i] * z[i][k] * space.scale_of(k);
    EXPECT_NEAR(linear.coef.flat()[given.design.region().voxel(space.voxels[k])], w, 1e-11);
  }
}

// What the samples left out look like must not matter to the model, and the batch must not either, to the bit.
TEST_P(SvmCases, LearntFromTheSamplesOfTheTaskAloneAndNotFromTheBatch) {
  const TwoClasses data = two_classes(shape, 40, 0.6, 4);
  TwoClasses other = data;
  AlignedVector<double> x(data.design.x().begin(), data.design.x().end());
  const std::vector<double> weights = uneven_weights(40);
  for (Index v = 0; v < shape.size(); ++v)
    for (Index i = 0; i < 40; ++i)
      if (weights[i] == 0) x[v * 40 + i] = 3 * std::sin(static_cast<double>(i * v));
  other.design = Design<double>::owning(shape, 40, std::move(x));
  for (const auto& method : {make_svm<double>(), make_svm_rbf<double>()}) {
    const std::vector<double> setting = method->parameters().size() == 1 ? std::vector{0.05} : std::vector{2.0, 0.7};
    const FitTask task{data.y, weights, setting};
    const auto model = fit_one(*method, {linalg::cpu_backend(), data.design, {}, GetParam().normalize}, task);
    const auto changed = fit_one(*method, {linalg::cpu_backend(), other.design, {}, GetParam().normalize}, task);
    EXPECT_LE(largest_difference(model->decision_values(data.design), changed->decision_values(data.design)), 1e-5);

    const FitTask whole{data.y, {}, setting};
    const auto batch = test::fit_all<double>(*method, {linalg::cpu_backend(), data.design, {}, GetParam().normalize},
                                             {whole, task, whole});
    EXPECT_EQ(batch[1]->decision_values(), model->decision_values());
    EXPECT_EQ(batch[1]->decision_values(data.design), model->decision_values(data.design));
    EXPECT_EQ(batch[0]->decision_values(), batch[2]->decision_values());
  }
}

// Volumes at 1000 that differ by 1: in single precision their plain Gram matrix would have no digit of the difference.
TEST(Svm, SinglePrecisionFarFromZeroIsAsGood) {
  TwoClasses data = two_classes(shape, 40, 0.6, 6);
  AlignedVector<double> x(data.design.x().begin(), data.design.x().end());
  for (double& v : x) v = static_cast<double>(static_cast<float>(v + 1000));
  const Design<double> wide = Design<double>::owning(shape, 40, std::move(x));
  const Design<float> narrow = test::converted<float>(wide);
  const FitTask task{data.y, {}, {0.1}};
  const auto a = fit_one(*make_svm<double>(), {linalg::cpu_backend(), wide, {}}, task);
  const auto b = fit_one(*make_svm<float>(), {linalg::cpu_backend(), narrow, {}}, task);
  // Sums of 60 products in single precision are off by some 2e-7 of |z|^2 = 60, and sum |beta| <= 40 C = 4.
  EXPECT_LE(largest_difference(a->decision_values(), b->decision_values()), 6e-5);
  EXPECT_LE(largest_difference(b->decision_values(narrow), a->decision_values()), 6e-5);
}

/// Combinations of `terms` volumes in single precision, with noise; the first one tells the classes apart, a little.
TwoClasses low_rank(Index samples, Index terms, double noise, std::uint64_t seed) {
  const Shape volumes{12, 12, 12};
  const Tensor base = random_normal({terms, volumes.size(), 1}, seed),
               weight = random_normal({samples, terms, 1}, seed + 1),
               rest = random_normal({samples, volumes.size(), 1}, seed + 2);
  std::vector<double> y;
  AlignedVector<double> x(samples * volumes.size());
  for (Index i = 0; i < samples; ++i) {
    y.push_back(i % 2 == 0 ? 1 : -1);
    for (Index v = 0; v < volumes.size(); ++v) {
      double value = noise * rest(i, v, 0) + 0.5 * y.back() * base(0, v, 0);
      for (Index t = 0; t < terms; ++t) value += weight(i, t, 0) * base(t, v, 0);
      x[i + v * samples] = static_cast<double>(static_cast<float>(value));
    }
  }
  return {Design<double>::owning(volumes, samples, std::move(x)), std::move(y)};
}

// A kernel of few voxels, or of volumes that are combinations of a few, has no curvature in most directions, and in
// single precision noise in place of it. Steps of two coordinates did not end there: ten million of them left gaps up
// to 0.9.
TEST(Svm, KernelsOfLowRankAreSolvedInSinglePrecisionToo) {
  for (const double noise : {0.0, 1e-5, 1e-3}) {
    const TwoClasses wide = low_rank(40, 3, noise, 7);
    AlignedVector<float> narrow(wide.design.x().begin(), wide.design.x().end());
    const auto x = Design<float>::owning(wide.design.shape(), 40, std::move(narrow));
    for (const double c : {1e-3, 1.0, 100.0}) {
      const auto model = fit_one(*make_svm<float>(), {linalg::cpu_backend(), x, {}}, {wide.y, {}, {c}});
      EXPECT_EQ(model->report.status, Status::converged) << noise << ", C " << c;
      EXPECT_LT(model->report.relative_gap, 1e-6) << noise << ", C " << c;
      // The proof again, from the map alone.
      const std::vector<double> values = decision_values(model->model().map(), x);
      double primal = 0;
      for (const double w : model->model().map().coef.flat()) primal += w * w / 2;
      for (std::size_t i = 0; i < values.size(); ++i) primal += c * std::max(0.0, 1 - wide.y[i] * values[i]);
      EXPECT_NEAR(primal, model->report.objective, 1e-8 * primal) << noise << ", C " << c;
    }
    for (const Index voxels : {1, 2, 5}) {
      std::vector<std::uint8_t> mask(wide.design.voxels());
      std::fill_n(mask.begin() + 100, voxels, 1);
      for (const double c : {1.0, 1e4}) {
        const auto model = fit_one(*make_svm<float>(), {linalg::cpu_backend(), x, mask}, {wide.y, {}, {c}});
        EXPECT_EQ(model->report.status, Status::converged) << voxels << ", C " << c;
        EXPECT_LT(model->report.relative_gap, 1e-6) << voxels << ", C " << c;
        EXPECT_LT(model->report.iterations, 100'000);
      }
    }
  }
}

TEST(Svm, ThreadsDoNotChangeABit) {
  const TwoClasses data = two_classes({20, 20, 20}, 30, 0.2, 7);
  std::optional<UseThreads> team;
  std::vector<std::vector<double>> values;
  for (const int count : {1, 3}) {
    team.emplace(count);
    values.push_back(
        fit_one(*make_svm<double>(), {linalg::cpu_backend(), data.design, {}, Normalize::sample}, {data.y, {}, {1.0}})
            ->decision_values(data.design));
  }
  team.reset();
  EXPECT_EQ(values[0], values[1]);
}

TEST(Svm, OneClassAloneIsThatClassForEverybody) {
  const TwoClasses data = two_classes(shape, 12, 0.6, 8);
  std::vector<double> weights(12);
  for (std::size_t i = 0; i < 12; ++i) weights[i] = data.y[i] > 0 ? 1 : 0;
  const auto model = fit_one(*make_svm<double>(), {linalg::cpu_backend(), data.design, {}}, {data.y, weights, {1.0}});
  EXPECT_EQ(model->report.status, Status::zero_solution);
  for (const double v : model->decision_values(data.design)) EXPECT_EQ(v, 1);
}

TEST(Svm, ConstantVoxelsGetExactlyZero) {
  TwoClasses data = two_classes(shape, 20, 0.6, 9);
  AlignedVector<double> x(data.design.x().begin(), data.design.x().end());
  for (Index i = 0; i < 20; ++i) x[7 * 20 + i] = 0.1;
  data.design = Design<double>::owning(shape, 20, std::move(x));
  for (const Normalize normalize : {Normalize::none, Normalize::voxel}) {
    const auto model =
        fit_one(*make_svm<double>(), {linalg::cpu_backend(), data.design, {}, normalize}, {data.y, {}, {1.0}});
    EXPECT_EQ(model->model().map().coef.flat()[7], 0);
    EXPECT_EQ(model->report.sparsity, 1.0 / 60);
  }
}

TEST(Svm, RefusesWhatItCannotDo) {
  const TwoClasses data = two_classes(shape, 12, 0.6, 10);
  const auto svm = make_svm<double>();
  const auto fit = [&](const FitData<double>& given, const FitTask& task) { return fit_one(*svm, given, task); };
  const FitData<double> given{linalg::cpu_backend(), data.design, {}};
  EXPECT_SAYS(fit(given, {std::vector<double>(12, 0.5), {}, {1.0}}), "two classes");
  EXPECT_SAYS(fit(given, {data.y, {}, {-1.0}}), "`C`");
  EXPECT_SAYS(fit(given, {data.y, {}, {}}), "svm has 1 parameter", "a task gives 0");
  EXPECT_SAYS(fit(given, {data.y, std::vector<double>(12, 0.0), {1.0}}), "weight of 0");
  EXPECT_SAYS(fit({linalg::cpu_backend(), data.design, {}, Normalize::none, false}, {data.y, {}, {1.0}}),
              "`no-intercept`");
  AlignedVector<double> x(data.design.x().begin(), data.design.x().end());
  x[5] = std::nan("");
  const Design<double> bad = Design<double>::owning(shape, 12, std::move(x));
  EXPECT_SAYS(fit({linalg::cpu_backend(), bad, {}}, {data.y, {}, {1.0}}), "sample 6 has 1 voxels");
}

// Ten times the volumes, a hundredth of C: the same machines in the grid.
TEST(Svm, ThePathFollowsTheScaleOfTheVolumes) {
  const TwoClasses data = two_classes(shape, 12, 0.6, 11);
  AlignedVector<double> x(data.design.x().begin(), data.design.x().end());
  for (double& v : x) v *= 10;
  const Design<double> larger = Design<double>::owning(shape, 12, std::move(x));
  const FitTask task{data.y, {}, {}};
  const auto one = make_svm<double>()->grid({linalg::cpu_backend(), data.design, {}}, task, GridKind::path);
  const auto ten = make_svm<double>()->grid({linalg::cpu_backend(), larger, {}}, task, GridKind::path);
  ASSERT_EQ(one.size(), ten.size());
  for (std::size_t s = 0; s < one.size(); ++s) EXPECT_NEAR(ten[s][0], one[s][0] / 100, 1e-12 * one[s][0]);
}

// To the last digits alike, unlike, or not a number at all; anything between is a kernel.
TEST(KernelContrast, IsAskedOfTheLastDigits) {
  const auto says = [](const std::vector<double>& kernel) { require_contrast(kernel, 2, "width", 1e-308, "Take 1."); };
  EXPECT_SAYS(says({1, 0, 0, 1}), "`width 1e-308`", "wholly unlike", "Take 1.");
  EXPECT_SAYS(says({4, 1e-15, 1e-15, 9}), "wholly unlike");
  EXPECT_SAYS(says({std::nan(""), 0, 0, std::nan("")}), "wholly unlike");
  EXPECT_SAYS(says({4, 6, 6, 9}), "wholly alike");
  EXPECT_NO_THROW(says({1, 1e-12, 1e-12, 1}));
  EXPECT_NO_THROW(says({1, 1 - 1e-12, 1 - 1e-12, 1}));
  EXPECT_NO_THROW(require_contrast(std::vector<double>{1}, 1, "width", 1, ""));
}

}  // namespace
}  // namespace sturm
