// SPDX-License-Identifier: BSD-3-Clause
// The tubal nuclear norm as a penalty.
#include "sturm/penalty/gram_margin.h"
#include "sturm/penalty/penalty.h"
#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

std::vector<TermResult> renamed(const std::vector<ProxTnnResult>& found) {
  std::vector<TermResult> out;
  out.reserve(found.size());
  for (const ProxTnnResult& r : found) out.push_back({r.tnn, r.spectral, r.tubal_rank});
  return out;
}

class TubalNuclearNorm final : public Penalty {
 public:
  explicit TubalNuclearNorm(const Shape& shape) : Penalty(shape), dft_(Transform::dft(shape.n3)) {}

  std::string name() const override { return "tubal nuclear norm"; }
  int terms() const override { return 1; }
  double one_voxel() const override { return 1; }  // n3 slices of nuclear norm 1, over n3

  std::vector<TermResult> prox(int, std::span<float> batch, std::span<const double> mus, AlignedVector<float>& scratch,
                               double accuracy) const override {
    return renamed(prox_tnn_batch<float>(shape(), batch, mus, dft_, scratch, accuracy));
  }
  std::vector<TermResult> prox(int, std::span<double> batch, std::span<const double> mus,
                               AlignedVector<double>& scratch, double accuracy) const override {
    return renamed(prox_tnn_batch<double>(shape(), batch, mus, dft_, scratch, accuracy));
  }
  std::vector<TermResult> norms(int, std::span<const float> batch, AlignedVector<float>& scratch) const override {
    return renamed(tnn_batch<float>(shape(), batch, dft_, scratch));
  }
  std::vector<TermResult> norms(int, std::span<const double> batch, AlignedVector<double>& scratch) const override {
    return renamed(tnn_batch<double>(shape(), batch, dft_, scratch));
  }

  double value(int, const Tensor& a, Proof how) const override {
    if (how == Proof::exact) return tnn(a, dft_);
    const auto found = slices(a);
    double sum = 0;
    for (std::size_t k = 0; k < found.size(); ++k)
      sum += dft_.slices()[k].weight * nuclear_bound(found[k], std::min(shape().n1, shape().n2));
    return sum / dft_.scale();
  }
  double dual_norm(int, const Tensor& a, Proof how) const override {
    if (how == Proof::exact) return tubal_spectral_norm(a, dft_);
    double most = 0;
    for (const linalg::Shrunk& s : slices(a)) most = std::max(most, s.largest);
    return most;
  }

 private:
  std::vector<linalg::Shrunk> slices(const Tensor& a) const {
    const Tensor hat = to_hat(a, dft_);
    std::vector<linalg::Shrunk> out(dft_.slices().size());
    linalg::Operations<double>& ops = linalg::cpu_backend();
    ops.norms(shape(), 1, hat.data(), dft_.slices(), out);
    return out;
  }

  Transform dft_;
};

}  // namespace

PenaltyPointer tubal_nuclear_norm(const Shape& shape) { return std::make_shared<const TubalNuclearNorm>(shape); }

}  // namespace sturm
