// SPDX-License-Identifier: BSD-3-Clause
// What the solver asks of a low-rank penalty. docs/add-a-penalty.md shows how to write one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "sturm/core/region.h"
#include "sturm/linalg/backend.h"

namespace sturm {

/// What was found of one tensor.
struct TermResult {
  double value = 0;  ///< the norm: of the result of a prox, of the tensor itself otherwise
  double dual = 0;   ///< dual norm of what came in; 0 where a prox saw by a bound alone that nothing is left
  Index rank = 0;    ///< of the result of a prox
};

/// How a norm is computed on the host where it must hold as a proof: by SVD; or through Gram matrices, with what those
/// may miss added to values, so that they are bounds from above. A few 1e-8 apart, and the second is some ten times
/// faster.
enum class Proof { exact, gram };

/// Where a term keeps its copy of W: a tensor whose slices, or the one matrix, have rows and columns only for what W
/// can fill. Singular values know nothing of rows and columns of zeros, so that the crop is exact.
struct Layout {
  Shape shape;
  std::vector<Index> positions;  ///< of the voxels of the region, in their order
};

/// A weighted sum of norms of tensors that are 0 outside a region,
///     |W| = c_1 |W|_1 + ... + c_K |W|_K,
/// whose terms have each a prox. The ball of its subgradients at 0 is the sum of the balls |G|_k' <= c_k of the dual
/// norms: the solver holds one copy of W and one part of the dual split for each term, each in the term's own layout.
/// What is public here speaks of the weighted terms c_k |.|_k, what a class of penalties writes, of the norms |.|_k:
/// the weights are multiplied in here and nowhere else. Objects are immutable and safe to use from many threads.
class Penalty {
 public:
  /// Weights, above 0, of the terms; none: 1.
  Penalty(Region region, std::vector<Layout> layouts, std::vector<double> weights = {});
  Penalty(const Penalty&) = delete;
  Penalty& operator=(const Penalty&) = delete;
  virtual ~Penalty() = default;

  const Region& region() const { return region_; }
  int terms() const { return static_cast<int>(layouts_.size()); }
  const Layout& layout(int term) const { return layouts_[term]; }
  Index size(int term) const { return layouts_[term].shape.size(); }
  double weight(int term) const { return weights_[term]; }
  virtual std::string name() const = 0;

  /// argmin_Z  mus[b] c_k |Z|_k + 1/2 |Z - Y_b|^2 in place, for every copy of a batch (one after the other in memory).
  /// A copy's bits depend neither on the batch nor on the threads. `scratch` has the size of the batch; `accuracy` as
  /// in Operations::shrink.
  template <class Real>
  using Ops = linalg::Operations<Real>;
  template <class Real>
  std::vector<TermResult> prox(Ops<Real>& ops, int term, std::type_identity_t<linalg::Part<Real>> batch,
                               std::span<const double> mus, std::type_identity_t<linalg::Part<Real>> scratch,
                               double accuracy = 0) const {
    if (weights_[term] == 1) return prox_of(ops, term, batch, mus, scratch, accuracy);
    std::vector<double> weighted(mus.begin(), mus.end());
    for (double& mu : weighted) mu *= weights_[term];
    return with_weight(term, prox_of(ops, term, batch, weighted, scratch, accuracy));
  }

  /// c_k |.|_k and its dual norm of every copy of a batch: good to 1e-6 in single precision, exact in double.
  template <class Real>
  std::vector<TermResult> norms(Ops<Real>& ops, int term, std::type_identity_t<linalg::Part<const Real>> batch,
                                std::type_identity_t<linalg::Part<Real>> scratch) const {
    return with_weight(term, norms_of(ops, term, batch, scratch));
  }

  /// c_k |A|_k and its dual norm for a proof, of copies on the host, side by side.
  std::vector<TermResult> proven(int term, std::span<const Tensor> copies, Proof how) const {
    return with_weight(term, proven_of(term, copies, how));
  }
  double value(int term, const Tensor& copy, Proof how) const { return proven(term, {&copy, 1}, how).front().value; }
  double dual_norm(int term, const Tensor& copy, Proof how) const { return proven(term, {&copy, 1}, how).front().dual; }

  /// |W| of a tensor that is 1 in one voxel and 0 elsewhere, or a bound from above.
  double one_voxel() const {
    double sum = 0;
    for (int k = 0; k < terms(); ++k) sum += one_voxel(k);
    return sum;
  }
  double one_voxel(int term) const { return weights_[term] * one_voxel_of(term); }  ///< c_k |W|_k

  /// The values of the region's voxels as a copy of the term, on the host; and back.
  template <class Real>
  BasicTensor<Real> placed(int term, std::span<const Real> values) const {
    BasicTensor<Real> out(layouts_[term].shape);
    for (std::size_t c = 0; c < values.size(); ++c) out.data()[layouts_[term].positions[c]] = values[c];
    return out;
  }
  template <class Real>
  BasicTensor<Real> gathered(int term, const BasicTensor<Real>& copy) const {
    BasicTensor<Real> out(region_.column_shape());
    for (Index c = 0; c < region_.size(); ++c) out.data()[c] = copy.data()[layouts_[term].positions[c]];
    return out;
  }

  /// A copy as a tensor of the box with the same dual norm |.|_k', for files: what lies outside the region comes along.
  virtual Tensor in_box(int term, const Tensor& copy) const;

  /// All terms together, of the values of the region's voxels.
  double value(const Tensor& w, Proof how) const {
    double sum = 0;
    for (int k = 0; k < terms(); ++k) sum += value(k, placed<double>(k, w.flat()), how);
    return sum;
  }

 protected:
  // The same of |.|_k, without its weight.
  virtual std::vector<TermResult> prox_of(Ops<float>& ops, int term, linalg::Part<float> batch,
                                          std::span<const double> mus, linalg::Part<float> scratch,
                                          double accuracy) const = 0;
  virtual std::vector<TermResult> prox_of(Ops<double>& ops, int term, linalg::Part<double> batch,
                                          std::span<const double> mus, linalg::Part<double> scratch,
                                          double accuracy) const = 0;
  virtual std::vector<TermResult> norms_of(Ops<float>& ops, int term, linalg::Part<const float> batch,
                                           linalg::Part<float> scratch) const = 0;
  virtual std::vector<TermResult> norms_of(Ops<double>& ops, int term, linalg::Part<const double> batch,
                                           linalg::Part<double> scratch) const = 0;
  virtual std::vector<TermResult> proven_of(int term, std::span<const Tensor> copies, Proof how) const = 0;
  virtual double one_voxel_of(int term) const = 0;

 private:
  std::vector<TermResult> with_weight(int term, std::vector<TermResult> found) const;

  Region region_;
  std::vector<Layout> layouts_;
  std::vector<double> weights_;
};

using PenaltyPointer = std::shared_ptr<const Penalty>;

/// The tubal nuclear norm of tensor/tnn.h: one term. Its copy has the rows and columns of the slices that the region
/// reaches, and whole tubes.
PenaltyPointer tubal_nuclear_norm(const Region& region);

/// The overlapped nuclear norm (1/3) sum_n |W_(n)|_* of the three unfoldings: three terms. Their copies are the
/// unfoldings themselves, without the rows and columns that the region does not reach.
PenaltyPointer overlapped_nuclear_norm(const Region& region);

}  // namespace sturm
