// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace sturm {

/// Adds the time of its life to a counter.
class Timer {
 public:
  explicit Timer(double& counter) : counter_(counter), start_(std::chrono::steady_clock::now()) {}
  ~Timer() { counter_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  double& counter_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace sturm
