// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/algebra.h"

#include <cmath>
#include <functional>

namespace sturm {
namespace {

template <class Real, class F>
BasicTensor<Real> combine(const BasicTensor<Real>& a, const BasicTensor<Real>& b, F f) {
  require_same_shape(a.shape(), b.shape());
  BasicTensor<Real> out(a.shape());
  std::ranges::transform(a.flat(), b.flat(), out.data(), f);
  return out;
}

template <class Real, class F>
BasicTensor<Real> map(const BasicTensor<Real>& a, F f) {
  BasicTensor<Real> out(a.shape());
  std::ranges::transform(a.flat(), out.data(), f);
  return out;
}

}  // namespace

template <class Real>
BasicTensor<Real> operator+(const BasicTensor<Real>& a, const BasicTensor<Real>& b) {
  return combine(a, b, std::plus<Real>{});
}

template <class Real>
BasicTensor<Real> operator-(const BasicTensor<Real>& a, const BasicTensor<Real>& b) {
  return combine(a, b, std::minus<Real>{});
}

template <class Real>
BasicTensor<Real> operator*(double s, const BasicTensor<Real>& a) {
  return map(a, [s](Real v) { return static_cast<Real>(s * static_cast<double>(v)); });
}

template <class Real>
double dot(const BasicTensor<Real>& a, const BasicTensor<Real>& b) {
  require_same_shape(a.shape(), b.shape());
  double sum = 0;
  for (std::size_t i = 0; i < a.flat().size(); ++i)
    sum += static_cast<double>(a.flat()[i]) * static_cast<double>(b.flat()[i]);
  return sum;
}

template <class Real>
double frobenius_norm(const BasicTensor<Real>& a) {
  return std::sqrt(dot(a, a));
}

template <class Real>
double l1_norm(const BasicTensor<Real>& a) {
  double sum = 0;
  for (const Real v : a.flat()) sum += std::abs(static_cast<double>(v));
  return sum;
}

template <class Real>
double max_abs(const BasicTensor<Real>& a) {
  double most = 0;
  for (const Real v : a.flat()) most = std::max(most, std::abs(static_cast<double>(v)));
  return most;
}

template <class Real>
BasicTensor<Real> prox_l1(const BasicTensor<Real>& y, double mu) {
  if (!(mu >= 0)) throw Error("the threshold of prox_l1 must not be negative, and is " + std::to_string(mu));
  const Real t = static_cast<Real>(mu);
  return map(y, [t](Real v) { return v > t ? v - t : v < -t ? v + t : Real{0}; });
}

#define STURM_INSTANTIATE(Real)                                                             \
  template BasicTensor<Real> operator+(const BasicTensor<Real>&, const BasicTensor<Real>&); \
  template BasicTensor<Real> operator-(const BasicTensor<Real>&, const BasicTensor<Real>&); \
  template BasicTensor<Real> operator*(double, const BasicTensor<Real>&);                   \
  template double dot(const BasicTensor<Real>&, const BasicTensor<Real>&);                  \
  template double frobenius_norm(const BasicTensor<Real>&);                                 \
  template double l1_norm(const BasicTensor<Real>&);                                        \
  template double max_abs(const BasicTensor<Real>&);                                        \
  template BasicTensor<Real> prox_l1(const BasicTensor<Real>&, double);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
