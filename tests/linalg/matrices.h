// SPDX-License-Identifier: BSD-3-Clause
// Matrices to shrink, what LAPACK makes of them in double precision, and groups of them for the lane kernels.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

#include "sturm/core/rng.h"
#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {

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

inline Matrix random_matrix(Index rows, Index cols, bool complex, std::uint64_t stream) {
  Rng rng(3, stream);
  Matrix m{rows, cols, std::vector<Complex>(rows * cols)};
  for (Complex& v : m.a) v = {rng.normal(), complex ? rng.normal() : 0.0};
  return m;
}

/// Product of a rows x rank and a rank x cols matrix with singular values that fall geometrically by `fall`.
inline Matrix low_rank(Index rows, Index cols, Index rank, bool complex, double fall) {
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

inline Exact shrink_exactly(const Matrix& m, double threshold) {
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

}  // namespace sturm::linalg
