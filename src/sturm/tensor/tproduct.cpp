// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tproduct.h"

#include <cmath>

#include "sturm/tensor/algebra.h"

namespace sturm {

using linalg::Op;
using linalg::Slice;

template <class Real>
BasicTensor<Real> t_product(const BasicTensor<Real>& a, const BasicTensor<Real>& b, const Transform& transform) {
  const Shape sa = a.shape(), sb = b.shape();
  if (sa.n2 != sb.n1 || sa.n3 != sb.n3)
    throw Error("the t-product of " + to_string(sa) + " and " + to_string(sb) +
                " does not exist: the second extent of the first must be the first of the second, and n3 the same");
  const BasicTensor<Real> ah = to_hat(a, transform), bh = to_hat(b, transform);
  BasicTensor<Real> ch(Shape{sa.n1, sb.n2, sa.n3});
  const auto add = [&](Index ka, Index kb, Index kc, Real sign, Real keep) {
    linalg::host::multiply<Real>(Op::none, Op::none, sa.n1, sb.n2, sa.n2, sign, ah.slice(ka).data(), sa.n1,
                                 bh.slice(kb).data(), sb.n1, keep, ch.slice(kc).data(), sa.n1);
  };
  for (const Slice& k : transform.slices()) {
    add(k.re, k.re, k.re, 1, 0);
    if (!k.complex()) continue;
    add(k.im, k.im, k.re, -1, 1);
    add(k.re, k.im, k.im, 1, 0);
    add(k.im, k.re, k.im, 1, 1);
  }
  return from_hat(ch, transform);
}

template <class Real>
BasicTensor<Real> t_product(const BasicTensor<Real>& a, const BasicTensor<Real>& b) {
  return t_product(a, b, Transform::dft(a.shape().n3));
}

template <class Real>
BasicTensor<Real> t_transpose(const BasicTensor<Real>& a, const Transform& transform) {
  const Shape s = a.shape();
  BasicTensor<Real> out(Shape{s.n2, s.n1, s.n3});
  for (Index k = 0; k < s.n3; ++k) {
    const Index to = transform.pairs_conjugates() ? (s.n3 - k) % s.n3 : k;
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i) out(j, i, to) = a(i, j, k);
  }
  return out;
}

template <class Real>
BasicTensor<Real> t_transpose(const BasicTensor<Real>& a) {
  return t_transpose(a, Transform::dft(a.shape().n3));
}

Tensor t_identity(Index n, const Transform& transform) {
  Tensor hat(Shape{n, n, transform.size()});
  for (const Slice& k : transform.slices())
    for (Index i = 0; i < n; ++i) hat(i, i, k.re) = 1;
  return from_hat(hat, transform);
}

bool is_orthogonal(const Tensor& q, const Transform& transform, double tolerance) {
  const Shape s = q.shape();
  const Tensor qt = t_transpose(q, transform);
  const auto close = [&](const Tensor& product, Index n) {
    return max_abs(product - t_identity(n, transform)) <= tolerance;
  };
  return close(t_product(qt, q, transform), s.n2) && (s.n1 != s.n2 || close(t_product(q, qt, transform), s.n1));
}

bool is_f_diagonal(const Tensor& a, double tolerance) {
  const Shape s = a.shape();
  const double limit = tolerance * max_abs(a);
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i)
        if (i != j && !(std::abs(a(i, j, k)) <= limit)) return false;
  return true;
}

#define STURM_INSTANTIATE(Real)                                                                               \
  template BasicTensor<Real> t_product(const BasicTensor<Real>&, const BasicTensor<Real>&, const Transform&); \
  template BasicTensor<Real> t_product(const BasicTensor<Real>&, const BasicTensor<Real>&);                   \
  template BasicTensor<Real> t_transpose(const BasicTensor<Real>&, const Transform&);                         \
  template BasicTensor<Real> t_transpose(const BasicTensor<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
