// SPDX-License-Identifier: BSD-3-Clause
// Sturm: the tubal nuclear norm and the l1 norm.
#include "sturm/models/linear/linear_settings.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {

template <class Real>
std::unique_ptr<Method<Real>> make_sturm() {
  return std::make_unique<PenalisedMethod<Real>>(PenalisedKind{
      .name = "sturm",
      .title = "Sturm: tubal nuclear norm and l1 norm",
      .reference = "Li, Lou, Zhou and Lu (2018), Sturm: sparse tubal-regularized multilinear regression for fMRI, "
                   "arXiv:1812.01496",
      .cost = 440,
      .proof = ProofKind::tubal,
      .penalty = tubal_nuclear_norm,
      .automatic_alpha = [](const Shape& shape) { return loss_weight(0, shape); }});
}

template std::unique_ptr<Method<float>> make_sturm();
template std::unique_ptr<Method<double>> make_sturm();

}  // namespace sturm
