// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/tensor/tnn.h"

#include <numeric>

#include "sturm/tensor/tsvd.h"

namespace sturm {

double tnn(const Tensor& a, const Transform& transform) {
  const auto values = hat_singular_values(a, transform);
  double sum = 0;
  for (std::size_t k = 0; k < values.size(); ++k)
    sum += transform.slices()[k].weight * std::accumulate(values[k].begin(), values[k].end(), 0.0);
  return sum / transform.scale();
}

double tnn(const Tensor& a) { return tnn(a, Transform::dft(a.shape().n3)); }

double tubal_spectral_norm(const Tensor& a, const Transform& transform) {
  double largest = 0;
  for (const auto& values : hat_singular_values(a, transform)) largest = std::max(largest, values.front());
  return largest;
}

double tubal_spectral_norm(const Tensor& a) { return tubal_spectral_norm(a, Transform::dft(a.shape().n3)); }

template <class Real>
std::vector<ProxTnnResult> prox_tnn_batch(const Shape& shape, std::span<Real> batch, std::span<const double> mus,
                                          const Transform& transform, AlignedVector<Real>& scratch, double accuracy) {
  const auto count = static_cast<Index>(mus.size());
  if (static_cast<Index>(batch.size()) != count * shape.check().size() || transform.size() != shape.n3)
    throw Error("a batch of " + std::to_string(count) + " tensors of shape " + to_string(shape) + " needs " +
                std::to_string(count * shape.size()) + " numbers, not " + std::to_string(batch.size()) +
                ", and a transform of their length");
  if (scratch.size() < batch.size()) scratch.resize(batch.size());
  const auto slices = transform.slices();
  std::vector<linalg::Shrunk> shrunk(mus.size() * slices.size());
  linalg::host::transform(shape, count, batch.data(), transform.forward<Real>(), scratch.data());
  linalg::host::shrink(shape, count, scratch.data(), slices, mus, shrunk, accuracy);
  linalg::host::transform(shape, count, scratch.data(), transform.inverse<Real>(), batch.data());

  std::vector<ProxTnnResult> out(mus.size());
  for (std::size_t b = 0; b < mus.size(); ++b)
    for (std::size_t k = 0; k < slices.size(); ++k) {
      const linalg::Shrunk& slice = shrunk[b * slices.size() + k];
      out[b].tnn += slices[k].weight / transform.scale() * slice.nuclear;
      out[b].tubal_rank = std::max(out[b].tubal_rank, slice.rank);
      out[b].spectral = std::max(out[b].spectral, slice.largest);
    }
  return out;
}

template <class Real>
std::vector<ProxTnnResult> tnn_batch(const Shape& shape, std::span<const Real> batch, const Transform& transform,
                                     AlignedVector<Real>& scratch) {
  const Index count = static_cast<Index>(batch.size()) / shape.check().size();
  std::vector<ProxTnnResult> out(count);
  if constexpr (sizeof(Real) == 8) {
    for (Index b = 0; b < count; ++b) {
      const auto values =
          hat_singular_values(Tensor(BasicTensorView(batch.data() + b * shape.size(), shape)), transform);
      for (std::size_t k = 0; k < values.size(); ++k) {
        const double sum = std::accumulate(values[k].begin(), values[k].end(), 0.0);
        out[b].tnn += transform.slices()[k].weight / transform.scale() * sum;
        out[b].spectral = std::max(out[b].spectral, values[k].front());
      }
    }
  } else {
    if (scratch.size() < batch.size()) scratch.resize(batch.size());
    const auto slices = transform.slices();
    std::vector<linalg::Shrunk> found(count * slices.size());
    linalg::host::transform(shape, count, batch.data(), transform.forward<Real>(), scratch.data());
    linalg::host::norms(shape, count, scratch.data(), slices, found);
    for (Index b = 0; b < count; ++b)
      for (std::size_t k = 0; k < slices.size(); ++k) {
        out[b].tnn += slices[k].weight / transform.scale() * found[b * slices.size() + k].nuclear;
        out[b].spectral = std::max(out[b].spectral, found[b * slices.size() + k].largest);
      }
  }
  return out;
}

template <class Real>
BasicTensor<Real> prox_tnn(const BasicTensor<Real>& y, double mu, const Transform& transform) {
  BasicTensor<Real> out = y;
  if (mu == 0) return out;
  AlignedVector<Real> scratch;
  prox_tnn_batch<Real>(y.shape(), out.flat(), {&mu, 1}, transform, scratch);
  return out;
}

template <class Real>
BasicTensor<Real> prox_tnn(const BasicTensor<Real>& y, double mu) {
  return prox_tnn(y, mu, Transform::dft(y.shape().n3));
}

#define STURM_INSTANTIATE(Real)                                                                              \
  template BasicTensor<Real> prox_tnn(const BasicTensor<Real>&, double, const Transform&);                   \
  template BasicTensor<Real> prox_tnn(const BasicTensor<Real>&, double);                                     \
  template std::vector<ProxTnnResult> prox_tnn_batch(const Shape&, std::span<Real>, std::span<const double>, \
                                                     const Transform&, AlignedVector<Real>&, double);        \
  template std::vector<ProxTnnResult> tnn_batch(const Shape&, std::span<const Real>, const Transform&,       \
                                                AlignedVector<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
