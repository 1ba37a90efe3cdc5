// SPDX-License-Identifier: BSD-3-Clause
// The DFT along tubes of every instruction set, against its definition.
#include "sturm/tensor/transform.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <optional>

#include "backends.h"
#include "sturm/core/aligned.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/linalg/cpu/lanes/lanes.h"

namespace sturm::linalg {
namespace {

constexpr int strips = 3;

template <class Real>
AlignedVector<Real> random_tubes(Index count, Index n) {
  Rng rng(31, n);
  AlignedVector<Real> out(count * n);
  for (Real& v : out) v = static_cast<Real>(rng.normal());
  return out;
}

/// The hat tubes, and the tubes that come back from them.
template <class Real>
std::pair<AlignedVector<Real>, AlignedVector<Real>> there_and_back(const LaneKernel<Real>& kernel, Index n, Index tubes,
                                                                   const AlignedVector<Real>& in) {
  const Transform dft = Transform::dft(n);
  AlignedVector<Real> scratch((2 * strips + 3) * n * kernel.tubes), hat(in.size()), back(in.size());
  for (const bool inverse : {false, true}) {
    const TubeMatrix<Real> matrix = inverse ? dft.inverse<Real>() : dft.forward<Real>();
    const auto run = inverse ? kernel.dft_inverse : kernel.dft_forward;
    const AlignedVector<Real>& from = inverse ? hat : in;
    AlignedVector<Real>& to = inverse ? back : hat;
    for (Index first = 0; first < tubes;) {
      const Index here = std::min<Index>(strips, (tubes - first) / kernel.tubes);
      run(from.data() + first, tubes, static_cast<int>(n), static_cast<int>(here), matrix, scratch.data(),
          to.data() + first);
      first += here * kernel.tubes;
    }
  }
  return {hat, back};
}

class TubesOf : public testing::TestWithParam<const LaneKernels*> {};

template <class Real>
void expect_the_definition(const LaneKernels& kernels, double tolerance) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(kernels);
  for (const Index n : {3, 4, 5, 8, 11, 16, 23, 32, 45, 46, 49, 75, 91, 99}) {
    const Index tubes = 4 * kernel.tubes;  // a block of three strips, and one alone
    const auto in = random_tubes<Real>(tubes, n);
    const auto [hat, back] = there_and_back<Real>(kernel, n, tubes, in);
    for (Index t = 0; t < tubes; t += 7)
      for (Index k = 0; 2 * k <= n; ++k) {
        double re = 0, im = 0;
        for (Index p = 0; p < n; ++p) {
          const double angle = 2 * std::numbers::pi * static_cast<double>(p * k % n) / static_cast<double>(n);
          re += std::cos(angle) * static_cast<double>(in[t + p * tubes]);
          im -= std::sin(angle) * static_cast<double>(in[t + p * tubes]);
        }
        const Index column = k == 0 ? 0 : 2 * k - 1;
        EXPECT_NEAR(static_cast<double>(hat[t + column * tubes]), re, tolerance * static_cast<double>(n)) << n;
        if (k > 0 && 2 * k < n) {
          EXPECT_NEAR(static_cast<double>(hat[t + (column + 1) * tubes]), im, tolerance * static_cast<double>(n)) << n;
        }
      }
    for (std::size_t i = 0; i < in.size(); ++i)
      ASSERT_NEAR(static_cast<double>(back[i]), static_cast<double>(in[i]), tolerance * static_cast<double>(n)) << n;
  }
}

TEST_P(TubesOf, AreTheDefinition) {
  expect_the_definition<float>(*GetParam(), 1e-6);
  expect_the_definition<double>(*GetParam(), 1e-15);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, TubesOf, testing::ValuesIn(available_lane_kernels()),
                         [](const auto& test) { return test.param->name; });

// With fused products all kernels add the same numbers in the same order; the portable ones, the last, have none.
TEST(Tubes, HaveTheSameBitsWithEveryWidth) {
  const std::vector<const LaneKernels*> available = available_lane_kernels();
  const Index tubes = 3 * kernel_for<float>(*available.front()).tubes;
  for (const Index n : {5, 32, 45, 91}) {
    const auto in = random_tubes<float>(tubes, n);
    const auto best = there_and_back<float>(kernel_for<float>(*available.front()), n, tubes, in);
    for (std::size_t i = 1; i + 1 < available.size(); ++i)
      EXPECT_EQ(there_and_back<float>(kernel_for<float>(*available[i]), n, tubes, in), best) << available[i]->name;
  }
}

class TubesOfBackend : public test::OnBackend {
 protected:
  std::vector<float> transformed(const Shape& shape, Index count, std::span<const float> in, const Transform& dft) {
    const Array<float> from = backend.uploaded(in);
    Array<float> to = backend.make<float>(from.size());
    operations<float>(backend).transform(shape, count, from, dft.forward<float>(), to);
    return test::host_copy<float>(backend, to);
  }
};

// Tensors of every size of slice, so that a rest of tubes is done once more with others: the same tubes in a larger
// tensor, in a batch and on other threads have the same bits.
TEST_P(TubesOfBackend, BitsDependOnTheTubeAlone) {
  const Index n = 9;
  const Transform dft = Transform::dft(n);
  std::optional<UseThreads> team;
  for (const Index rows : {32, 33, 63, 95, 700}) {
    const Shape shape{rows, 1, n}, larger{rows + 32, 1, n};
    const auto many = random_tubes<float>(larger.size(), 1);
    std::vector<float> in(2 * shape.size());
    for (Index b = 0; b < 2; ++b)
      for (Index p = 0; p < n; ++p)
        for (Index r = 0; r < rows; ++r) in[b * shape.size() + r + p * rows] = many[16 * b + r + p * larger.slice()];
    const std::vector<float> whole = transformed(larger, 1, many, dft);
    for (const int workers : {1, 3}) {
      team.emplace(workers);
      const std::vector<float> out = transformed(shape, 2, in, dft);
      for (Index b = 0; b < 2; ++b)
        for (Index p = 0; p < n; ++p)
          for (Index r = 0; r < rows; ++r)
            ASSERT_EQ(out[b * shape.size() + r + p * rows], whole[16 * b + r + p * larger.slice()])
                << rows << ' ' << b << ' ' << p << ' ' << r;
    }
  }
  team.reset();
}

STURM_ON_EVERY_BACKEND(TubesOfBackend);

}  // namespace
}  // namespace sturm::linalg
