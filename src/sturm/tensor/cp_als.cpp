// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/cp_als.h"

#include <cmath>

#include "sturm/tensor/algebra.h"

namespace sturm::cp_detail {
namespace {

using linalg::Op;

/// F'F, R x R.
std::vector<double> gram_of(const std::vector<double>& f, Index rank) {
  const Index rows = static_cast<Index>(f.size()) / rank;
  std::vector<double> out(rank * rank);
  linalg::host::multiply<double>(Op::transpose, Op::none, rank, rank, rows, 1.0, f.data(), rows, f.data(), rows, 0.0,
                                 out.data(), rank);
  return out;
}

/// row <- (L L')^-1 row. So few unknowns and so many rows that a call of LAPACK a row would be most of the work.
void solve_row(const std::vector<double>& l, std::vector<double>& row) {
  const auto n = static_cast<Index>(row.size());
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < i; ++j) row[i] -= l[i + n * j] * row[j];
    row[i] /= l[i + n * i];
  }
  for (Index i = n - 1; i >= 0; --i) {
    for (Index j = i + 1; j < n; ++j) row[i] -= l[j + n * i] * row[j];
    row[i] /= l[i + n * i];
  }
}

/// One fit under way: the factors, their Gram matrices, and Y = X x3 F3 (I1 I2 x R), which modes 1 and 2 share.
class Alternation {
 public:
  Alternation(const Tensor& x, Factors factors, Index rank)
      : x_(x), s_(x.shape()), rank_(rank), norm2_(dot(x, x)), factors_(std::move(factors)), y_(s_.slice() * rank) {
    for (int n = 0; n < 3; ++n) grams_[n] = gram_of(factors_[n], rank_);
    for (int n = 0; n < 2; ++n) normalise(n, false);
  }

  /// Returns the squared error after it.
  double sweep() {
    linalg::host::multiply<double>(Op::none, Op::none, s_.slice(), rank_, s_.n3, 1.0, x_.data(), s_.slice(),
                                   factors_[2].data(), s_.n3, 0.0, y_.data(), s_.slice());
    std::vector<double> g(s_.n1 * rank_);
    for (Index r = 0; r < rank_; ++r)
      linalg::host::multiply<double>(Op::none, Op::none, s_.n1, 1, s_.n2, 1.0, &y_[r * s_.slice()], s_.n1,
                                     &factors_[1][r * s_.n2], s_.n2, 0.0, &g[r * s_.n1], s_.n1);
    solve(0, std::move(g));
    normalise(0, true);

    g.assign(s_.n2 * rank_, 0);
    for (Index r = 0; r < rank_; ++r)
      linalg::host::multiply<double>(Op::transpose, Op::none, s_.n2, 1, s_.n1, 1.0, &y_[r * s_.slice()], s_.n1,
                                     &factors_[0][r * s_.n1], s_.n1, 0.0, &g[r * s_.n2], s_.n2);
    solve(1, std::move(g));
    normalise(1, false);

    std::vector<double>& pairs = y_;  // free until the next sweep
    for (Index r = 0; r < rank_; ++r)
      for (Index j = 0; j < s_.n2; ++j)
        for (Index i = 0; i < s_.n1; ++i)
          pairs[i + s_.n1 * (j + s_.n2 * r)] = factors_[0][i + s_.n1 * r] * factors_[1][j + s_.n2 * r];
    g.assign(s_.n3 * rank_, 0);
    linalg::host::multiply<double>(Op::transpose, Op::none, s_.n3, rank_, s_.slice(), 1.0, x_.data(), s_.slice(),
                                   pairs.data(), s_.slice(), 0.0, g.data(), s_.n3);
    solve(2, g);
    double with_x = 0, own = 0;
    for (std::size_t i = 0; i < g.size(); ++i) with_x += g[i] * factors_[2][i];
    for (Index i = 0; i < rank_ * rank_; ++i) own += grams_[0][i] * grams_[1][i] * grams_[2][i];
    return std::max(0.0, norm2_ - 2 * with_x + own);
  }

  double norm2() const { return norm2_; }
  Factors& factors() { return factors_; }

