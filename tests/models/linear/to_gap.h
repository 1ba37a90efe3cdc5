// SPDX-License-Identifier: BSD-3-Clause
// Fits of linear methods to a gap.
#pragma once

#include "models/study.h"

namespace sturm::test {

template <class Real>
std::vector<std::unique_ptr<FittedModel<Real>>> fit_to_gap(const Method<Real>& method, const FitData<Real>& data,
                                                           const std::vector<FitTask>& tasks, double gap = 1e-10) {
  MethodOptions options;
  options.solver.gap = gap;
  std::vector<std::unique_ptr<FittedModel<Real>>> out(tasks.size());
  method.fit(data, tasks, options, [&](Index t, auto model) { out[t] = std::move(model); });
  return out;
}

}  // namespace sturm::test
