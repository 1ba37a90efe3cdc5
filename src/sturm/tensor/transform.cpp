// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/transform.h"

#include <cmath>
#include <numbers>

namespace sturm {
namespace {

using linalg::Slice;

void require_length(Index n) {
  if (n < 1) throw Error("a transform needs tubes of length 1 or more, not " + std::to_string(n));
}

std::vector<Slice> real_slices(Index n) {
  std::vector<Slice> out;
  for (Index k = 0; k < n; ++k) out.push_back({.re = k});
  return out;
}

/// 2 pi j k / n. j k is reduced first: the argument stays below 2 pi and keeps all its digits.
double angle(Index j, Index k, Index n) {
  return 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n);
}

/// Products of a real DFT of length m, sums and differences apart.
Index products(Index m) { return (m / 2 + 1) * (m / 2 + 1) + (m - 1) / 2 * ((m - 1) / 2); }

/// p of n = p q for which the shorter DFTs take the fewest products; 0 where n is even or they would not pay: what is
/// added and turned in between counts for half as much again.
Index best_factor(Index n) {
  Index best = 0, least = products(n);
  for (Index p = 3; n % 2 == 1 && p < n; p += 2) {
    if (n % p != 0) continue;
    const Index q = n / p, count = q * products(p) + p / 2 * 4 * q + (1 + 2 * (p / 2)) * products(q);
    if (3 * count / 2 >= least) continue;
    best = p;
    least = 3 * count / 2;
  }
  return best;
}

void parts_of(Index m, AlignedVector<double>& even, AlignedVector<double>& odd) {
  for (Index j = 0; j <= m / 2; ++j)
    for (Index k = 0; k <= m / 2; ++k) even.push_back(std::cos(angle(j, k, m)));
  for (Index j = 1; j <= (m - 1) / 2; ++j)
    for (Index k = 1; k <= (m - 1) / 2; ++k) odd.push_back(-std::sin(angle(j, k, m)));
}

}  // namespace

Transform::Transform(Index n, double scale, std::vector<Slice> slices, AlignedVector<double> forward)
    : n_(n), scale_(scale), slices_(std::move(slices)), forward_{.whole = std::move(forward)} {
  // hat_q = sum_p a_p F(p,q) is inverted by a_p = (1/l) sum_q w_q hat_q F(p,q): columns of a pair count twice.
  inverse_.whole.resize(forward_.whole.size());
  for (const Slice& slice : slices_) {
    conjugates_ = conjugates_ || slice.complex();
    for (const Index q : {slice.re, slice.im}) {
      if (q < 0) continue;
      for (Index p = 0; p < n; ++p) inverse_.whole[q + p * n] = slice.weight / scale * forward_.whole[p + q * n];
    }
  }
  if (conjugates_) {
    fold(forward_, false);
    fold(inverse_, true);
    p_ = best_factor(n);
    if (p_ > 0) {
      factor(forward_, false);
      factor(inverse_, true);
    }
  }
  narrow(forward_, forward_f_);
  narrow(inverse_, inverse_f_);
}

void Transform::narrow(const Matrix<double>& from, Matrix<float>& to) {
  const auto copy = [](const AlignedVector<double>& a, AlignedVector<float>& b) {
    for (const double v : a) b.push_back(static_cast<float>(v));
  };
  copy(from.whole, to.whole);
  copy(from.even, to.even);
  copy(from.odd, to.odd);
  copy(from.even_p, to.even_p);
  copy(from.odd_p, to.odd_p);
  copy(from.even_q, to.even_q);
  copy(from.odd_q, to.odd_q);
  copy(from.turns, to.turns);
}

/// The factors of the first half of a tube stand for both halves: cosines are the same in the other, sines change sign.
void Transform::fold(Matrix<double>& matrix, bool inverse) const {
  const Index even = n_ / 2 + 1, odd = (n_ - 1) / 2;
  matrix.even.resize(even * even);
  matrix.odd.resize(odd * odd);
  const auto factor = [&](Index tube, Index column) {
    return inverse ? matrix.whole[column + tube * n_] : matrix.whole[tube + column * n_];
  };
  // Rows are what comes in: numbers of a tube, or frequencies on the way back.
  for (Index a = 0; a < even; ++a)
    for (Index b = 0; b < even; ++b)
      matrix.even[a * even + b] = inverse ? factor(b, slices_[a].re) : factor(a, slices_[b].re);
  for (Index a = 1; a <= odd; ++a)
    for (Index b = 1; b <= odd; ++b)
      matrix.odd[(a - 1) * odd + b - 1] = inverse ? factor(b, slices_[a].im) : factor(a, slices_[b].im);
}

void Transform::factor(Matrix<double>& matrix, bool inverse) const {
  const Index q = n_ / p_;
  parts_of(p_, matrix.even_p, matrix.odd_p);
  parts_of(q, matrix.even_q, matrix.odd_q);
  const double size = inverse ? 2 / static_cast<double>(n_) : 1.0;
  for (Index k = 1; k <= p_ / 2; ++k)
    for (Index b = 0; b < q; ++b) {
      matrix.turns.push_back(size * std::cos(angle(b, k, n_)));
      matrix.turns.push_back(size * std::sin(angle(b, k, n_)));
    }
}

