// SPDX-License-Identifier: BSD-3-Clause
// Loops over the numbers of many jobs, in pieces of fixed size.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "sturm/core/larger.h"
#include "sturm/core/parallel.h"

namespace sturm::linalg::cpu {

inline constexpr Index chunk = 8192;  ///< numbers whose sums are kept together

struct Sums {
  double sum[4] = {};
  double most = 0;
};

/// Calls body(job, first, last, sums) for every chunk of every job, size(job) being its numbers. Sums of chunks are
/// added in their order, so that threads and other jobs do not change a bit. A NaN stays one in `most` too.
template <class Job, class Size, class Body>
std::vector<Sums> for_chunks(std::span<Job> jobs, const Size& size, const Body& body) {
  struct Task {
    std::size_t job;
    Index first;
  };
  std::vector<Task> tasks;
  double all = 0;
  for (std::size_t j = 0; j < jobs.size(); ++j) {
    for (Index first = 0; first < size(jobs[j]); first += chunk) tasks.push_back({j, first});
    all += static_cast<double>(size(jobs[j]));
  }
  std::vector<Sums> parts(tasks.size()), out(jobs.size());
  parallel_for(
      static_cast<Index>(tasks.size()),
      [&](Index t, int) {
        const auto& [j, first] = tasks[t];
        body(jobs[j], first, std::min(size(jobs[j]), first + chunk), parts[t]);
      },
      all);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    Sums& to = out[tasks[t].job];
    for (int i = 0; i < 4; ++i) to.sum[i] += parts[t].sum[i];
    to.most = larger(to.most, parts[t].most);
  }
  return out;
}

/// A part's numbers from `first` on; null where there is no part.
template <class Part>
auto from(const Part& part, Index first) {
  return part ? part.address() + first : nullptr;
}

}  // namespace sturm::linalg::cpu
