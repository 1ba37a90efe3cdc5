// SPDX-License-Identifier: BSD-3-Clause
// Slow and obvious: definitions written down as they stand.
#pragma once

#include <complex>
#include <numbers>

#include "sturm/core/tensor.h"

namespace sturm::oracle {

/// t-product by its definition: tube (i,j) is the sum over p of circular convolutions.
inline Tensor t_product(const Tensor& a, const Tensor& b) {
  const Shape sa = a.shape(), sb = b.shape();
  Tensor out(Shape{sa.n1, sb.n2, sa.n3});
  for (Index i = 0; i < sa.n1; ++i)
    for (Index j = 0; j < sb.n2; ++j)
      for (Index p = 0; p < sa.n2; ++p)
        for (Index s = 0; s < sa.n3; ++s)
          for (Index t = 0; t < sa.n3; ++t) out(i, j, (s + t) % sa.n3) += a(i, p, s) * b(p, j, t);
  return out;
}

/// Entry (i, j) of frontal slice k of the DFT along tubes.
inline std::complex<double> dft(const Tensor& a, Index i, Index j, Index k) {
  std::complex<double> sum = 0;
  const auto n = static_cast<double>(a.shape().n3);
  for (Index t = 0; t < a.shape().n3; ++t)
    sum += a(i, j, t) * std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k * t) / n);
  return sum;
}

}  // namespace sturm::oracle
