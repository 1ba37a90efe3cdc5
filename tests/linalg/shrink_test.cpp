// SPDX-License-Identifier: BSD-3-Clause
// The lane kernels of every instruction set of this machine against LAPACK's SVD in double precision.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "backends.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

using Complex = std::complex<double>;

struct Matrix {
  Index rows, cols;
  std::vector<Complex> a;

  double frobenius() const {
    double sum = 0;
    for (const Complex v : a) sum += std::norm(v);
    return std::sqrt(sum);
  }
};

Matrix random_matrix(Index rows, Index cols, bool complex, std::uint64_t stream) {
  Rng rng(3, stream);
  Matrix m{rows, cols, std::vector<Complex>(rows * cols)};
  for (Complex& v : m.a) v = {rng.normal(), complex ? rng.normal() : 0.0};
  return m;
}

/// Product of a rows x rank and a rank x cols matrix with singular values that fall geometrically by `fall`.
Matrix low_rank(Index rows, Index cols, Index rank, bool complex, double fall) {
  const Matrix u = random_matrix(rows, rank, complex, 1), v = random_matrix(rank, cols, complex, 2);
  Matrix m{rows, cols, std::vector<Complex>(rows * cols)};
  for (Index p = 0; p < rank; ++p)
    for (Index j = 0; j < cols; ++j)
      for (Index i = 0; i < rows; ++i) m.a[i + j * rows] += u.a[i + p * rows] * std::pow(fall, p) * v.a[p + j * rank];
  return m;
}

struct Exact {
  Matrix shrunk;
  std::vector<double> values;
};

Exact shrink_exactly(const Matrix& m, double threshold) {
  const Index least = std::min(m.rows, m.cols);
  std::vector<Complex> a = m.a, u(m.rows * least), vh(least * m.cols);
  Exact out{m, std::vector<double>(least)};
  host::svd<double>(SvdKind::thin, m.rows, m.cols, a.data(), out.values.data(), u.data(), vh.data());
  std::ranges::fill(out.shrunk.a, 0);
  for (Index p = 0; p < least && out.values[p] > threshold; ++p)
    for (Index j = 0; j < m.cols; ++j)
      for (Index i = 0; i < m.rows; ++i)
        out.shrunk.a[i + j * m.rows] += u[i + p * m.rows] * (out.values[p] - threshold) * vh[p + j * least];
  return out;
}

/// Runs one group of one kernel on copies of `m` with the given thresholds.
template <class Real>
class Group {
 public:
  Group(const Matrix& m, bool complex, const std::vector<double>& thresholds) : re_(thresholds.size()), im_(re_) {
    for (std::size_t lane = 0; lane < thresholds.size(); ++lane) {
      for (const Complex v : m.a) {
        re_[lane].push_back(static_cast<Real>(v.real()));
        im_[lane].push_back(static_cast<Real>(v.imag()));
      }
      lanes.push_back(
          {.re = re_[lane].data(), .im = complex ? im_[lane].data() : nullptr, .threshold = thresholds[lane]});
    }
  }
  void run(const LaneKernel<Real>& kernel, const Matrix& m, bool complex, double floor, int parts = 1) {
    const int rows = static_cast<int>(m.rows), cols = static_cast<int>(m.cols);
    std::vector<char> scratch(kernel.scratch(rows, cols, complex));
    if (!kernel.begin(lanes.data(), static_cast<int>(lanes.size()), rows, cols, complex, floor, scratch.data())) return;
    for (int stage = 0; stage < shrink_stages; ++stage)
      for (int part = parts - 1; part >= 0; --part)
        kernel.proceed(stage, part, parts, rows, cols, complex, scratch.data());
  }
  bool operator==(const Group& other) const { return re_ == other.re_ && im_ == other.im_; }
  double error(std::size_t lane, const Matrix& truth) const {
    double sum = 0;
    for (std::size_t i = 0; i < truth.a.size(); ++i)
      sum += std::norm(Complex(re_[lane][i], lanes[lane].im ? im_[lane][i] : 0) - truth.a[i]);
    return std::sqrt(sum);
  }
  std::vector<LaneMatrix<Real>> lanes;

 private:
  std::vector<std::vector<Real>> re_, im_;
};

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