Transform Transform::dft(Index n) {
  require_length(n);
  std::vector<Slice> slices;
  AlignedVector<double> forward(n * n);
  Index column = 0;
  for (Index k = 0; 2 * k <= n; ++k) {
    const bool real = k == 0 || 2 * k == n;
    slices.push_back(real ? Slice{.re = column} : Slice{.re = column, .im = column + 1, .weight = 2});
    for (Index p = 0; p < n; ++p) {
      forward[p + column * n] = std::cos(angle(p, k, n));
      if (!real) forward[p + (column + 1) * n] = -std::sin(angle(p, k, n));
    }
    column += real ? 1 : 2;
  }
  return {n, static_cast<double>(n), std::move(slices), std::move(forward)};
}

Transform Transform::dct(Index n) {
  require_length(n);
  AlignedVector<double> forward(n * n);
  for (Index q = 0; q < n; ++q)
    for (Index p = 0; p < n; ++p)
      forward[p + q * n] =
          std::sqrt((q == 0 ? 1.0 : 2.0) / static_cast<double>(n)) *
          std::cos(std::numbers::pi * static_cast<double>((2 * p + 1) * q % (4 * n)) / static_cast<double>(2 * n));
  return {n, 1, real_slices(n), std::move(forward)};
}

Transform Transform::identity(Index n) {
  require_length(n);
  AlignedVector<double> forward(n * n);
  for (Index p = 0; p < n; ++p) forward[p + p * n] = 1;
  return {n, 1, real_slices(n), std::move(forward)};
}

Transform Transform::from_matrix(Index n, std::span<const double> matrix) {
  require_length(n);
  if (static_cast<Index>(matrix.size()) != n * n)
    throw Error("the matrix of a transform of length " + std::to_string(n) + " needs " + std::to_string(n * n) +
                " numbers, not " + std::to_string(matrix.size()));
  AlignedVector<double> forward(matrix.size());
  for (Index q = 0; q < n; ++q)
    for (Index p = 0; p < n; ++p) forward[p + q * n] = matrix[q + p * n];
  double scale = 0;
  for (const double v : matrix) scale += v * v / static_cast<double>(n);
  for (Index p = 0; p < n; ++p)
    for (Index r = 0; r <= p; ++r) {
      double sum = 0;
      for (Index q = 0; q < n; ++q) sum += matrix[q + p * n] * matrix[q + r * n];
      if (!(scale > 0 && std::abs(sum - (p == r ? scale : 0)) <= 1e-12 * scale * static_cast<double>(n)))
        throw Error("the matrix L of a transform must have L'L = l I; columns " + std::to_string(r) + " and " +
                    std::to_string(p) + " break that");
    }
  return {n, scale, real_slices(n), std::move(forward)};
}

template <class Real>
linalg::TubeMatrix<Real> Transform::view(const Matrix<Real>& matrix, bool inverse) const {
  const bool folded = !matrix.even.empty();
  linalg::TubeMatrix<Real> out{matrix.whole.data(), folded ? matrix.even.data() : nullptr,
                               folded ? matrix.odd.data() : nullptr, inverse};
  if (p_ > 0)
    out.factors = {static_cast<int>(p_), static_cast<int>(n_ / p_), matrix.even_p.data(), matrix.odd_p.data(),
                   matrix.even_q.data(), matrix.odd_q.data(),       matrix.turns.data()};
  return out;
}

template <>
linalg::TubeMatrix<double> Transform::forward() const {
  return view(forward_, false);
}
template <>
linalg::TubeMatrix<float> Transform::forward() const {
  return view(forward_f_, false);
}
template <>
linalg::TubeMatrix<double> Transform::inverse() const {
  return view(inverse_, true);
}
template <>
linalg::TubeMatrix<float> Transform::inverse() const {
  return view(inverse_f_, true);
}

namespace {

template <class Real>
BasicTensor<Real> apply(const BasicTensor<Real>& a, const Transform& transform,
                        const linalg::TubeMatrix<Real>& matrix) {
  if (a.shape().n3 != transform.size())
    throw Error("a tensor of shape " + to_string(a.shape()) + " does not fit a transform of length " +
                std::to_string(transform.size()));
  BasicTensor<Real> out(a.shape());
  linalg::host::transform(a.shape(), 1, a.data(), matrix, out.data());
  return out;
}

}  // namespace

template <class Real>
BasicTensor<Real> to_hat(const BasicTensor<Real>& a, const Transform& transform) {
  return apply(a, transform, transform.forward<Real>());
}
template <class Real>
BasicTensor<Real> from_hat(const BasicTensor<Real>& hat, const Transform& transform) {
  return apply(hat, transform, transform.inverse<Real>());
}

template Tensor to_hat(const Tensor&, const Transform&);
template TensorF to_hat(const TensorF&, const Transform&);
template Tensor from_hat(const Tensor&, const Transform&);
template TensorF from_hat(const TensorF&, const Transform&);

}  // namespace sturm
