// SPDX-License-Identifier: BSD-3-Clause
// The devices that tests of linalg/, penalty/ and solver/ run on: another one is a line here.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sturm/linalg/backend.h"

namespace sturm::test {

inline std::vector<linalg::Backend*> backends() { return {&linalg::cpu_backend()}; }

/// For tests that are not about a device.
inline linalg::Backend& first_backend() { return *backends().front(); }

class OnBackend : public testing::TestWithParam<linalg::Backend*> {
 protected:
  linalg::Backend& backend = *GetParam();
};

#define STURM_ON_EVERY_BACKEND(Suite)                                                     \
  INSTANTIATE_TEST_SUITE_P(Backends, Suite, testing::ValuesIn(::sturm::test::backends()), \
                           [](const auto& test) { return test.param->name(); })

/// What an array of the device holds.
template <class T>
std::vector<T> host_copy(linalg::Backend& backend, linalg::Part<const std::type_identity_t<T>> array) {
  std::vector<T> out(array.size());
  backend.download<T>(array, out);
  return out;
}

}  // namespace sturm::test