// Which kernel a matrix goes through may depend on the number of threads, so the narrow ones must not differ by a bit.
TEST(NarrowLanes, GiveTheSameBits) {
  if (!narrow_lane_kernels()) GTEST_SKIP() << "this processor has one set of kernels with fused multiply-add";
  const auto same = [](const auto& wide, const auto& narrow, auto real) {
    using Real = decltype(real);
    for (const auto& [rows, cols] : {std::pair<Index, Index>{1, 1}, {7, 12}, {32, 27}, {43, 51}})
      for (const bool complex : {false, true}) {
        const Matrix m = random_matrix(rows, cols, complex, 9);
        const double top = shrink_exactly(m, 0).values.front();
        Group<Real> a(m, complex, {0.5 * top, 0.1 * top, 2 * top}), b(m, complex, {0.5 * top, 0.1 * top, 2 * top});
        a.run(wide, m, complex, 0.03);
        b.run(narrow, m, complex, 0.03);
        for (std::size_t lane = 0; lane < 3; ++lane) {
          EXPECT_EQ(a.lanes[lane].nuclear, b.lanes[lane].nuclear);
          EXPECT_EQ(a.lanes[lane].rank, b.lanes[lane].rank);
          EXPECT_TRUE(std::equal(a.lanes[lane].re, a.lanes[lane].re + rows * cols, b.lanes[lane].re));
          if (complex) {
            EXPECT_TRUE(std::equal(a.lanes[lane].im, a.lanes[lane].im + rows * cols, b.lanes[lane].im));
          }
        }
      }
  };
  same(lane_kernels().f32, narrow_lane_kernels()->f32, float{});
  same(lane_kernels().f64, narrow_lane_kernels()->f64, double{});
}

INSTANTIATE_TEST_SUITE_P(InstructionSets, Lanes, testing::ValuesIn(available_lane_kernels()),
                         [](const auto& set) { return std::string(set.param->name); });

// The backend as a whole: thresholds from far below what a Gram matrix can do to beyond the largest value.
class Shrink : public test::OnBackend {
 protected:
  template <class Real>
  void shrink(const Shape& shape, Index count, std::vector<Real>& hat, std::span<const Slice> slices,
              std::span<const double> thresholds, std::span<Shrunk> results, double accuracy = 0) {
    Array<Real> device = backend.uploaded<Real>(hat);
    operations<Real>(backend).shrink(shape, count, device, slices, thresholds, results, accuracy);
    backend.download<Real>(device, hat);
  }
  template <class Real>
  void expect_agrees_at_every_threshold(double tolerance, double accuracy);
};

template <class Real>
void Shrink::expect_agrees_at_every_threshold(double tolerance, double accuracy) {
  const Shape shape{13, 10, 4};
  const std::vector<Slice> slices{{.re = 0}, {.re = 1, .im = 2, .weight = 2}, {.re = 3}};
  for (double share = 1e-6; share < 2.1; share *= 2) {
    const Tensor y = random_normal(shape, 12);
    std::vector<Real> hat(y.flat().begin(), y.flat().end());
    std::vector<Shrunk> results(slices.size());
    const double threshold = share * 8;  // the slices' largest values are about 7 to 9
    shrink<Real>(shape, 1, hat, slices, {&threshold, 1}, results, accuracy);
    for (std::size_t k = 0; k < slices.size(); ++k) {
      Matrix m{shape.n1, shape.n2, std::vector<Complex>(shape.slice())};
      for (Index i = 0; i < shape.slice(); ++i)
        m.a[i] = {static_cast<double>(static_cast<Real>(y.slice(slices[k].re)[i])),
                  slices[k].complex() ? static_cast<double>(static_cast<Real>(y.slice(slices[k].im)[i])) : 0.0};
      const Exact exact = shrink_exactly(m, threshold);
      double error = 0;
      for (Index i = 0; i < shape.slice(); ++i)
        error += std::norm(Complex(hat[slices[k].re * shape.slice() + i],
                                   slices[k].complex() ? hat[slices[k].im * shape.slice() + i] : 0) -
                           exact.shrunk.a[i]);
      EXPECT_LE(std::sqrt(error), tolerance * m.frobenius()) << share << " slice " << k;
    }
  }
}

TEST_P(Shrink, ErrorIsBoundedAtEveryThreshold) {
  expect_agrees_at_every_threshold<float>(1e-5, 0);
  expect_agrees_at_every_threshold<double>(1e-12, 0);
  expect_agrees_at_every_threshold<float>(5e-5, 1e-3);
  expect_agrees_at_every_threshold<double>(5e-12, 1e-3);
}

// Some slices are below the threshold as a whole and never reach the lanes; the others must not notice.
TEST_P(Shrink, SmallSlicesVanishAndLeaveTheOthersAsTheyAre) {
  constexpr Index pairs = 200;  // more than a few groups
  const Shape shape{9, 7, 2 * pairs};
  std::vector<Slice> slices;
  for (Index k = 0; k < pairs; ++k) slices.push_back({.re = 2 * k, .im = 2 * k + 1, .weight = 2});
  const Tensor y = random_normal(shape, 16);
  std::vector<float> hat(y.flat().begin(), y.flat().end());
  for (std::size_t k = 0; k < slices.size(); k += 3)
    std::fill_n(hat.begin() + slices[k].re * shape.slice(), 2 * shape.slice(), 0.01f);
  const double threshold = 2;
  std::vector<Shrunk> results(slices.size(), {9, 9, 9});
  std::vector<float> together = hat;
  shrink<float>(shape, 1, together, slices, {&threshold, 1}, results);
  for (std::size_t k = 0; k < slices.size(); ++k) {
    Shrunk alone;
    const Slice whole{.re = 0, .im = 1, .weight = 2};
    const auto first = slices[k].re * shape.slice();
    std::vector<float> one(hat.begin() + first, hat.begin() + first + 2 * shape.slice());
    shrink<float>({shape.n1, shape.n2, 2}, 1, one, {&whole, 1}, {&threshold, 1}, {&alone, 1});
    EXPECT_EQ(results[k].rank, alone.rank);
    EXPECT_EQ(results[k].rank == 0, k % 3 == 0) << k;
    EXPECT_EQ(results[k].nuclear, alone.nuclear);
    EXPECT_TRUE(std::equal(one.begin(), one.end(), together.begin() + first)) << k;
  }
}

