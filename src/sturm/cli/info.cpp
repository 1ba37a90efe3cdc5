// SPDX-License-Identifier: BSD-3-Clause
// sturm info: what this program is, how it was built, and what it found on this machine.
#include <fmt/core.h>
#include <omp.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sturm/cli/commands.h"
#include "sturm/core/build_info.h"
#include "sturm/linalg/blas_kernels.h"
#include "sturm/linalg/simd.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); }

ordered_json facts() {
  const BuildInfo build = build_info();
  const linalg::BlasKernels& blas = linalg::blas_kernels();
  return {
      {"version", build.version},
      {"revision", build.revision},
      {"build",
       {{"compiler", build.compiler},
        {"type", build.build_type},
        {"flags", build.flags},
        {"sanitizers", or_null(build.sanitizers)},
        {"cuda", build.cuda}}},
      {"blas",
       {{"library", blas.library},
        {"config", blas.config},
        {"kernels", blas.kernels},
        {"kernels_note", describe(blas)},
        {"choice", name(blas.choice)},
        {"replaced", or_null(blas.replaced)},
        {"better", or_null(blas.better)}}},
      {"processor", {{"simd", linalg::name(linalg::processor_level())}, {"features", linalg::processor_features()}}},
      {"simd", linalg::simd_level()},
      {"threads", omp_get_max_threads()},
      {"devices", {{"cpu", "available"}, {"cuda", build.cuda ? "available" : "not built"}}},
  };
}

void print_table(const ordered_json& facts) {
  const auto line = [](const char* key, const std::string& value) { fmt::print("{:<11} {}\n", key, value); };
  const auto text = [](const ordered_json& value) { return value.get<std::string>(); };
  const ordered_json& build = facts["build"];
  const ordered_json& blas = facts["blas"];
  std::string features;
  for (const auto& feature : facts["processor"]["features"]) features += " " + text(feature);

  line("version", fmt::format("{} (revision {})", text(facts["version"]), text(facts["revision"])));
  line("build", fmt::format("{}, {}, {}", text(build["compiler"]), text(build["type"]), text(build["flags"])));
  if (!build["sanitizers"].is_null()) line("sanitizers", text(build["sanitizers"]));
  line("BLAS", text(text(blas["config"]).empty() ? blas["library"] : blas["config"]));
  line("kernels", text(blas["kernels_note"]));
  line("processor", fmt::format("{}:{}", text(facts["processor"]["simd"]), features));
  line("own kernels", text(facts["simd"]));
  line("threads", fmt::format("{}", facts["threads"].get<int>()));
  line("devices", fmt::format("cpu; cuda: {}", text(facts["devices"]["cuda"])));
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* info = program.add_subcommand("info", "Version, build, BLAS kernels and devices");
  const auto json = std::make_shared<bool>(false);
  info->add_flag("--json", *json, "Print JSON");
  info->callback([json] {
    const ordered_json found = facts();
    if (*json)
      fmt::print("{}\n", found.dump(2));
    else
      print_table(found);
  });
}

}  // namespace sturm::cli
