// SPDX-License-Identifier: BSD-3-Clause
// Probabilities from decision values f:  P(y = +1 | f) = 1 / (1 + exp(slope f + offset)), after Platt 1999.
#pragma once

#include <vector>

#include "sturm/models/method.h"

namespace sturm {

struct Sigmoid {
  double slope = -1, offset = 0;
  double probability(double decision) const;
};

/// The likeliest sigmoid by Newton's method, as Lin, Lin and Weng 2007 do it, with Platt's targets (n+ + 1)/(n+ + 2)
/// and 1/(n- + 2) in place of 1 and 0. The values must be of samples that the model has not seen. weights: empty for
/// all 1; samples of weight 0 are left out.
Sigmoid fit_sigmoid(std::span<const double> decision, std::span<const double> y, std::span<const double> weights = {});

/// The sigmoid of a task, from the number of its fold, from 0, for every sample (-1: not used): the method is fitted
/// without each fold in turn, all in one batch, and the decision values of the fold left out count.
template <class Real>
Sigmoid fit_sigmoid_on_folds(const Method<Real>& method, const FitData<Real>& data, const FitTask& task,
                             std::span<const int> fold, const MethodOptions& options);

/// Weights with which all classes count alike: each is multiplied by total / (classes total of its class).
std::vector<double> balanced_weights(std::span<const double> y, std::span<const double> weights);

}  // namespace sturm
