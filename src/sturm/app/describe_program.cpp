// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/describe_program.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "sturm/core/build_info.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/blas_kernels.h"
#include "sturm/linalg/simd.h"
#include "sturm/models/registry.h"

namespace sturm {

using nlohmann::ordered_json;

namespace {

ordered_json text_or_null(const std::string& text) { return text.empty() ? ordered_json() : ordered_json(text); }

/// The names of all methods.
std::string method_names() {
  std::string out;
  for (const auto& method : methods<double>()) out += (out.empty() ? "" : ", ") + method->name();
  return out;
}

}  // namespace

ordered_json describe_program() {
  const BuildInfo build = build_info();
  const linalg::BlasKernels& blas = linalg::blas_kernels();
  return {
      {"version", build.version},
      {"revision", build.revision},
      {"build",
       {{"compiler", build.compiler},
        {"type", build.build_type},
        {"flags", build.flags},
        {"sanitizers", text_or_null(build.sanitizers)},
        {"cuda", build.cuda}}},
      {"blas",
       {{"library", blas.library},
        {"config", blas.config},
        {"kernels", blas.kernels},
        {"kernels_note", linalg::describe(blas)},
        {"choice", linalg::name(blas.choice)},
        {"replaced", text_or_null(blas.replaced)},
        {"better", text_or_null(blas.better)}}},
      {"processor", {{"simd", linalg::name(linalg::processor_level())}, {"features", linalg::processor_features()}}},
      {"simd", linalg::simd_level()},
      {"threads", threads()},
      {"devices", {{"cpu", "available"}, {"cuda", build.cuda ? "available" : "not built"}}},
      {"methods", method_names()},
  };
}

std::string lines_of_program(const ordered_json& facts) {
  std::string out;
  const auto line = [&out](const char* key, const std::string& value) {
    out += fmt::format("{:<11} {}\n", key, value);
  };
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
  line("methods", text(facts["methods"]));
  return out;
}

}  // namespace sturm
