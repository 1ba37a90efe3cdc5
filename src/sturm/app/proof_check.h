// SPDX-License-Identifier: BSD-3-Clause
// Recomputes what a fit claims of itself from volumes, labels, coefficients and the dual point of its proof: in double,
// from the formulas of docs/proof.md, and with nothing of the solver.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/normalize.h"
#include "sturm/models/proof_point.h"

namespace sturm {

/// What is claimed to have been minimised.
struct ProofTerms {
  ProofKind kind = ProofKind::none;
  double tau = 0, gamma = 0, l2 = 0, alpha = 1;
  double c = 0;     ///< of a support vector machine
  double tube = 0;  ///< and of one for numbers, in deviations of the targets
  bool classes = true;
  bool intercept = true;
  Normalize normalize = Normalize::none;
  bool single = true;  ///< the solver held prepared volumes in single precision, and may differ by its rounding
};

/// A map and an intercept on the scale of the raw volumes.
struct ProofMap {
  std::span<const double> coef;  ///< one per column of the design
  double intercept = 0;
};

struct ProofNumbers {
  double primal = 0, dual = 0, gap = 0;
  /// What rounding explains of a difference of primal and dual value and of the gap.
  double primal_rounding = 0, dual_rounding = 0, gap_rounding = 0;
  double excess_gamma = 0;  ///< max |G1| / gamma; 0 where there is no such condition
  double excess_tau = 0;    ///< the dual norm of G2 over tau
  double excess = 1;        ///< theta is divided by this to be feasible: 1, but for rounding
  double excess_rounding = 0;
  double best_intercept = 0, intercept_rounding = 0;
  std::vector<std::string> problems;  ///< what has no number: a sentence each
};

/// y: one per sample, +1 and -1 for classes. weights: of the samples.
template <class Real>
ProofNumbers check_proof(const ProofTerms& terms, const Design<Real>& x, std::span<const double> y,
                         std::span<const double> weights, const ProofMap& map, const ProofPoint& point);

/// The sum over all frequencies of mode 3 of the singular values, over I3, and the largest one of all; and the same of
/// the three unfoldings: sum / 3, and the largest of each times 3.
struct NormsOfProof {
  double nuclear = 0;
  double rounding = 0;  ///< what Gram matrices may add to the sum
  std::vector<double> spectral;
};
NormsOfProof tubal_norms(const Tensor& a);
NormsOfProof unfolded_norms(const Tensor& a);

}  // namespace sturm
