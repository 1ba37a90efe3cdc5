// SPDX-License-Identifier: BSD-3-Clause
// The overlapped nuclear norm of Remurs as a penalty: one term for each unfolding, |W|_n = |W_(n)|_* / 3.
//
// The singular values of W_(1) are those of the tensor's memory read as I1 x (I2 I3), those of W_(3) of (I1 I2) x I3:
// both lie there column-major. Only W_(2) needs a copy, I2 and I3 exchanged, which is (I1 I3) x I2.
#include "sturm/core/parallel.h"
#include "sturm/penalty/gram_margin.h"
#include "sturm/penalty/penalty.h"

namespace sturm {
namespace {

constexpr double third = 1.0 / 3;
constexpr linalg::Slice whole{};  // one real matrix

/// Exchanges modes 2 and 3 of every tensor of a batch; `shape` is that of `from`.
template <class Real>
void exchange(const Shape& shape, Index count, const Real* from, Real* to) {
  parallel_for(
      count * shape.n3,
      [&](Index task, int) {
        const Index b = task / shape.n3, k = task % shape.n3;
        for (Index j = 0; j < shape.n2; ++j)
          std::copy_n(from + b * shape.size() + shape.n1 * (j + shape.n2 * k), shape.n1,
                      to + b * shape.size() + shape.n1 * (k + shape.n3 * j));
      },
      static_cast<double>(count * shape.size()));
}

class OverlappedNuclearNorm final : public Penalty {
 public:
  explicit OverlappedNuclearNorm(const Shape& shape) : Penalty(shape) {}

  std::string name() const override { return "overlapped nuclear norm"; }
  int terms() const override { return 3; }
  double one_voxel() const override { return 1; }  // three matrices with the one singular value 1

  std::vector<TermResult> prox(int term, std::span<float> batch, std::span<const double> mus,
                               AlignedVector<float>& scratch, double accuracy) const override {
    return shrink(term, batch, mus, scratch, accuracy);
  }
  std::vector<TermResult> prox(int term, std::span<double> batch, std::span<const double> mus,
                               AlignedVector<double>& scratch, double accuracy) const override {
    return shrink(term, batch, mus, scratch, accuracy);
  }

  std::vector<TermResult> norms(int term, std::span<const float> batch, AlignedVector<float>& scratch) const override {
    const auto count = static_cast<Index>(batch.size()) / shape().size();
    std::vector<TermResult> out(count);
    std::vector<linalg::Shrunk> found(count);
    linalg::Operations<float>& ops = linalg::cpu_backend();
    ops.norms(matrix(term), count, arranged<float>(term, batch, scratch), {&whole, 1}, found);
    for (Index b = 0; b < count; ++b) out[b] = {third * found[b].nuclear, 3 * found[b].largest, 0};
    return out;
  }
  std::vector<TermResult> norms(int term, std::span<const double> batch,
                                AlignedVector<double>& scratch) const override {
    const auto count = static_cast<Index>(batch.size()) / shape().size();
    std::vector<TermResult> out(count);
    const double* matrices = arranged<double>(term, batch, scratch);
    parallel_for(count, [&](Index b, int) {
      const std::vector<double> values = singular_values(term, matrices + b * shape().size());
      for (const double v : values) out[b].value += third * v;
      out[b].dual = 3 * values.front();
    });
    return out;
  }

  double value(int term, const Tensor& a, Proof how) const override {
    const Shape s = matrix(term);
    AlignedVector<double> scratch;
    if (how == Proof::exact) return norms(term, a.flat(), scratch).front().value;
    return third * nuclear_bound(gram_norms(term, a), std::min(s.n1, s.n2));
  }
  double dual_norm(int term, const Tensor& a, Proof how) const override {
    AlignedVector<double> scratch;
    return how == Proof::exact ? norms(term, a.flat(), scratch).front().dual : 3 * gram_norms(term, a).largest;
  }

 private:
  /// The matrix that stands for an unfolding.
  Shape matrix(int term) const {
    const Shape& s = shape();
    return term == 0   ? Shape{s.n1, s.n2 * s.n3, 1}
           : term == 1 ? Shape{s.n1 * s.n3, s.n2, 1}
                       : Shape{s.slice(), s.n3, 1};
  }

  /// The batch with its tensors as such matrices: itself, or a copy in scratch.
  template <class Real>
  const Real* arranged(int term, std::span<const Real> batch, AlignedVector<Real>& scratch) const {
    if (term != 1) return batch.data();
    if (scratch.size() < batch.size()) scratch.resize(batch.size());
    exchange(shape(), static_cast<Index>(batch.size()) / shape().size(), batch.data(), scratch.data());
    return scratch.data();
  }

  template <class Real>
  std::vector<TermResult> shrink(int term, std::span<Real> batch, std::span<const double> mus,
                                 AlignedVector<Real>& scratch, double accuracy) const {
    const auto count = static_cast<Index>(mus.size());
    if (static_cast<Index>(batch.size()) != count * shape().size())
      throw Error("a batch of " + std::to_string(count) + " tensors of shape " + to_string(shape()) + " needs " +
                  std::to_string(count * shape().size()) + " numbers, not " + std::to_string(batch.size()));
    std::vector<double> thresholds;
    for (const double mu : mus) thresholds.push_back(third * mu);
    std::vector<linalg::Shrunk> found(count);
    Real* matrices = batch.data();
    if (term == 1) {
      arranged<Real>(term, batch, scratch);
      matrices = scratch.data();
    }
    linalg::Operations<Real>& ops = linalg::cpu_backend();
    ops.shrink(matrix(term), count, matrices, {&whole, 1}, thresholds, found, accuracy);
    if (term == 1) exchange(Shape{shape().n1, shape().n3, shape().n2}, count, scratch.data(), batch.data());
    std::vector<TermResult> out;
    out.reserve(found.size());
    for (const linalg::Shrunk& f : found) out.push_back({third * f.nuclear, 3 * f.largest, f.rank});
    return out;
  }

  std::vector<double> singular_values(int term, const double* from) const {
    const Shape s = matrix(term);
    const std::vector<std::complex<double>> a(from, from + s.size());
    std::vector<double> out(std::min(s.n1, s.n2));
    linalg::Operations<double>& ops = linalg::cpu_backend();
    ops.svd(linalg::SvdKind::values, s.n1, s.n2, a.data(), out.data(), nullptr, nullptr);
    return out;
  }
  linalg::Shrunk gram_norms(int term, const Tensor& a) const {
    AlignedVector<double> scratch;
    linalg::Shrunk out;
    linalg::Operations<double>& ops = linalg::cpu_backend();
    ops.norms(matrix(term), 1, arranged<double>(term, a.flat(), scratch), {&whole, 1}, {&out, 1});
    return out;
  }
};

}  // namespace

PenaltyPointer overlapped_nuclear_norm(const Shape& shape) {
  return std::make_shared<const OverlappedNuclearNorm>(shape);
}

}  // namespace sturm
