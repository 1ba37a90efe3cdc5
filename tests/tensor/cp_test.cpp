// SPDX-License-Identifier: BSD-3-Clause
// CP decompositions: planted tensors come back, the freedom of signs and order is used up, kernels span what they say.
#include "sturm/tensor/cp.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/linalg/host.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

/// A sum of `rank` outer products of normal vectors: by Kruskal's theorem its terms are unique where rank is small.
Cp planted(const Shape& shape, Index rank, std::uint64_t seed) {
  Rng rng(seed, 5);
  Cp out{shape, std::vector<double>(rank, 1.0), {}};
  const std::array<Index, 3> size{shape.n1, shape.n2, shape.n3};
  for (int n = 0; n < 3; ++n) {
    out.factors[n].resize(size[n] * rank);
    for (double& v : out.factors[n]) v = rng.normal();
  }
  return out;
}

double relative_error(const Tensor& x, const Cp& model, const ModeKernels& kernels = {}) {
  return frobenius_norm(x - compose(model, kernels)) / frobenius_norm(x);
}

struct Case {
  Shape shape;
  Index rank;
};

class CpPlanted : public testing::TestWithParam<Case> {};

// ALS converges linearly and stops when a sweep gains less than a millionth: 1e-6 of X is left at most.
TEST_P(CpPlanted, IsFoundAgain) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const Tensor x = compose(planted(GetParam().shape, GetParam().rank, seed));
    const Cp model = cp(x, {.rank = GetParam().rank});
    EXPECT_LT(relative_error(x, model), 1e-6) << "seed " << seed;
    EXPECT_NEAR(model.error, relative_error(x, model), 1e-7) << "a difference of squares that are known to 1e-15";
  }
}
INSTANTIATE_TEST_SUITE_P(Shapes, CpPlanted,
                         testing::Values(Case{{9, 8, 7}, 1}, Case{{9, 8, 7}, 2}, Case{{9, 8, 7}, 3}, Case{{9, 8, 7}, 4},
                                         Case{{20, 3, 12}, 3}, Case{{6, 5, 1}, 3}, Case{{1, 7, 5}, 2},
                                         Case{{1, 1, 6}, 1}, Case{{16, 17, 15}, 8}));

TEST(Cp, TermsArePlantedTerms) {
  const Shape shape{12, 10, 11};
  const Cp truth = planted(shape, 3, 3), model = cp(compose(truth), {.rank = 3});
  const std::array<Index, 3> size{12, 10, 11};
  for (Index t = 0; t < 3; ++t) {
    double best = 0;
    for (Index r = 0; r < 3; ++r) {
      double cosine = 1;
      for (int n = 0; n < 3; ++n) {
        double product = 0, norm = 0;
        for (Index i = 0; i < size[n]; ++i) {
          const double v = truth.factors[n][i + size[n] * t];
          product += v * model.factors[n][i + size[n] * r];
          norm += v * v;
        }
        cosine *= product / std::sqrt(norm);
      }
      best = std::max(best, cosine);  // the product of the three signs must be right too
    }
    EXPECT_GT(best, 1 - 1e-6);
  }
}

// The zeros that a mask leaves change nothing: factors are exactly zero on slices that are.
TEST(Cp, ZeroSlicesAreZeroInTheFactors) {
  const Cp truth = planted({8, 7, 6}, 2, 1);
  const Tensor inner = compose(truth);
  Tensor x(Shape{12, 9, 10});
  for (Index k = 0; k < 6; ++k)
    for (Index j = 0; j < 7; ++j)
      for (Index i = 0; i < 8; ++i) x(i + 3, j, k + 1 + k / 3) = inner(i, j, k);
  const Cp a = cp(inner, {.rank = 2}), b = cp(x, {.rank = 2});
  EXPECT_EQ(a.weights, b.weights);
  for (Index r = 0; r < 2; ++r) {
    EXPECT_EQ(b.factors[0][0 + 12 * r], 0);
    EXPECT_EQ(b.factors[1][8 + 9 * r], 0);
    EXPECT_EQ(b.factors[2][4 + 10 * r], 0);
    EXPECT_EQ(b.factors[0][5 + 12 * r], a.factors[0][2 + 8 * r]);
  }
}

