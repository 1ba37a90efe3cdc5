// SPDX-License-Identifier: BSD-3-Clause
// Third-order tensors: t-product, t-SVD, tubal nuclear norm.
#include "python/bindings/bind.h"
#include "sturm/core/tensor.h"
#include "sturm/tensor/tnn.h"
#include "sturm/tensor/tproduct.h"
#include "sturm/tensor/tsvd.h"

namespace sturm::python {
namespace {

using Given = nb::ndarray<const double, nb::ndim<3>, nb::device::cpu>;

Tensor tensor_of(const Given& a) {
  Tensor out(Shape{static_cast<Index>(a.shape(0)), static_cast<Index>(a.shape(1)), static_cast<Index>(a.shape(2))});
  const Shape& s = out.shape();
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i) out(i, j, k) = a.data()[i * a.stride(0) + j * a.stride(1) + k * a.stride(2)];
  return out;
}

nb::ndarray<nb::numpy, double> array_of(const Tensor& a) {
  const Shape& s = a.shape();
  return owned_array(std::vector<double>(a.flat().begin(), a.flat().end()),
                     {static_cast<std::size_t>(s.n1), static_cast<std::size_t>(s.n2), static_cast<std::size_t>(s.n3)},
                     true);
}

}  // namespace

void bind_algebra(nb::module_& module) {
  module.def("tproduct",
             [](const Given& a, const Given& b) { return array_of(t_product(tensor_of(a), tensor_of(b))); });
  module.def("ttranspose", [](const Given& a) { return array_of(t_transpose(tensor_of(a))); });
  module.def("tsvd", [](const Given& a, bool full) {
    const TSvd out = t_svd(tensor_of(a), full ? SvdKind::full : SvdKind::thin);
    return nb::make_tuple(array_of(out.u), array_of(out.s), array_of(out.v));
  });
  module.def("tnn", [](const Given& a) { return tnn(tensor_of(a)); });
  module.def("tubal_spectral_norm", [](const Given& a) { return tubal_spectral_norm(tensor_of(a)); });
  module.def("prox_tnn", [](const Given& a, double tau) {
    if (!(tau >= 0)) throw Error("tau is a number from 0");
    return array_of(prox_tnn(tensor_of(a), tau));
  });
  module.def("tubal_rank", [](const Given& a) { return tubal_rank(tensor_of(a)); });
}

}  // namespace sturm::python
