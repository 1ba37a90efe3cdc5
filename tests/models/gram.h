// SPDX-License-Identifier: BSD-3-Clause
// The Gram matrix that a kernel method forms for a task.
#pragma once

#include "sturm/models/kernel/kernel_tasks.h"

namespace sturm::test {

template <class Real>
std::vector<double> gram_of_task(const FitData<Real>& data, const FitTask& task, Digits digits = Digits::plain) {
  const TrainingSets<Real> study(data);
  return gram_of(study, study.of(task.weights).space(), digits);
}

}  // namespace sturm::test
