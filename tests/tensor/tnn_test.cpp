// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tnn.h"

#include <limits>
#include <optional>

#include "sturm/core/parallel.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/unfold.h"
#include "tensor/cases.h"

namespace sturm {
namespace {

class TnnProx : public test::TensorCase {};

// Z = prox(Y) exactly when G = (Y - Z)/mu is a subgradient of the norm at Z: G lies in the dual ball and reaches the
// norm, <G, Z> = |Z|. This certifies Z without a second implementation to agree with.
TEST_P(TnnProx, ResidualIsASubgradient) {
  const Tensor y = random_normal(shape, 7);
  const double top = tubal_spectral_norm(y, transform);
  for (const double share : {1e-6, 1e-4, 1e-3, 0.01, 0.1, 0.5, 0.9}) {
    const double mu = share * top;
    const Tensor z = prox_tnn(y, mu, transform);
    const Tensor g = (1 / mu) * (y - z);
    // y - z carries an error of about 1e-15 top, which the division by mu makes 1e-15 / share; through Gram matrices,
    // by which thresholds above 0.002 top are taken, epsilon top / share, so that epsilon / share^2 is left of it.
    const double gram = share > 0.002 ? std::numeric_limits<double>::epsilon() / (share * share) : 0;
    const double slack = 1e-13 + 1e-14 / share + gram;
    EXPECT_LE(tubal_spectral_norm(g, transform) - 1, slack) << share;
    EXPECT_NEAR(dot(g, z), tnn(z, transform), slack * tnn(y, transform)) << share;
  }
}

// In single precision the same, against the float64 result, over the whole range of thresholds.
TEST_P(TnnProx, FloatAgreesWithDouble) {
  const Tensor y = cast<double>(cast<float>(random_normal(shape, 8)));
  const double top = tubal_spectral_norm(y, transform);
  for (const double share : {1e-6, 1e-5, 1e-4, 1e-3, 0.01, 0.02, 0.04, 0.1, 0.3, 0.7, 0.999, 1.0, 1.5, 2.0}) {
    const Tensor exact = prox_tnn(y, share * top, transform);
    const Tensor single = cast<double>(prox_tnn(cast<float>(y), share * top, transform));
    EXPECT_LE(frobenius_norm(single - exact), 1e-5 * frobenius_norm(y)) << share;
  }
}

TEST_P(TnnProx, IsFirmlyNonExpansive) {
  const Tensor a = random_normal(shape, 1), b = random_normal(shape, 2);
  const double mu = 0.4 * tubal_spectral_norm(a, transform);
  const Tensor pa = prox_tnn(a, mu, transform), pb = prox_tnn(b, mu, transform);
  EXPECT_LE(dot(pa - pb, pa - pb), dot(pa - pb, a - b) + 1e-12 * dot(a, a));
}

// Moreau: y - prox(y) is the projection on the dual ball of radius mu, so it is feasible, it projects to itself, and
// the angle at it is right.
TEST_P(TnnProx, Moreau) {
  const Tensor y = random_normal(shape, 3);
  const double mu = 0.5 * tubal_spectral_norm(y, transform);
  const Tensor z = prox_tnn(y, mu, transform), projection = y - z;
  EXPECT_LE(tubal_spectral_norm(projection, transform), mu * (1 + 1e-12));
  EXPECT_LE(max_abs(prox_tnn(projection, mu * (1 + 1e-12), transform)), 1e-12);
  EXPECT_NEAR(dot(z, projection), mu * tnn(z, transform), 1e-12 * dot(y, y));
}

TEST_P(TnnProx, NormsAreDual) {
  const Tensor a = random_normal(shape, 1), b = random_normal(shape, 2);
  EXPECT_GE(tnn(a, transform), std::abs(dot(a, b)) / tubal_spectral_norm(b, transform));
  EXPECT_GE(tnn(a, transform) * tubal_spectral_norm(a, transform), dot(a, a) * (1 - 1e-12));
}

TEST_P(TnnProx, EdgesOfTheThreshold) {
  const Tensor y = random_normal(shape, 4);
  const double top = tubal_spectral_norm(y, transform);
  EXPECT_EQ(prox_tnn(y, 0, transform), y);
  EXPECT_EQ(prox_tnn(y, 1.0001 * top, transform), Tensor(shape));
  EXPECT_EQ(prox_tnn(y, 1e300, transform), Tensor(shape));
  EXPECT_EQ(prox_tnn(Tensor(shape), 0.5, transform), Tensor(shape));
  EXPECT_THROW(prox_tnn(y, -1, transform), Error);
  EXPECT_THROW(prox_tnn(y, std::numeric_limits<double>::quiet_NaN(), transform), Error);
}

STURM_ALL_CASES(TnnProx);

TEST(TnnProxBatch, ReportsWhatIsLeft) {
  const Shape shape{12, 15, 7};
  const Transform dft = Transform::dft(7);
  const std::vector<double> mus{0.0, 3.0, 11.0, 1e3};
  AlignedVector<double> batch, scratch;
  std::vector<Tensor> inputs;
  for (std::size_t b = 0; b < mus.size(); ++b) {
    inputs.push_back(random_normal(shape, 5, b));
    batch.insert(batch.end(), inputs[b].flat().begin(), inputs[b].flat().end());
  }
  const auto results = prox_tnn_batch<double>(shape, batch, mus, dft, scratch);
  for (std::size_t b = 0; b < mus.size(); ++b) {
    const Tensor z(BasicTensorView<const double>(batch.data() + b * shape.size(), shape));
    EXPECT_LE(max_abs(z - prox_tnn(inputs[b], mus[b], dft)), 1e-13);
    EXPECT_NEAR(results[b].tnn, tnn(z, dft), 1e-11);
    EXPECT_NEAR(results[b].spectral, mus[b] < 1e3 ? tubal_spectral_norm(inputs[b], dft) : 0, 1e-11);
    EXPECT_EQ(results[b].tubal_rank > 0, mus[b] < 1e3);
  }
  EXPECT_EQ(results[0].tubal_rank, 12);
  EXPECT_THROW(prox_tnn_batch<double>(shape, std::span(batch).first(5), mus, dft, scratch), Error);
}

// The bits of a result depend neither on the other tensors of its batch nor on the number of threads.
template <class Real>
void expect_same_bits(const Shape& shape) {
  const Transform dft = Transform::dft(shape.n3);
  const Index count = 9;
  std::vector<double> mus;
  AlignedVector<Real> batch, scratch;
  for (Index b = 0; b < count; ++b) {
    const Tensor y = random_normal(shape, 6, b);
    mus.push_back(tubal_spectral_norm(y) * (b == 4 ? 2.0 : 0.1 * static_cast<double>(b)));
    for (const double v : y.flat()) batch.push_back(static_cast<Real>(v));
  }
  AlignedVector<Real> one_by_one = batch, two_threads = batch, one_thread = batch;
  for (Index b = 0; b < count; ++b)
    prox_tnn_batch<Real>(shape, std::span(one_by_one).subspan(b * shape.size(), shape.size()), {&mus[b], 1}, dft,
                         scratch);
  std::optional<UseThreads> team;
  team.emplace(1);
  prox_tnn_batch<Real>(shape, one_thread, mus, dft, scratch);
  team.emplace(3);
  prox_tnn_batch<Real>(shape, two_threads, mus, dft, scratch);
  team.reset();
  EXPECT_EQ(one_thread, one_by_one);
  EXPECT_EQ(one_thread, two_threads);
}

TEST(TnnProxBatch, BitsDependOnTheTensorAlone) {
  expect_same_bits<float>({13, 17, 11});
  expect_same_bits<double>({13, 17, 11});
  expect_same_bits<float>({37, 45, 32});
}

TEST(TnnProxUnfolding, MatchesTheMatrixCase) {
  const Tensor y = random_normal({4, 5, 6}, 9);
  for (const int mode : {1, 2, 3}) {
    const double mu = 0.4 * tubal_spectral_norm(unfold(y, mode));
    const Tensor z = prox_unfolded_nuclear(y, mode, mu);
    const Tensor g = unfold((1 / mu) * (y - z), mode);
    EXPECT_LE(tubal_spectral_norm(g), 1 + 1e-12);
    EXPECT_NEAR(dot(g, unfold(z, mode)), unfolded_nuclear_norm(z, mode), 1e-11);
  }
}

}  // namespace
}  // namespace sturm
