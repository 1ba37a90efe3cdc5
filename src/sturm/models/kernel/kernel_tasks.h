// SPDX-License-Identifier: BSD-3-Clause
// What the kernel methods share: one Gram matrix for all tasks that can use it, and tasks side by side.
#pragma once

#include <algorithm>
#include <map>

#include "sturm/core/parallel.h"
#include "sturm/models/kernel/kernel_samples.h"
#include "sturm/models/training_set.h"

namespace sturm {

/// The Gram matrix of all voxels of a space as the training set sees them.
template <class Real>
std::vector<double> gram_of(const TrainingSets<Real>& study, const VoxelSpace& space, Digits digits = Digits::plain) {
  return gram(study.data().design, study.samples(), space, digits);
}

/// Calls body(space, gram, tasks) once for every Gram matrix that the tasks need. Only `voxel` learns it from the
/// samples of the task; all others share one. `for_one`: of a matrix that one task needs.
template <class Real, class Body>
void for_each_gram(const TrainingSets<Real>& study, std::span<const FitTask> tasks, Body body,
                   Digits for_one = Digits::plain) {
  const FitData<Real>& data = study.data();
  std::map<std::vector<double>, std::vector<Index>> groups;
  for (std::size_t t = 0; t < tasks.size(); ++t)
    groups[data.normalize == Normalize::voxel ? training_weights(tasks[t].weights, data.design.samples())
                                              : std::vector<double>()]
        .push_back(static_cast<Index>(t));
  for (const auto& [weights, members] : groups) {
    const VoxelSpace space = study.of(tasks[members.front()].weights).space();
    body(space, gram_of(study, space, members.size() == 1 ? for_one : Digits::plain), members);
  }
}

/// Makes the model of every listed task, some at a time, and hands them over on the thread that called.
template <class Real, class Make>
void fit_side_by_side(std::span<const Index> tasks, const MethodOptions& options,
                      const typename Method<Real>::Take& take, Make make) {
  constexpr Index chunk = 16;
  const auto count = static_cast<Index>(tasks.size());
  for (Index first = 0; first < count; first += chunk) {
    const Index size = std::min(chunk, count - first);
    if (options.progress && !options.progress({0, 1, static_cast<int>(size), static_cast<int>(count)}))
      throw Interrupted();
    std::vector<std::unique_ptr<FittedModel<Real>>> models(size);
    // One task has all threads for its own loops.
    if (size == 1)
      models[0] = make(tasks[first]);
    else
      parallel_for(size, [&](Index i, int) { models[i] = make(tasks[first + i]); });
    for (Index i = 0; i < size; ++i) take(tasks[first + i], std::move(models[i]));
  }
}

/// Settings in which every list's numbers meet every other's; the last list runs fastest.
inline std::vector<std::vector<double>> every_combination(const std::vector<std::vector<double>>& lists) {
  std::vector<std::vector<double>> out = {{}};
  for (const std::vector<double>& list : lists) {
    std::vector<std::vector<double>> longer;
    for (const std::vector<double>& head : out)
      for (const double value : list) {
        longer.push_back(head);
        longer.back().push_back(value);
      }
    out = std::move(longer);
  }
  return out;
}

}  // namespace sturm
