// SPDX-License-Identifier: BSD-3-Clause
// Every input that a fuzzer ever stumbled over, again: regressions/TARGET/*. A crash, or a sanitizer's finding, is the
// failure.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/targets.h"

namespace sturm::fuzz {
namespace {

struct Target {
  const char* name;
  void (*run)(std::string_view);
};

class FuzzRegressions : public testing::TestWithParam<Target> {};

TEST_P(FuzzRegressions, AreSurvived) {
  const auto [name, run] = GetParam();
  run("");
  run("x");
  run(std::string(4096, '\0'));
  const std::filesystem::path folder = std::filesystem::path(STURM_REGRESSIONS_DIR) / name;
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream in(entry.path(), std::ios::binary);
    run(std::string(std::istreambuf_iterator<char>(in), {}));
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, FuzzRegressions,
                         testing::Values(Target{"header", header}, Target{"gzip", gzip},
                                         Target{"extensions", extensions}, Target{"table", table},
                                         Target{"model", model}, Target{"journal", journal}, Target{"cache", cache},
                                         Target{"config", config}),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace sturm::fuzz
