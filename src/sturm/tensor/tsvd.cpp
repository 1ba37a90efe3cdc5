// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tsvd.h"

#include <algorithm>

#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using linalg::Slice;
using Complex = std::complex<double>;

std::vector<Complex> hat_slice(const Tensor& hat, const Slice& k) {
  std::vector<Complex> out(hat.shape().slice());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = {hat.slice(k.re)[i], k.complex() ? hat.slice(k.im)[i] : 0.0};
  return out;
}

void store(Tensor& hat, const Slice& k, Index i, Index j, Complex value) {
  hat(i, j, k.re) = value.real();
  if (k.complex()) hat(i, j, k.im) = value.imag();
}

}  // namespace

TSvd t_svd(const Tensor& a, const Transform& transform, SvdKind kind) {
  const Shape s = a.shape();
  const Index least = std::min(s.n1, s.n2);
  const bool full = kind == SvdKind::full;
  const Index cu = full ? s.n1 : least, cv = full ? s.n2 : least;
  const Tensor hat = to_hat(a, transform);
  TSvd out{Tensor({s.n1, cu, s.n3}), Tensor({cu, cv, s.n3}), Tensor({s.n2, cv, s.n3})};
  parallel_for(static_cast<Index>(transform.slices().size()), [&](Index index, int) {
    const Slice& k = transform.slices()[index];
    std::vector<Complex> slice = hat_slice(hat, k), u(s.n1 * cu), vh(cv * s.n2);
    std::vector<double> values(least);
    linalg::host::svd<double>(kind, s.n1, s.n2, slice.data(), values.data(), u.data(), vh.data());
    for (Index j = 0; j < cu; ++j)
      for (Index i = 0; i < s.n1; ++i) store(out.u, k, i, j, u[i + j * s.n1]);
    for (Index j = 0; j < cv; ++j)
      for (Index i = 0; i < s.n2; ++i) store(out.v, k, i, j, std::conj(vh[j + i * cv]));
    for (Index i = 0; i < least; ++i) out.s(i, i, k.re) = values[i];
  });
  return {from_hat(out.u, transform), from_hat(out.s, transform), from_hat(out.v, transform)};
}

TSvd t_svd(const Tensor& a, SvdKind kind) { return t_svd(a, Transform::dft(a.shape().n3), kind); }

TSvd truncated_t_svd(const Tensor& a, Index rank, const Transform& transform) {
  const Shape s = a.shape();
  if (rank < 1) throw Error("a truncated t-SVD needs a rank of 1 or more, not " + std::to_string(rank));
  const Index r = std::min(rank, std::min(s.n1, s.n2));
  const TSvd thin = t_svd(a, transform);
  const auto leading = [r](const Tensor& t, Index rows) {
    Tensor out(Shape{rows, r, t.shape().n3});
    for (Index k = 0; k < t.shape().n3; ++k)
      for (Index j = 0; j < r; ++j)
        for (Index i = 0; i < rows; ++i) out(i, j, k) = t(i, j, k);
    return out;
  };
  return {leading(thin.u, s.n1), leading(thin.s, r), leading(thin.v, s.n2)};
}

std::vector<std::vector<double>> hat_singular_values(const Tensor& a, const Transform& transform) {
  const Shape s = a.shape();
  const Tensor hat = to_hat(a, transform);
  std::vector<std::vector<double>> out(transform.slices().size());
  parallel_for(
      static_cast<Index>(out.size()),
      [&](Index index, int) {
        const auto k = static_cast<std::size_t>(index);
        std::vector<Complex> slice = hat_slice(hat, transform.slices()[k]);
        out[k].resize(static_cast<std::size_t>(std::min(s.n1, s.n2)));
        linalg::host::svd<double>(SvdKind::values, s.n1, s.n2, slice.data(), out[k].data(), nullptr, nullptr);
      },
      20.0 * static_cast<double>(a.shape().size() * std::min(s.n1, s.n2)));
  return out;
}

std::vector<Index> multi_rank(const Tensor& a, const Transform& transform, double tolerance) {
  const auto values = hat_singular_values(a, transform);
  double largest = 0;
  for (const auto& slice : values) largest = std::max(largest, slice.front());
  std::vector<Index> out;
  out.reserve(values.size());
  for (const auto& slice : values)
    out.push_back(std::ranges::count_if(slice, [&](double v) { return v > tolerance * largest; }));
  return out;
}

Index tubal_rank(const Tensor& a, const Transform& transform, double tolerance) {
  return std::ranges::max(multi_rank(a, transform, tolerance));
}

Index tubal_rank(const Tensor& a) { return tubal_rank(a, Transform::dft(a.shape().n3)); }

}  // namespace sturm
