// SPDX-License-Identifier: BSD-3-Clause
// What every penalty must keep: its prox leaves a subgradient, its norms are dual to each other, and a batch changes
// nothing.
#include "sturm/penalty/penalty.h"

#include <gtest/gtest.h>

#include <cmath>

#include "backends.h"
#include "message.h"
#include "penalty/regions.h"
#include "sturm/core/rng.h"
#include "sturm/tensor/algebra.h"
#include "weighted_penalty/weighted_sum.h"

namespace sturm {
namespace {

using test::regions;
using test::shapes;

std::vector<PenaltyPointer> penalties(const Region& region) {
  const PenaltyPointer tubal = tubal_nuclear_norm(region), overlapped = overlapped_nuclear_norm(region);
  return {tubal, overlapped, weighted_sum({{tubal, {2}}, {overlapped, {0.5, 1, 0.25}}})};
}
std::vector<PenaltyPointer> all_penalties() {
  std::vector<PenaltyPointer> out;
  for (const Shape& shape : shapes)
    for (const Region& region : regions(shape))
      for (const PenaltyPointer& penalty : penalties(region)) out.push_back(penalty);
  return out;
}

std::string name_of(const Penalty& penalty, int term) {
  return penalty.name() + ", term " + std::to_string(term) + ", " + std::to_string(penalty.region().size()) + " of " +
         to_string(penalty.region().box());
}

class OfPenalty : public test::OnBackend {
 protected:
  /// The prox of a batch of copies, one after the other.
  template <class Real>
  std::vector<TermResult> prox(const Penalty& penalty, int term, std::span<Real> batch, std::span<const double> mus) {
    linalg::Array<Real> device = backend.uploaded(std::span<const Real>(batch));
    linalg::Array<Real> scratch = backend.make<Real>(device.size());
    const auto out = penalty.prox(linalg::operations<Real>(backend), term, device, mus, scratch);
    backend.download<Real>(device, batch);
    return out;
  }
  template <class Real>
  std::vector<TermResult> norms(const Penalty& penalty, int term, std::span<const Real> batch) {
    const linalg::Array<Real> device = backend.uploaded(batch);
    linalg::Array<Real> scratch = backend.make<Real>(device.size());
    return penalty.norms(linalg::operations<Real>(backend), term, device, scratch);
  }
};

// Z = prox(Y) exactly when G = (Y - Z)/mu is a subgradient of the term at Z: G lies in the dual ball and reaches the
// norm, <G, Z> = |Z|_k. 1e-12: the accuracy that the prox in double promises.
TEST_P(OfPenalty, ProxLeavesASubgradient) {
  for (const PenaltyPointer& penalty : all_penalties())
    for (int k = 0; k < penalty->terms(); ++k)
      for (const double share : {0.9, 0.5, 0.05}) {
        SCOPED_TRACE(name_of(*penalty, k));
        const Tensor y = random_normal(penalty->layout(k).shape, 7);
        const double mu = share * penalty->dual_norm(k, y, Proof::exact);
        Tensor z = y;
        const TermResult r = prox(*penalty, k, z.flat(), {&mu, 1}).front();
        const Tensor g = (1 / mu) * (y - z);
        const double size = penalty->value(k, y, Proof::exact);
        EXPECT_LE(penalty->dual_norm(k, g, Proof::exact), 1 + 1e-12);
        EXPECT_NEAR(dot(g, z), penalty->value(k, z, Proof::exact), 1e-12 * size);
        EXPECT_NEAR(r.value, penalty->value(k, z, Proof::exact), 1e-12 * size);
        EXPECT_GT(r.rank, 0);
      }
}

// A single 1 is no larger than it is said to be, and a proof through Gram matrices is a bound.
TEST(Penalty, BoundsAreBounds) {
  for (const Shape& shape : shapes)
    for (const Region& region : regions(shape)) {
      const Tensor values = random_normal(region.column_shape(), 3);
      Tensor one(region.column_shape());
      one.flat().back() = 1;
      for (const PenaltyPointer& penalty : penalties(region)) {
        EXPECT_LE(penalty->value(one, Proof::exact), penalty->one_voxel() + 1e-14);
        for (int k = 0; k < penalty->terms(); ++k) {
          const Tensor placed = penalty->placed<double>(k, values.flat());
          EXPECT_EQ(penalty->gathered(k, placed), values);
          // Through Gram matrices: values are bounds from above by at most 2e-8 a singular value (8 at most here).
          const double exact = penalty->value(k, placed, Proof::exact), gram = penalty->value(k, placed, Proof::gram);
          EXPECT_GE(gram, exact * (1 - 1e-14));
          EXPECT_LE(gram, exact * (1 + 8 * 2e-8));
          const double dual = penalty->dual_norm(k, placed, Proof::exact);
          EXPECT_NEAR(penalty->dual_norm(k, placed, Proof::gram), dual, 1e-13 * dual);
        }
      }
    }
}

// No row or column of a copy is empty: that is what the crop is for. A voxel has a place of its own.
TEST(Penalty, LayoutsHaveRoomForWhatTheRegionFillsAlone) {
  for (const PenaltyPointer& penalty : all_penalties())
    for (int k = 0; k < penalty->terms(); ++k) {
      SCOPED_TRACE(name_of(*penalty, k));
      const Shape& s = penalty->layout(k).shape;
      const std::vector<Index>& positions = penalty->layout(k).positions;
      ASSERT_EQ(std::ssize(positions), penalty->region().size());
      std::vector<int> rows(s.n1), columns(s.n2), places(s.size());
      for (const Index p : positions) {
        ASSERT_TRUE(p >= 0 && p < s.size());
        ++rows[p % s.n1];
        ++columns[p / s.n1 % s.n2];
        ++places[p];
      }
      EXPECT_GT(*std::ranges::min_element(rows), 0);
      EXPECT_GT(*std::ranges::min_element(columns), 0);
      EXPECT_EQ(*std::ranges::max_element(places), 1);
    }
}

// Tensors of a batch do not see each other, and single precision agrees with double to 1e-5 of the largest value: what
// the floor of the Gram matrix allows.
TEST_P(OfPenalty, BatchIsOneByOne) {
  constexpr int count = 19;  // more than the lanes, and odd
  for (const Region& region : regions({7, 5, 6}))
    for (const PenaltyPointer& penalty : penalties(region))
      for (int k = 0; k < penalty->terms(); ++k) {
        const Shape& shape = penalty->layout(k).shape;
        std::vector<float> batch;
        std::vector<Tensor> each;
        std::vector<double> mus;
        for (int b = 0; b < count; ++b) {
          each.push_back(cast<double>(cast<float>(random_normal(shape, 11, b))));
          batch.insert(batch.end(), each[b].flat().begin(), each[b].flat().end());
          mus.push_back((0.1 + 0.04 * b) * penalty->dual_norm(k, each[b], Proof::exact));
        }
        const auto found = norms<float>(*penalty, k, batch);
        prox<float>(*penalty, k, batch, mus);
        for (int b = 0; b < count; ++b) {
          TensorF alone = cast<float>(each[b]);
          prox(*penalty, k, alone.flat(), {&mus[b], 1});
          const TensorF together(BasicTensorView<const float>(batch.data() + b * shape.size(), shape));
          EXPECT_EQ(alone, together) << name_of(*penalty, k);
          Tensor exact = each[b];
          prox(*penalty, k, exact.flat(), {&mus[b], 1});
          const double dual = penalty->dual_norm(k, each[b], Proof::exact);
          EXPECT_LE(frobenius_norm(exact - cast<double>(alone)), 1e-5 * frobenius_norm(each[b]));
          EXPECT_NEAR(found[b].dual, dual, 1e-6 * dual);
          EXPECT_NEAR(found[b].value, penalty->value(k, each[b], Proof::exact), 1e-6 * found[b].value);
        }
      }
}

TEST_P(OfPenalty, WrongSizesAreErrors) {
  for (const PenaltyPointer& penalty : penalties(Shape{3, 4, 2})) {
    std::vector<double> batch(25);
    const double mu = 1;
    EXPECT_THROW(prox<double>(*penalty, 0, batch, {&mu, 1}), Error);
    EXPECT_THROW(penalty->value(0, Tensor({3, 4, 3}), Proof::exact), Error);
  }
}

// c |.|: value and prox with c times as much of everything, and a dual norm with c times less.
TEST_P(OfPenalty, WeightsMultiplyTheTerms) {
  const Region region = regions({5, 4, 3})[1];
  const std::vector<double> weights = {0.5, 3, 0.125};
  const PenaltyPointer plain = overlapped_nuclear_norm(region), weighted = weighted_sum({{plain, weights}});
  double one = 0;
  for (int k = 0; k < 3; ++k) {
    EXPECT_EQ(plain->weight(k), 1);
    EXPECT_EQ(weighted->weight(k), weights[k]);
    one += weights[k] * plain->one_voxel(k);
    const Tensor y = random_normal(plain->layout(k).shape, 9, k);
    for (const Proof how : {Proof::exact, Proof::gram}) {
      EXPECT_EQ(weighted->value(k, y, how), weights[k] * plain->value(k, y, how));
      EXPECT_EQ(weighted->dual_norm(k, y, how), plain->dual_norm(k, y, how) / weights[k]);
    }
    const TermResult found = norms<double>(*weighted, k, y.flat()).front();
    EXPECT_EQ(found.value, weights[k] * norms<double>(*plain, k, y.flat()).front().value);
    const double mu = 0.3 * plain->dual_norm(k, y, Proof::exact), less = mu / weights[k];
    Tensor a = y, b = y;
    const TermResult ours = prox(*weighted, k, a.flat(), {&less, 1}).front();
    const double same = less * weights[k];
    const TermResult theirs = prox(*plain, k, b.flat(), {&same, 1}).front();
    EXPECT_EQ(a, b);
    EXPECT_EQ(ours.value, weights[k] * theirs.value);
    EXPECT_EQ(ours.rank, theirs.rank);
  }
  EXPECT_EQ(weighted->one_voxel(), one);
}

TEST(Penalty, RefusesWeightsThatAreNone) {
  const PenaltyPointer plain = overlapped_nuclear_norm(Shape{3, 4, 2});
  EXPECT_SAYS(weighted_sum({{plain, {1, 2}}}), "one weight for each term");
  for (const double wrong : {0.0, -1.0, std::nan("")}) EXPECT_SAYS(weighted_sum({{plain, {1, wrong, 1}}}), "above 0");
  EXPECT_SAYS(weighted_sum({{plain, {1, 1, 1}}, {tubal_nuclear_norm(Shape{3, 4, 3}), {1}}}), "one region");
}

STURM_ON_EVERY_BACKEND(OfPenalty);

}  // namespace
}  // namespace sturm
