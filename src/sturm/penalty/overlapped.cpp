// SPDX-License-Identifier: BSD-3-Clause
// The overlapped nuclear norm of Remurs as a penalty: one term for each unfolding, |W|_n = |W_(n)|_* / 3.
//
// W_(1) is kept as it is, W_(2) and W_(3) transposed: voxels that are neighbours along mode 1 then are neighbours in
// all three. An unfolding has a column for each pair of indices that some voxel of the region has.
#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/penalty/parts.h"
#include "sturm/penalty/penalty.h"
#include "sturm/penalty/used.h"

namespace sturm {
namespace {

constexpr double third = 1.0 / 3;
constexpr linalg::Slice whole{};  // one real matrix

/// Calls body(term, rows, row, columns, column) for each unfolding: which rows and columns the region uses, and the
/// keys of a voxel.
template <class Body>
void for_unfoldings(const Region& region, const Body& body) {
  const Shape s = region.box();
  const auto of_i = [](Index i, Index, Index) { return i; };
  const auto of_j = [](Index, Index j, Index) { return j; };
  const auto of_k = [](Index, Index, Index k) { return k; };
  const auto of_ij = [s](Index i, Index j, Index) { return i + s.n1 * j; };
  const auto of_ik = [s](Index i, Index, Index k) { return i + s.n1 * k; };
  const auto of_jk = [s](Index, Index j, Index k) { return j + s.n2 * k; };
  body(0, Used(region, s.n1, of_i), of_i, Used(region, s.n2 * s.n3, of_jk), of_jk);
  body(1, Used(region, s.n1 * s.n3, of_ik), of_ik, Used(region, s.n2, of_j), of_j);
  body(2, Used(region, s.slice(), of_ij), of_ij, Used(region, s.n3, of_k), of_k);
}

std::vector<Layout> layouts_of(const Region& region) {
  std::vector<Layout> out;
  for_unfoldings(region, [&](int, const Used& rows, auto row, const Used& columns, auto column) {
    out.push_back({{rows.size(), columns.size(), 1}, positions_of(region, [&](Index i, Index j, Index k) {
                     return rows[row(i, j, k)] + rows.size() * columns[column(i, j, k)];
                   })});
  });
  return out;
}

class OverlappedNuclearNorm final : public Penalty {
 public:
  explicit OverlappedNuclearNorm(const Region& region) : Penalty(region, layouts_of(region)) {}

  std::string name() const override { return "overlapped nuclear norm"; }
  Tensor in_box(int term, const Tensor& copy) const override {
    Tensor out(region().box());
    for_unfoldings(region(), [&](int k, const Used& rows, auto row, const Used& columns, auto column) {
      if (k == term)
        out = copy_in_box(copy, region().box(), rows, row, columns, column,
                          [&](Index r, Index c, Index) { return r + rows.size() * c; });
    });
    return out;
  }

 protected:
  double one_voxel_of(int) const override { return third; }  // a matrix with the one singular value 1
  std::vector<TermResult> prox_of(Ops<float>& ops, int term, linalg::Part<float> batch, std::span<const double> mus,
                                  linalg::Part<float>, double accuracy) const override {
    return shrink(ops, term, batch, mus, accuracy);
  }
  std::vector<TermResult> prox_of(Ops<double>& ops, int term, linalg::Part<double> batch, std::span<const double> mus,
                                  linalg::Part<double>, double accuracy) const override {
    return shrink(ops, term, batch, mus, accuracy);
  }
  std::vector<TermResult> norms_of(Ops<float>& ops, int term, linalg::Part<const float> batch,
                                   linalg::Part<float>) const override {
    return measure(ops, term, batch);
  }
  std::vector<TermResult> norms_of(Ops<double>& ops, int term, linalg::Part<const double> batch,
                                   linalg::Part<double>) const override {
    return measure(ops, term, batch);
  }

  std::vector<TermResult> proven_of(int term, std::span<const Tensor> copies, Proof how) const override {
    const Shape& shape = layout(term).shape;
    std::vector<linalg::Shrunk> found(copies.size());
    const auto norms = how == Proof::exact ? linalg::host::exact_norms : linalg::host::norms<double>;
    parallel_for(std::ssize(copies), [&](Index b, int) {
      require_same_shape(copies[b].shape(), shape);
      norms(shape, 1, copies[b].data(), {&whole, 1}, {&found[b], 1});
    });
    if (how == Proof::gram)
      for (linalg::Shrunk& matrix : found) matrix.nuclear = nuclear_bound(matrix, std::min(shape.n1, shape.n2));
    return scaled(found);
  }

 private:
  template <class Real>
  std::vector<TermResult> shrink(Ops<Real>& ops, int term, linalg::Part<Real> batch, std::span<const double> mus,
                                 double accuracy) const {
    const auto count = static_cast<Index>(mus.size());
    require_batch(*this, term, batch.size(), count);
    std::vector<double> thresholds;
    for (const double mu : mus) thresholds.push_back(third * mu);
    std::vector<linalg::Shrunk> found(count);
    ops.shrink(layout(term).shape, count, batch, {&whole, 1}, thresholds, found, accuracy);
    return scaled(found);
  }
  template <class Real>
  std::vector<TermResult> measure(Ops<Real>& ops, int term, linalg::Part<const Real> batch) const {
    std::vector<linalg::Shrunk> found(batch.size() / size(term));
    ops.norms(layout(term).shape, static_cast<Index>(found.size()), batch, {&whole, 1}, found);
    return scaled(found);
  }
  static std::vector<TermResult> scaled(std::span<const linalg::Shrunk> found) {
    std::vector<TermResult> out;
    out.reserve(found.size());
    for (const linalg::Shrunk& f : found) out.push_back({third * f.nuclear, 3 * f.largest, f.rank});
    return out;
  }
};

}  // namespace

PenaltyPointer overlapped_nuclear_norm(const Region& region) {
  return std::make_shared<const OverlappedNuclearNorm>(region);
}

}  // namespace sturm
