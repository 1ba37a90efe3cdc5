// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/unfold.h"

#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

Shape unfolded_shape(const Shape& s, int mode) {
  switch (mode) {
    case 1: return {s.n1, s.n2 * s.n3, 1};
    case 2: return {s.n2, s.n1 * s.n3, 1};
    case 3: return {s.n3, s.n1 * s.n2, 1};
    default: throw Error("a tensor has modes 1, 2 and 3, not " + std::to_string(mode));
  }
}

/// Calls visit(flat index of the tensor, row, column) for every entry.
template <class Visit>
void for_each_entry(const Shape& s, int mode, Visit visit) {
  Index flat = 0;
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i, ++flat) {
        if (mode == 1) visit(flat, i, j + s.n2 * k);
        if (mode == 2) visit(flat, j, i + s.n1 * k);
        if (mode == 3) visit(flat, k, i + s.n1 * j);
      }
}

}  // namespace

template <class Real>
BasicTensor<Real> unfold(const BasicTensor<Real>& a, int mode) {
  BasicTensor<Real> out(unfolded_shape(a.shape(), mode));
  for_each_entry(a.shape(), mode, [&](Index flat, Index row, Index col) { out(row, col, 0) = a.data()[flat]; });
  return out;
}

template <class Real>
BasicTensor<Real> fold(const BasicTensor<Real>& matrix, int mode, const Shape& shape) {
  require_same_shape(matrix.shape(), unfolded_shape(shape, mode));
  BasicTensor<Real> out(shape);
  for_each_entry(shape, mode, [&](Index flat, Index row, Index col) { out.data()[flat] = matrix(row, col, 0); });
  return out;
}

double unfolded_nuclear_norm(const Tensor& a, int mode) { return tnn(unfold(a, mode)); }

template <class Real>
BasicTensor<Real> prox_unfolded_nuclear(const BasicTensor<Real>& y, int mode, double mu) {
  return fold(prox_tnn(unfold(y, mode), mu), mode, y.shape());
}

#define STURM_INSTANTIATE(Real)                                                 \
  template BasicTensor<Real> unfold(const BasicTensor<Real>&, int);             \
  template BasicTensor<Real> fold(const BasicTensor<Real>&, int, const Shape&); \
  template BasicTensor<Real> prox_unfolded_nuclear(const BasicTensor<Real>&, int, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