 private:
  /// g = X_(n) G_n becomes the new F_n.
  void solve(int mode, std::vector<double> g) {
    const std::vector<double>&a = grams_[(mode + 1) % 3], &b = grams_[(mode + 2) % 3];
    std::vector<double> h(rank_ * rank_);
    double trace = 0;
    for (Index i = 0; i < rank_ * rank_; ++i) h[i] = a[i] * b[i];
    for (Index r = 0; r < rank_; ++r) trace += h[r * (rank_ + 1)];
    if (!(trace > 0)) return;  // every other factor is 0: nothing to learn from
    std::vector<double>& f = factors_[mode];
    const Index rows = static_cast<Index>(f.size()) / rank_;
    std::vector<double> l;
    double mu = 1e-12 * trace;
    for (;; mu *= 100) {
      l = h;
      for (Index r = 0; r < rank_; ++r) l[r * (rank_ + 1)] += mu;
      if (linalg::host::cholesky<double>(rank_, l.data())) break;
    }
    std::vector<double> row(rank_);
    for (Index i = 0; i < rows; ++i) {
      for (Index r = 0; r < rank_; ++r) row[r] = g[i + rows * r] + mu * f[i + rows * r];
      solve_row(l, row);
      for (Index r = 0; r < rank_; ++r) f[i + rows * r] = row[r];
    }
    grams_[mode] = gram_of(f, rank_);
  }

  /// Columns of F_mode to length 1; what they had goes to F_3, and to Y where it is used again.
  void normalise(int mode, bool with_y) {
    std::vector<double>& f = factors_[mode];
    const Index rows = static_cast<Index>(f.size()) / rank_;
    for (Index r = 0; r < rank_; ++r) {
      const double length = std::sqrt(grams_[mode][r * (rank_ + 1)]);
      if (!(length > 0)) continue;
      for (Index i = 0; i < rows; ++i) f[i + rows * r] /= length;
      for (Index k = 0; k < s_.n3; ++k) factors_[2][k + s_.n3 * r] *= length;
      for (Index i = 0; with_y && i < s_.slice(); ++i) y_[i + s_.slice() * r] *= length;
    }
    grams_[mode] = gram_of(f, rank_);
    grams_[2] = gram_of(factors_[2], rank_);
  }

  const Tensor& x_;
  Shape s_;
  Index rank_;
  double norm2_;
  Factors factors_;
  std::array<std::vector<double>, 3> grams_;
  std::vector<double> y_;
};

}  // namespace

Tensor mode_product(const Tensor& x, int mode, const std::vector<double>& v, Index columns) {
  const Shape s = x.shape();
  if (mode == 0) {
    Tensor out(Shape{columns, s.n2, s.n3});
    linalg::host::multiply<double>(Op::transpose, Op::none, columns, s.n2 * s.n3, s.n1, 1.0, v.data(), s.n1, x.data(),
                                   s.n1, 0.0, out.data(), columns);
    return out;
  }
  if (mode == 2) {
    Tensor out(Shape{s.n1, s.n2, columns});
    linalg::host::multiply<double>(Op::none, Op::none, s.slice(), columns, s.n3, 1.0, x.data(), s.slice(), v.data(),
                                   s.n3, 0.0, out.data(), s.slice());
    return out;
  }
  Tensor out(Shape{s.n1, columns, s.n3});
  for (Index k = 0; k < s.n3; ++k)
    linalg::host::multiply<double>(Op::none, Op::none, s.n1, columns, s.n2, 1.0, x.slice(k).data(), s.n1, v.data(),
                                   s.n2, 0.0, out.slice(k).data(), s.n1);
  return out;
}

std::vector<double> mode_gram(const Tensor& x, int mode) {
  const Shape s = x.shape();
  const Index n = extents(s)[mode];
  std::vector<double> out(n * n);
  if (mode == 0)
    linalg::host::multiply<double>(Op::none, Op::transpose, n, n, s.n2 * s.n3, 1.0, x.data(), n, x.data(), n, 0.0,
                                   out.data(), n);
  else if (mode == 2)
    linalg::host::multiply<double>(Op::transpose, Op::none, n, n, s.slice(), 1.0, x.data(), s.slice(), x.data(),
                                   s.slice(), 0.0, out.data(), n);
  else
    for (Index k = 0; k < s.n3; ++k)
      linalg::host::multiply<double>(Op::transpose, Op::none, n, n, s.n1, 1.0, x.slice(k).data(), s.n1,
                                     x.slice(k).data(), s.n1, 1.0, out.data(), n);
  return out;
}

Fit alternate(const Tensor& x, Factors factors, Index rank, int sweeps, double tolerance) {
  constexpr double exact = 1e-9;  // nothing is gained below: a difference of squares is known to some 1e-8
  Alternation run(x, std::move(factors), rank);
  Fit out;
  while (out.sweeps < sweeps) {
    const double before = out.error;
    out.error = std::sqrt(run.sweep() / run.norm2());
    ++out.sweeps;
    if (out.error <= exact || (out.sweeps > 1 && before - out.error <= tolerance * before)) break;
  }
  out.factors = std::move(run.factors());
  return out;
}

}  // namespace sturm::cp_detail