// Two to 26 slices, one of them real: whole groups, or one to seven of them shared out in pieces.
TEST_P(Shrink, ThreadsDoNotChangeABit) {
  std::optional<UseThreads> team;
  for (const Index pairs : {1, 11, 21, 25}) {
    const Shape shape{27, 32, 2 * pairs + 1};
    std::vector<Slice> slices{{.re = 0}};
    for (Index k = 0; k < pairs; ++k) slices.push_back({.re = 2 * k + 1, .im = 2 * k + 2, .weight = 2});
    const Tensor y = random_normal(shape, 15);
    std::vector<float> first;
    for (const int count : {1, 2, 3, 5}) {
      team.emplace(count);
      std::vector<float> hat(y.flat().begin(), y.flat().end());
      const double threshold = 7;
      std::vector<Shrunk> results(slices.size());
      shrink<float>(shape, 1, hat, slices, {&threshold, 1}, results);
      if (count == 1) first = hat;
      EXPECT_TRUE(hat == first) << pairs << " pairs on " << count << " threads";
      EXPECT_GT(results.back().rank, 0);
    }
  }
  team.reset();
}

TEST_P(Shrink, ExtremeScalesAndNotNumbers) {
  const Shape shape{5, 6, 1};
  const std::vector<Slice> slices{{.re = 0}};
  const Tensor y = random_normal(shape, 13);
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    std::vector<double> hat;
    for (const double v : y.flat()) hat.push_back(v * scale);
    std::vector<double> plain(y.flat().begin(), y.flat().end());
    Shrunk result, reference;
    const double threshold = scale, one = 1;
    shrink<double>(shape, 1, hat, slices, {&threshold, 1}, {&result, 1});
    shrink<double>(shape, 1, plain, slices, {&one, 1}, {&reference, 1});
    EXPECT_EQ(result.rank, reference.rank);
    EXPECT_NEAR(result.largest / scale, reference.largest, 1e-12);
    for (std::size_t i = 0; i < hat.size(); ++i) EXPECT_NEAR(hat[i] / scale, plain[i], 1e-12);
  }
  std::vector<double> hat(y.flat().begin(), y.flat().end());
  hat[3] = std::numeric_limits<double>::infinity();
  Shrunk result;
  const double threshold = 1;
  shrink<double>(shape, 1, hat, slices, {&threshold, 1}, {&result, 1});
  for (const double v : hat) EXPECT_TRUE(std::isnan(v));
}

STURM_ON_EVERY_BACKEND(Shrink);

TEST(Host, ProductsAndEigenvectors) {
  const Index m = 700, n = 520, k = 3;  // more than one block each way
  const Tensor a = random_normal({m, k, 1}, 1), b = random_normal({n, k, 1}, 2);
  Tensor c({m, n, 1});
  host::multiply<double>(Op::none, Op::transpose, m, n, k, 2, a.data(), m, b.data(), n, 0, c.data(), m);
  for (const auto& [i, j] : {std::pair<Index, Index>{0, 0}, {699, 519}, {511, 512}, {600, 3}}) {
    double sum = 0;
    for (Index p = 0; p < k; ++p) sum += 2 * a(i, p, 0) * b(j, p, 0);
    EXPECT_NEAR(c(i, j, 0), sum, 1e-13);
  }
  const Index order = 30;
  Tensor v({order, order, 1});
  host::multiply<double>(Op::none, Op::transpose, order, order, k, 1, a.data(), m, a.data(), m, 0, v.data(), order);
  const Tensor symmetric = v;
  std::vector<double> values(order);
  host::eigh<double>(order, v.data(), values.data());
  EXPECT_TRUE(std::ranges::is_sorted(values));
  Tensor product({order, order, 1});
  host::multiply<double>(Op::none, Op::none, order, order, order, 1, symmetric.data(), order, v.data(), order, 0,
                         product.data(), order);
  for (Index j = 0; j < order; ++j)
    for (Index i = 0; i < order; ++i) EXPECT_NEAR(product(i, j, 0), values[j] * v(i, j, 0), 1e-12);
}

}  // namespace
}  // namespace sturm::linalg