// Rank R of a matrix: nobody is nearer than the truncated singular value decomposition (Eckart and Young). ALS comes
// as near as its tolerance lets it, 1e-6 a sweep over some 100 sweeps.
TEST(Cp, OfAMatrixIsTheTruncatedSvd) {
  for (const Index rank : {1, 2, 4}) {
    const Tensor x = random_normal({12, 9, 1}, 4);
    std::vector<std::complex<double>> a(x.flat().begin(), x.flat().end());
    std::vector<double> s(9);
    linalg::host::svd<double>(linalg::SvdKind::values, 12, 9, a.data(), s.data(), nullptr, nullptr);
    double rest = 0, whole = 0;
    for (Index i = 0; i < 9; ++i) {
      whole += s[i] * s[i];
      if (i >= rank) rest += s[i] * s[i];
    }
    EXPECT_NEAR(relative_error(x, cp(x, {.rank = rank})), std::sqrt(rest / whole), 1e-4);
  }
}

double cubes(const std::vector<double>& f, Index rows, Index column) {
  double out = 0;
  for (Index i = 0; i < rows; ++i) out += std::pow(f[i + rows * column], 3);
  return out;
}

TEST(Cp, SignsScalesAndOrderAreFixed) {
  const Tensor x = random_normal({9, 8, 7}, 11);
  const Cp model = cp(x, {.rank = 3});
  for (Index r = 0; r < 3; ++r) {
    EXPECT_GE(cubes(model.factors[0], 9, r), 0);
    EXPECT_GE(cubes(model.factors[1], 8, r), 0);
    EXPECT_GE(model.weights[r], r < 2 ? model.weights[r + 1] : 0);
    for (int n = 0; n < 3; ++n) {
      const Index rows = 9 - n;
      double norm = 0;
      for (Index i = 0; i < rows; ++i) norm += std::pow(model.factors[n][i + rows * r], 2);
      EXPECT_NEAR(norm, 1, 1e-12);
    }
  }
  const Cp negative = cp(-1.0 * x, {.rank = 3}), fourfold = cp(4.0 * x, {.rank = 3});
  for (std::size_t i = 0; i < model.factors[0].size(); ++i)
    EXPECT_NEAR(negative.factors[0][i], model.factors[0][i], 1e-9) << "the sign goes to mode 3";
  for (std::size_t i = 0; i < model.factors[2].size(); ++i)
    EXPECT_NEAR(negative.factors[2][i], -model.factors[2][i], 1e-9);
  EXPECT_EQ(fourfold.factors, model.factors) << "a power of two rounds nothing";
  for (Index r = 0; r < 3; ++r) EXPECT_EQ(fourfold.weights[r], 4 * model.weights[r]);
}

std::vector<double> rbf(Index n, double width) {
  std::vector<double> out(n * n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j)
      out[i + n * j] = std::exp(-static_cast<double>((i - j) * (i - j)) / (2 * width * width));
  return out;
}

std::vector<double> identity(Index n) {
  std::vector<double> out(n * n);
  for (Index i = 0; i < n; ++i) out[i * (n + 1)] = 1;
  return out;
}

TEST(KernelCp, IdentityKernelsArePlainCp) {
  const Tensor x = compose(planted({9, 8, 7}, 2, 2)) + 0.1 * random_normal({9, 8, 7}, 3);
  const Cp plain = cp(x, {.rank = 2});
  const Cp same = cp(x, {.rank = 2}, ModeKernels({identity(9), identity(8), identity(7)}));
  EXPECT_EQ(plain.factors, same.factors) << "bit for bit";
  EXPECT_EQ(plain.weights, same.weights);
  // Twice the identity is no special case to the code: sweeps in rotated coordinates, the same but for rounding. That
  // may add or save a last one, which moves factors by 1e-4 at most: it gains 1e-6 of the error.
  std::array<std::vector<double>, 3> twice{identity(9), identity(8), identity(7)};
  for (auto& k : twice)
    for (double& v : k) v *= 2;
  const Cp rotated = cp(x, {.rank = 2}, ModeKernels(twice));
  EXPECT_NEAR(plain.error, rotated.error, 1e-9);
  for (Index r = 0; r < 2; ++r) EXPECT_NEAR(plain.weights[r], 8 * rotated.weights[r], 1e-4 * plain.weights[r]);
  for (int n = 0; n < 3; ++n)
    for (std::size_t i = 0; i < plain.factors[n].size(); ++i)
      EXPECT_NEAR(plain.factors[n][i], rotated.factors[n][i], 1e-4);
}

