// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels of every instruction set of this machine against LAPACK's SVD in double precision, and their
// products of columns against loops.
#include <gtest/gtest.h>

#include <limits>

#include "linalg/matrices.h"
#include "linalg/numbers.h"

namespace sturm::linalg {
namespace {

template <class Real>
void expect_agrees(const LaneKernel<Real>& kernel, const Matrix& m, bool complex, double floor, double tolerance) {
  const std::vector<double> top = shrink_exactly(m, 0).values;
  for (const double share : {2.0, 1.0001, 0.9, 0.5, 0.2, 0.1, floor}) {
    const double threshold = share * top.front() * (1 + 1e-3);
    const Exact exact = shrink_exactly(m, threshold);
    Group<Real> group(m, complex, {threshold});
    group.run(kernel, m, complex, floor);
    const LaneMatrix<Real>& got = group.lanes.front();
    ASSERT_TRUE(got.accurate) << share << " of " << top.front() << ", " << m.rows << "x" << m.cols
                              << (complex ? " complex" : " real") << " lane " << sizeof(Real) << " got " << got.largest;
    EXPECT_LE(group.error(0, exact.shrunk), tolerance * m.frobenius()) << share;
    double nuclear = 0;
    Index rank = 0;
    for (const double s : exact.values) {
      nuclear += std::max(s - threshold, 0.0);
      rank += s > threshold;
    }
    EXPECT_NEAR(got.nuclear, nuclear, 10 * tolerance * top.front());
    EXPECT_NEAR(static_cast<double>(got.rank), static_cast<double>(rank), share < 0.2 ? 1 : 0);
    if (got.rank > 0) {
      EXPECT_NEAR(got.largest, top.front(), tolerance * top.front());
    }
  }
}

class Lanes : public testing::TestWithParam<const LaneKernels*> {};

TEST_P(Lanes, AgreeWithLapack) {
  for (const auto& [rows, cols] :
       {std::pair<Index, Index>{1, 1}, {1, 6}, {6, 1}, {2, 2}, {3, 2}, {7, 12}, {16, 16}, {27, 32}, {32, 27}, {43, 51}})
    for (const bool complex : {false, true}) {
      SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(cols) + (complex ? " complex" : " real"));
      const Matrix m = random_matrix(rows, cols, complex, 5);
      expect_agrees(GetParam()->f32, m, complex, 0.03, 1e-5);
      expect_agrees(GetParam()->f64, m, complex, 2e-3, 1e-12);
    }
}

// Zero, rank-one and steeply graded matrices, equal singular values: where iterations stall if they ever do.
TEST_P(Lanes, AgreeOnDegenerateMatrices) {
  for (const bool complex : {false, true}) {
    std::vector<Matrix> matrices{low_rank(14, 19, 1, complex, 1), low_rank(19, 14, 3, complex, 1),
                                 low_rank(20, 20, 20, complex, 0.1), low_rank(20, 24, 20, complex, 0.5)};
    Matrix unit{12, 15, std::vector<Complex>(12 * 15)}, one_entry = unit, blocks = unit;
    for (Index i = 0; i < 12; ++i) {
      unit.a[i + i * 12] = 1;
      blocks.a[i + i * 12] = i % 3 ? 1 : 2;
    }
    one_entry.a[5] = complex ? Complex(0, 3) : 3;
    matrices.insert(matrices.end(), {unit, one_entry, blocks});
    for (const Matrix& m : matrices) {
      expect_agrees(GetParam()->f32, m, complex, 0.03, 1e-5);
      expect_agrees(GetParam()->f64, m, complex, 2e-3, 1e-12);
    }
  }
}

// A few entries of size 1 and dust elsewhere, as in the steps towards a sparse W: squares of the dust lie at the end of
// the range and have lost their digits, and phases or rotations made from them are no longer of length 1.
TEST_P(Lanes, AgreeWhereMostOfAMatrixIsTiny) {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const bool complex : {false, true}) {
      SCOPED_TRACE(std::to_string(seed) + (complex ? " complex" : " real"));
      Matrix m = random_matrix(23, 28, complex, seed);
      Rng rng(31, seed);
      for (Complex& v : m.a)
        if (rng.uniform() > 0.08) v *= std::pow(10.0, -18 - 6 * rng.uniform());
      expect_agrees(GetParam()->f32, m, complex, 0.03, 1e-5);
      for (Complex& v : m.a)
        if (std::abs(v) < 1e-15) v *= 1e-140;
      expect_agrees(GetParam()->f64, m, complex, 2e-3, 1e-12);
    }
}

// Everything scales: multiplying by a power of two changes the exponents of the result and nothing else.
TEST_P(Lanes, DoNotCareAboutScale) {
  const Matrix m = random_matrix(9, 11, true, 6);
  for (const double scale : {0x1p-100, 0x1p100}) {
    Group<float> plain(m, true, {2.0});
    plain.run(GetParam()->f32, m, true, 0);
    Matrix big = m;
    for (Complex& v : big.a) v *= scale;
    Group<float> scaled(big, true, {2.0 * scale});
    scaled.run(GetParam()->f32, big, true, 0);
    for (std::size_t i = 0; i < m.a.size(); ++i)
      EXPECT_EQ(scaled.lanes[0].re[i], static_cast<float>(scale) * plain.lanes[0].re[i]);
    EXPECT_EQ(scaled.lanes[0].nuclear, scale * plain.lanes[0].nuclear);
  }
}

