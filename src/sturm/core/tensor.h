// SPDX-License-Identifier: BSD-3-Clause
// Third-order tensors and views of them: column-major, the first index fastest (the order of NIfTI and LAPACK).
#pragma once

#include <algorithm>
#include <span>
#include <type_traits>

#include "sturm/core/aligned.h"
#include "sturm/core/error.h"
#include "sturm/core/shape.h"

namespace sturm {

/// A tensor that lives elsewhere (Real may be const). Cheap to copy, does not own.
template <class Real>
class BasicTensorView {
 public:
  BasicTensorView(Real* data, Shape shape) : data_(data), shape_(shape.check()) {}
  // NOLINTNEXTLINE(google-explicit-constructor): a view of something writable is a view of something readable
  BasicTensorView(const BasicTensorView<std::remove_const_t<Real>>& other) requires std::is_const_v<Real>
      : data_(other.data()), shape_(other.shape()) {}

  const Shape& shape() const { return shape_; }
  Real* data() const { return data_; }
  Real& operator()(Index i, Index j, Index k) const { return data_[i + shape_.n1 * (j + shape_.n2 * k)]; }
  std::span<Real> flat() const { return {data_, static_cast<std::size_t>(shape_.size())}; }
  std::span<Real> slice(Index k) const {
    return {data_ + k * shape_.slice(), static_cast<std::size_t>(shape_.slice())};
  }

 private:
  Real* data_;
  Shape shape_;
};

/// A tensor that owns its numbers; zero when made.
template <class Real>
class BasicTensor {
 public:
  explicit BasicTensor(Shape shape) : shape_(shape.check()), data_(static_cast<std::size_t>(shape.size())) {}
  explicit BasicTensor(BasicTensorView<const Real> v) : BasicTensor(v.shape()) { std::ranges::copy(v.flat(), data()); }

  const Shape& shape() const { return shape_; }
  Real* data() { return data_.data(); }
  const Real* data() const { return data_.data(); }
  Real& operator()(Index i, Index j, Index k) { return data()[offset(i, j, k)]; }
  Real operator()(Index i, Index j, Index k) const { return data()[offset(i, j, k)]; }
  std::span<Real> flat() { return data_; }
  std::span<const Real> flat() const { return data_; }
  std::span<Real> slice(Index k) { return view().slice(k); }
  std::span<const Real> slice(Index k) const { return view().slice(k); }

  BasicTensorView<Real> view() { return {data(), shape_}; }
  BasicTensorView<const Real> view() const { return {data(), shape_}; }

  bool operator==(const BasicTensor&) const = default;

 private:
  Index offset(Index i, Index j, Index k) const { return i + shape_.n1 * (j + shape_.n2 * k); }

  Shape shape_;
  AlignedVector<Real> data_;
};

using Tensor = BasicTensor<double>;
using TensorF = BasicTensor<float>;

/// The same numbers in another precision.
template <class To, class From>
BasicTensor<To> cast(const BasicTensor<From>& a) {
  BasicTensor<To> out(a.shape());
  std::ranges::transform(a.flat(), out.data(), [](From v) { return static_cast<To>(v); });
  return out;
}

/// Throws where two tensors that must have one shape do not.
inline void require_same_shape(const Shape& a, const Shape& b) {
  if (a != b) throw Error("tensors of shapes " + to_string(a) + " and " + to_string(b) + " cannot be combined");
}

}  // namespace sturm