// An invertible kernel takes nothing away: the same model of X, in other coordinates.
TEST(KernelCp, PlantedThroughKernelsIsFoundAgain) {
  const ModeKernels kernels({rbf(9, 1), rbf(8, 0.7), rbf(7, 1.2)});
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const Cp truth = planted({9, 8, 7}, 2, seed);
    const Tensor x = compose(truth, kernels);
    const Cp model = cp(x, {.rank = 2}, kernels);
    EXPECT_LT(relative_error(x, model, kernels), 1e-6);
  }
}

// compose() against the definition with dense matrices.
TEST(KernelCp, ComposeIsTheDefinition) {
  const std::array<std::vector<double>, 3> k{rbf(4, 1), rbf(3, 1), rbf(5, 2)};
  const Cp model = planted({4, 3, 5}, 2, 8);
  const Tensor x = compose(model, ModeKernels(k));
  const std::array<Index, 3> size{4, 3, 5};
  const auto entry = [&](int n, Index i, Index r) {
    double sum = 0;
    for (Index j = 0; j < size[n]; ++j) sum += k[n][i + size[n] * j] * model.factors[n][j + size[n] * r];
    return sum;
  };
  for (Index i = 0; i < 4; ++i)
    for (Index j = 0; j < 3; ++j)
      for (Index l = 0; l < 5; ++l) {
        double expected = 0;
        for (Index r = 0; r < 2; ++r) expected += entry(0, i, r) * entry(1, j, r) * entry(2, l, r);
        EXPECT_NEAR(x(i, j, l), expected, 1e-9);  // eigenvalues below 1e-10 of the largest are cut
      }
}

// A singular kernel: the error is known, since what lies outside its range is lost and the rest is of rank 1.
TEST(KernelCp, LosesWhatIsOutsideTheRange) {
  std::vector<double> k(36);
  for (Index i = 0; i < 3; ++i) k[i * 7] = 2;  // projects on the first three rows
  const ModeKernels kernels({k, {}, {}});
  const Tensor x = compose(planted({6, 5, 4}, 1, 9));
  double lost = 0;
  for (Index l = 0; l < 4; ++l)
    for (Index j = 0; j < 5; ++j)
      for (Index i = 3; i < 6; ++i) lost += x(i, j, l) * x(i, j, l);
  const Cp model = cp(x, {.rank = 1}, kernels);
  EXPECT_NEAR(model.error, std::sqrt(lost) / frobenius_norm(x), 1e-8);
  EXPECT_NEAR(relative_error(x, model, kernels), model.error, 1e-8);
}

TEST(Cp, DegenerateTensors) {
  const Cp zero = cp(Tensor({4, 3, 2}), {.rank = 2});
  EXPECT_EQ(zero.error, 0);
  EXPECT_EQ(zero.weights, std::vector<double>(2, 0.0));
  EXPECT_EQ(max_abs(compose(zero)), 0);
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{1, 6, 4}, Shape{6, 1, 4}, Shape{5, 4, 1}, Shape{3, 3, 3}})
    for (const Index rank : {1, 2, 12}) {  // 12: more than any of these needs
      const Tensor x = random_normal(shape, 1);
      const Cp model = cp(x, {.rank = rank});
      ASSERT_EQ(model.rank(), rank);
      EXPECT_LE(relative_error(x, model), rank == 12 ? 1e-3 : 1.0) << to_string(shape);
      for (int n = 0; n < 3; ++n)
        for (const double v : model.factors[n]) ASSERT_TRUE(std::isfinite(v));
    }
  Tensor one(Shape{3, 4, 5});
  one(1, 2, 3) = 1e-200;
  EXPECT_THROW(cp(one, {.rank = 0}), UsageError);
  one(0, 0, 0) = std::nan("");
  EXPECT_THROW(cp(one, {.rank = 1}), Error);
  EXPECT_THROW(ModeKernels({std::vector<double>{1, 2, 3, 4}, {}, {}}), Error);
  EXPECT_THROW(cp(Tensor({4, 3, 2}), {.rank = 1}, ModeKernels({identity(3), {}, {}})), Error);
}

TEST(Cp, BitsDependNeitherOnThreadsNorOnTheBatch) {
  const auto volume = [](Index i) { return random_normal({10, 9, 8}, 20 + i); };
  std::optional<UseThreads> team;
  team.emplace(3);
  const auto batch = cp_batch(7, volume, {.rank = 3});
  team.emplace(1);
  for (Index i = 0; i < 7; ++i) EXPECT_EQ(cp(volume(i), {.rank = 3}).factors, batch[i].factors);
  team.reset();
}

}  // namespace
}  // namespace sturm
