// SPDX-License-Identifier: BSD-3-Clause
// What every penalty must keep: its prox leaves a subgradient, its norms are dual to each other, and a batch changes
// nothing.
#include "sturm/penalty/penalty.h"

#include <gtest/gtest.h>

#include "oracle/overlapped.h"
#include "oracle/proof.h"
#include "sturm/core/rng.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

const std::vector<Shape> shapes = {{6, 4, 5}, {4, 6, 8}, {5, 3, 1}, {1, 7, 3}, {2, 1, 4}, {1, 1, 1}};

std::vector<PenaltyPointer> penalties(const Shape& shape) {
  return {tubal_nuclear_norm(shape), overlapped_nuclear_norm(shape)};
}

// Z = prox(Y) exactly when G = (Y - Z)/mu is a subgradient of the term at Z: G lies in the dual ball and reaches the
// norm, <G, Z> = |Z|_k. 1e-12: the accuracy that the prox in double promises.
TEST(Penalty, ProxLeavesASubgradient) {
  for (const Shape& shape : shapes)
    for (const PenaltyPointer& penalty : penalties(shape))
      for (int k = 0; k < penalty->terms(); ++k)
        for (const double share : {0.9, 0.5, 0.05}) {
          SCOPED_TRACE(penalty->name() + ", term " + std::to_string(k) + ", " + to_string(shape));
          const Tensor y = random_normal(shape, 7);
          const double mu = share * penalty->dual_norm(k, y, Proof::exact);
          Tensor z = y;
          AlignedVector<double> scratch;
          const TermResult r = penalty->prox(k, z.flat(), {&mu, 1}, scratch).front();
          const Tensor g = (1 / mu) * (y - z);
          const double size = penalty->value(k, y, Proof::exact);
          EXPECT_LE(penalty->dual_norm(k, g, Proof::exact), 1 + 1e-12);
          EXPECT_NEAR(dot(g, z), penalty->value(k, z, Proof::exact), 1e-12 * size);
          EXPECT_NEAR(r.value, penalty->value(k, z, Proof::exact), 1e-12 * size);
          EXPECT_GT(r.rank, 0);
        }
}

TEST(Penalty, NormsAreThoseOfTheDefinition) {
  for (const Shape& shape : shapes) {
    const Tensor a = random_normal(shape, 3);
    const PenaltyPointer tubal = tubal_nuclear_norm(shape), overlapped = overlapped_nuclear_norm(shape);
    EXPECT_NEAR(tubal->value(a, Proof::exact), oracle::tnn(a), 1e-13 * oracle::tnn(a));
    EXPECT_NEAR(tubal->dual_norm(0, a, Proof::exact), oracle::spectral(a), 1e-13 * oracle::spectral(a));
    for (int n = 1; n <= 3; ++n) {
      const double nuclear = oracle::nuclear(a, n) / 3, spectral = 3 * oracle::unfolded_values(a, n).front();
      EXPECT_NEAR(overlapped->value(n - 1, a, Proof::exact), nuclear, 1e-13 * nuclear);
      EXPECT_NEAR(overlapped->dual_norm(n - 1, a, Proof::exact), spectral, 1e-13 * spectral);
    }
    Tensor one(shape);
    one.flat().back() = 1;
    for (const PenaltyPointer& penalty : penalties(shape)) {
      EXPECT_LE(penalty->value(one, Proof::exact), penalty->one_voxel() + 1e-14);
      for (int k = 0; k < penalty->terms(); ++k) {
        // Through Gram matrices: values are bounds from above by at most 2e-8 a singular value (8 at most here).
        const double exact = penalty->value(k, a, Proof::exact), gram = penalty->value(k, a, Proof::gram);
        EXPECT_GE(gram, exact * (1 - 1e-14));
        EXPECT_LE(gram, exact * (1 + 8 * 2e-8));
        const double dual = penalty->dual_norm(k, a, Proof::exact);
        EXPECT_NEAR(penalty->dual_norm(k, a, Proof::gram), dual, 1e-13 * dual);
      }
    }
  }
}

// Tensors of a batch do not see each other, and single precision agrees with double to 1e-5 of the largest value: what
// the floor of the Gram matrix allows.
TEST(Penalty, BatchIsOneByOne) {
  const Shape shape{7, 5, 6};
  constexpr int count = 19;  // more than the lanes, and odd
  for (const PenaltyPointer& penalty : penalties(shape))
    for (int k = 0; k < penalty->terms(); ++k) {
      AlignedVector<float> batch, scratch;
      std::vector<Tensor> each;
      std::vector<double> mus;
      for (int b = 0; b < count; ++b) {
        each.push_back(cast<double>(cast<float>(random_normal(shape, 11, b))));
        batch.insert(batch.end(), each[b].flat().begin(), each[b].flat().end());
        mus.push_back((0.1 + 0.04 * b) * penalty->dual_norm(k, each[b], Proof::exact));
      }
      const auto norms = penalty->norms(k, std::span<const float>(batch), scratch);
      penalty->prox(k, std::span(batch), mus, scratch);
      for (int b = 0; b < count; ++b) {
        TensorF alone = cast<float>(each[b]);
        AlignedVector<float> own;
        penalty->prox(k, alone.flat(), {&mus[b], 1}, own);
        const TensorF together(BasicTensorView<const float>(batch.data() + b * shape.size(), shape));
        EXPECT_EQ(alone, together) << penalty->name() << ", term " << k;
        Tensor exact = each[b];
        AlignedVector<double> wide;
        penalty->prox(k, exact.flat(), {&mus[b], 1}, wide);
        const double dual = penalty->dual_norm(k, each[b], Proof::exact);
        EXPECT_LE(frobenius_norm(exact - cast<double>(alone)), 1e-5 * frobenius_norm(each[b]));
        EXPECT_NEAR(norms[b].dual, dual, 1e-6 * dual);
        EXPECT_NEAR(norms[b].value, penalty->value(k, each[b], Proof::exact), 1e-6 * norms[b].value);
      }
    }
}

TEST(Penalty, WrongSizesAreErrors) {
  for (const PenaltyPointer& penalty : penalties({3, 4, 2})) {
    AlignedVector<double> batch(25), scratch;
    const double mu = 1;
    EXPECT_THROW(penalty->prox(0, std::span(batch), {&mu, 1}, scratch), Error);
  }
}

}  // namespace
}  // namespace sturm
