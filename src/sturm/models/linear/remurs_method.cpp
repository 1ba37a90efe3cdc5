// SPDX-License-Identifier: BSD-3-Clause
// Remurs: the nuclear norms of the three unfoldings and the l1 norm.
#include "sturm/models/linear/penalised_method.h"

namespace sturm {

template <class Real>
std::unique_ptr<Method<Real>> make_remurs() {
  return std::make_unique<PenalisedMethod<Real>>(
      PenalisedKind{.name = "remurs",
                    .title = "Remurs: nuclear norms of the unfoldings and l1 norm",
                    .reference = "Song and Lu (2017), Multilinear regression for embedded feature selection with "
                                 "application to fMRI analysis, AAAI",
                    .cost = 320,
                    .proof = ProofKind::unfoldings,
                    .penalty = overlapped_nuclear_norm,
                    .automatic_alpha = [](const Shape&) { return 1.0; }});
}

template std::unique_ptr<Method<float>> make_remurs();
template std::unique_ptr<Method<double>> make_remurs();

}  // namespace sturm
