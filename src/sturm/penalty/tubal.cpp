// SPDX-License-Identifier: BSD-3-Clause
// The tubal nuclear norm as a penalty.
#include "sturm/core/larger.h"
#include "sturm/linalg/host.h"
#include "sturm/penalty/parts.h"
#include "sturm/penalty/penalty.h"
#include "sturm/penalty/used.h"
#include "sturm/tensor/tnn.h"

namespace sturm {
namespace {

constexpr auto row_of = [](Index i, Index, Index) { return i; };
constexpr auto column_of = [](Index, Index j, Index) { return j; };

Layout layout_of(const Region& region) {
  const Used rows(region, region.box().n1, row_of), columns(region, region.box().n2, column_of);
  return {{rows.size(), columns.size(), region.box().n3}, positions_of(region, [&](Index i, Index j, Index k) {
            return rows[i] + rows.size() * (columns[j] + columns.size() * k);
          })};
}

class TubalNuclearNorm final : public Penalty {
 public:
  explicit TubalNuclearNorm(const Region& region)
      : Penalty(region, {layout_of(region)}), dft_(Transform::dft(region.box().n3)) {}

  std::string name() const override { return "tubal nuclear norm"; }
  Tensor in_box(int, const Tensor& copy) const override {
    const Shape& box = region().box();
    const Used rows(region(), box.n1, row_of), columns(region(), box.n2, column_of);
    return copy_in_box(copy, box, rows, row_of, columns, column_of,
                       [&](Index r, Index c, Index k) { return r + rows.size() * (c + columns.size() * k); });
  }

 protected:
  double one_voxel_of(int) const override { return 1; }  // n3 slices of nuclear norm 1, over n3
  std::vector<TermResult> prox_of(Ops<float>& ops, int, linalg::Part<float> batch, std::span<const double> mus,
                                  linalg::Part<float> scratch, double accuracy) const override {
    return shrink(ops, batch, mus, scratch, accuracy);
  }
  std::vector<TermResult> prox_of(Ops<double>& ops, int, linalg::Part<double> batch, std::span<const double> mus,
                                  linalg::Part<double> scratch, double accuracy) const override {
    return shrink(ops, batch, mus, scratch, accuracy);
  }
  std::vector<TermResult> norms_of(Ops<float>& ops, int, linalg::Part<const float> batch,
                                   linalg::Part<float> scratch) const override {
    return measure(ops, batch, scratch);
  }
  std::vector<TermResult> norms_of(Ops<double>& ops, int, linalg::Part<const double> batch,
                                   linalg::Part<double> scratch) const override {
    return measure(ops, batch, scratch);
  }

  std::vector<TermResult> proven_of(int, std::span<const Tensor> copies, Proof how) const override {
    const Shape& shape = layout(0).shape;
    const auto count = static_cast<Index>(copies.size());
    AlignedVector<double> hat(count * shape.size());
    for (Index b = 0; b < count; ++b) {
      require_same_shape(copies[b].shape(), shape);
      linalg::host::transform(shape, 1, copies[b].data(), dft_.forward<double>(), hat.data() + b * shape.size());
    }
    std::vector<linalg::Shrunk> found(count * static_cast<Index>(dft_.slices().size()));
    const auto norms = how == Proof::exact ? linalg::host::exact_norms : linalg::host::norms<double>;
    norms(shape, count, hat.data(), dft_.slices(), found);
    if (how == Proof::gram)
      for (linalg::Shrunk& slice : found) slice.nuclear = nuclear_bound(slice, std::min(shape.n1, shape.n2));
    return summed(found);
  }

 private:
  template <class Real>
  std::vector<TermResult> shrink(Ops<Real>& ops, linalg::Part<Real> batch, std::span<const double> mus,
                                 linalg::Part<Real> scratch, double accuracy) const {
    const auto count = static_cast<Index>(mus.size());
    require_batch(*this, 0, batch.size(), count);
    std::vector<linalg::Shrunk> shrunk(mus.size() * dft_.slices().size());
    ops.transform(layout(0).shape, count, batch, dft_.forward<Real>(), scratch);
    ops.shrink(layout(0).shape, count, scratch, dft_.slices(), mus, shrunk, accuracy);
    ops.transform(layout(0).shape, count, scratch, dft_.inverse<Real>(), batch);
    return summed(shrunk);
  }
  template <class Real>
  std::vector<TermResult> measure(Ops<Real>& ops, linalg::Part<const Real> batch, linalg::Part<Real> scratch) const {
    const Index count = batch.size() / size(0);
    std::vector<linalg::Shrunk> found(count * static_cast<Index>(dft_.slices().size()));
    ops.transform(layout(0).shape, count, batch, dft_.forward<Real>(), scratch);
    ops.norms(layout(0).shape, count, scratch, dft_.slices(), found);
    return summed(found);
  }
  /// Of the slices of every copy.
  std::vector<TermResult> summed(std::span<const linalg::Shrunk> found) const {
    const auto slices = dft_.slices();
    std::vector<TermResult> out(found.size() / slices.size());
    for (std::size_t b = 0; b < out.size(); ++b)
      for (std::size_t k = 0; k < slices.size(); ++k) {
        const linalg::Shrunk& slice = found[b * slices.size() + k];
        out[b].value += slices[k].weight / dft_.scale() * slice.nuclear;
        out[b].rank = std::max(out[b].rank, slice.rank);
        out[b].dual = larger(out[b].dual, slice.largest);
      }
    return out;
  }
  Transform dft_;
};

}  // namespace

PenaltyPointer tubal_nuclear_norm(const Region& region) { return std::make_shared<const TubalNuclearNorm>(region); }

}  // namespace sturm
