// SPDX-License-Identifier: BSD-3-Clause
// What the solver asks of a low-rank penalty. docs/add-a-penalty.md shows how to write one.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/tensor.h"

namespace sturm {

/// What was found of one tensor.
struct TermResult {
  double value = 0;  ///< |.|_k: of the result of a prox, of the tensor itself otherwise
  double dual = 0;   ///< dual norm of what came in; 0 where a prox saw by a bound alone that nothing is left
  Index rank = 0;    ///< of the result of a prox
};

/// How a norm is computed where it must hold as a proof: by SVD; or through Gram matrices, with what those may miss
/// added to values, so that they are bounds from above. A few 1e-8 apart, and the second is some ten times faster.
enum class Proof { exact, gram };

/// A sum of norms of tensors of one shape,
///     |W| = |W|_1 + ... + |W|_K,
/// whose terms have each a prox. The ball of its subgradients at 0 is the sum of the balls |G|_k' <= 1 of the dual
/// norms: the solver holds one copy of W and one part of the dual split for each term. Constant factors belong to the
/// terms. Objects are immutable and safe to use from many threads; `scratch` grows as needed and can be used again.
class Penalty {
 public:
  explicit Penalty(const Shape& shape) : shape_(shape.check()) {}
  Penalty(const Penalty&) = delete;
  Penalty& operator=(const Penalty&) = delete;
  virtual ~Penalty() = default;

  const Shape& shape() const { return shape_; }
  virtual std::string name() const = 0;
  virtual int terms() const = 0;

  /// argmin_Z  mus[b] |Z|_k + 1/2 |Z - Y_b|^2 in place, for every tensor of a batch (one after the other in memory). A
  /// tensor's bits depend neither on the batch nor on the threads. `accuracy` as in Operations::shrink.
  virtual std::vector<TermResult> prox(int term, std::span<float> batch, std::span<const double> mus,
                                       AlignedVector<float>& scratch, double accuracy = 0) const = 0;
  virtual std::vector<TermResult> prox(int term, std::span<double> batch, std::span<const double> mus,
                                       AlignedVector<double>& scratch, double accuracy = 0) const = 0;

  /// |.|_k and its dual norm of every tensor of a batch: good to 1e-6 in single precision, exact in double.
  virtual std::vector<TermResult> norms(int term, std::span<const float> batch,
                                        AlignedVector<float>& scratch) const = 0;
  virtual std::vector<TermResult> norms(int term, std::span<const double> batch,
                                        AlignedVector<double>& scratch) const = 0;

  /// |A|_k and its dual norm for a proof.
  virtual double value(int term, const Tensor& a, Proof how) const = 0;
  virtual double dual_norm(int term, const Tensor& a, Proof how) const = 0;

  /// |W| of a tensor that is 1 in one voxel and 0 elsewhere, or a bound from above.
  virtual double one_voxel() const = 0;

  /// All terms together.
  double value(const Tensor& a, Proof how) const {
    double sum = 0;
    for (int k = 0; k < terms(); ++k) sum += value(k, a, how);
    return sum;
  }

 private:
  Shape shape_;
};

using PenaltyPointer = std::shared_ptr<const Penalty>;

/// The tubal nuclear norm of tensor/tnn.h: one term.
PenaltyPointer tubal_nuclear_norm(const Shape& shape);

/// The overlapped nuclear norm (1/3) sum_n |W_(n)|_* of the three unfoldings: three terms.
PenaltyPointer overlapped_nuclear_norm(const Shape& shape);

}  // namespace sturm