TEST_P(Lanes, LeaveAloneWhatAGramMatrixCannotDo) {
  const Matrix m = random_matrix(9, 11, true, 7);
  Group<float> group(m, true, {1e-4, 2.0});
  group.run(GetParam()->f32, m, true, 0.03);
  EXPECT_FALSE(group.lanes[0].accurate);
  EXPECT_LE(group.error(0, m), 1e-6 * m.frobenius());
  EXPECT_TRUE(group.lanes[1].accurate);
}

TEST_P(Lanes, LeaveAloneWhatIsNotFinite) {
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    Matrix m = random_matrix(9, 11, true, 8);
    m.a[17] = bad;
    Group<double> group(m, true, {1.0});
    group.run(GetParam()->f64, m, true, 0);
    EXPECT_FALSE(group.lanes[0].accurate);
  }
}

// Threads share the second half of a group in parts, so their number must not change a bit.
TEST_P(Lanes, GiveTheSameBitsInParts) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {1, 9}, {32, 27}, {43, 51}})
    for (const bool complex : {false, true}) {
      const Matrix m = random_matrix(rows, cols, complex, 10);
      const double top = shrink_exactly(m, 0).values.front();
      const std::vector<double> thresholds{0.5 * top, 0.1 * top};
      const auto run = [&](auto real, const auto& kernel, int parts) {
        Group<decltype(real)> group(m, complex, thresholds);
        group.run(kernel, m, complex, 0.03, parts);
        return group;
      };
      for (const int parts : {2, 3, 8, 100}) {
        EXPECT_TRUE(run(0.0F, GetParam()->f32, parts) == run(0.0F, GetParam()->f32, 1));
        EXPECT_TRUE(run(0.0, GetParam()->f64, parts) == run(0.0, GetParam()->f64, 1));
      }
    }
}

// Nor the matrices in the other lanes: they may keep more eigenvectors, take more sweeps, and start them elsewhere.
template <class Real>
void expect_same_beside_others(const LaneKernel<Real>& kernel) {
  for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 9}, {7, 30}, {35, 6}, {16, 16}, {43, 51}})
    for (const bool complex : {false, true}) {
      SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(cols) + (complex ? " complex" : " real"));
      const Matrix m = random_matrix(rows, cols, complex, 11), steep = low_rank(rows, cols, 5, complex, 0.1);
      const double top = shrink_exactly(m, 0).values.front(), steep_top = shrink_exactly(steep, 0).values.front();
      for (const double share : {0.8, 0.4, 0.1}) {
        Group<Real> alone(m, complex, {share * top});
        alone.run(kernel, m, complex, 0.03);
        for (const double other_share : {0.9, 0.3, 0.04})
          for (const bool first : {false, true}) {
            Group<Real> beside(m, complex, {share * top});
            Group<Real> others(first ? steep : m, complex, {other_share * (first ? steep_top : top)});
            beside.lanes.insert(first ? beside.lanes.begin() : beside.lanes.end(), others.lanes[0]);
            beside.run(kernel, m, complex, 0.03);
            EXPECT_TRUE(beside == alone) << share << " beside " << other_share;
            EXPECT_EQ(beside.lanes[first].nuclear, alone.lanes[0].nuclear);
          }
      }
    }
}

TEST_P(Lanes, GiveTheSameBitsBesideOthers) {
  expect_same_beside_others(GetParam()->f32);
  expect_same_beside_others(GetParam()->f64);
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Lanes, testing::ValuesIn(available_lane_kernels()),
                         [](const auto& set) { return std::string(set.param->name); });

// Sizes below a register and a tile, at their edges and beyond, on every instruction set; the upper triangle is
// nobody's.
template <class Real>
void expect_outer_products(const LaneKernel<Real>& kernel, double tolerance) {
  for (const int n : {1, 3, 6, 7, 8, 11, 12, 13, 15, 16, 17, 24, 31, 32, 33, 40, 41, 48, 56, 57, 58, 64, 72, 73, 100}) {
    const int count = 70;
    const std::vector<Real> x = test::draw<Real>(n * count, 21, n);
    std::vector<const Real*> columns;
    for (int v = count; v-- > 0;) columns.push_back(x.data() + v * n);
    const std::vector<const void*> soon(columns.begin(), columns.end());
    std::vector<Real> h(n * n, Real{1});
    kernel.outer(columns.data(), count, n, Real{-1}, h.data(), soon.data(), n % 2 ? n * sizeof(Real) : 0);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int v = 0; v < count; ++v) sum += static_cast<double>(x[i + v * n]) * static_cast<double>(x[j + v * n]);
        EXPECT_NEAR(h[i + j * n], i < j ? 1 : 1 - sum, tolerance) << n << ": " << i << ", " << j;
      }
  }
}

TEST(OuterProducts, TilesCoverTheLowerTriangleOnce) {
  for (const LaneKernels* set : available_lane_kernels()) {
    SCOPED_TRACE(set->name);
    expect_outer_products(set->f32, 1e-4);
    expect_outer_products(set->f64, 1e-12);
  }
}

}  // namespace
}  // namespace sturm::linalg
