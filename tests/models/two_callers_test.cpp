// SPDX-License-Identifier: BSD-3-Clause
// Two callers in one process, each with its own number of threads: neither changes a bit of the other's results.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "models/fitting.h"
#include "sturm/core/parallel.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr Index samples = 24;

Design<float> volumes(std::uint64_t seed) {
  const Shape shape{7, 6, 5};
  const test::Study study = test::random_study(shape, samples, seed);
  AlignedVector<float> x(samples * shape.size());
  for (Index v = 0; v < shape.size(); ++v)
    for (Index m = 0; m < samples; ++m) x[v * samples + m] = static_cast<float>(study.volumes[m].flat()[v]);
  return Design<float>::owning(shape, samples, std::move(x));
}

/// One method on volumes of its own, with the setting in the middle of its grid.
class Caller {
 public:
  Caller(const std::string& method, int threads, std::uint64_t seed)
      : method_(find_method<float>(method)),
        threads_(threads),
        data_(linalg::cpu_backend(), volumes(seed)),
        task_(test::half_task(test::coin_labels(samples, seed), {})) {
    const auto grid = method_.grid(data_, task_, GridKind::path);
    task_.setting = grid[grid.size() / 2];
  }

  std::vector<double> fit() const {
    const UseThreads scope(threads_);
    EXPECT_EQ(threads(), threads_);
    return test::fit_tasks(method_, data_, {task_}).front()->decision_values();
  }

 private:
  const Method<float>& method_;
  int threads_;
  FitData<float> data_;
  FitTask task_;
};

TEST(TwoCallers, EachGetsTheBitsOfItsRunAlone) {
  std::vector<std::string> names;
  for (const auto& method : methods<float>()) names.push_back(method->name());
  const int before = threads();
  for (int round = 0; round < 100; ++round) {
    const std::size_t at = static_cast<std::size_t>(round);
    const Caller one(names[at % names.size()], 1 + round % 3, at),
        other(names[(at + 4) % names.size()], 4 - round % 3, at + 1);
    const std::vector<double> one_alone = one.fit(), other_alone = other.fit();
    std::vector<double> one_beside, other_beside;
    std::thread beside([&] { other_beside = other.fit(); });
    one_beside = one.fit();
    beside.join();
    ASSERT_EQ(one_beside, one_alone) << names[at % names.size()];
    ASSERT_EQ(other_beside, other_alone) << names[(at + 4) % names.size()];
  }
  EXPECT_EQ(threads(), before);
}

}  // namespace
}  // namespace sturm
