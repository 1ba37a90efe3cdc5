// SPDX-License-Identifier: BSD-3-Clause
// sturm info: what this program is, how it was built, and what it found on this machine; or what a file is.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sturm/app/describe_file.h"
#include "sturm/cli/commands.h"
#include "sturm/cli/method_flags.h"
#include "sturm/cli/words.h"
#include "sturm/core/build_info.h"
#include "sturm/core/parallel.h"
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
      {"threads", threads()},
      {"devices", {{"cpu", "available"}, {"cuda", build.cuda ? "available" : "not built"}}},
      {"methods", method_names()},
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
  line("methods", text(facts["methods"]));
}

std::string as_text(const ordered_json& value, const std::string& between = ", ") {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string all;
  for (const ordered_json& item : value) all += (all.empty() ? "" : between) + as_text(item, " ");
  return all;
}

/// What stands between the items of a list.
std::string separator(const std::string& key) {
  if (key == "shape" || key == "voxel_size") return " x ";
  return key == "range" ? " to " : ", ";
}

void print_file(const ordered_json& facts) {
  for (const auto& [key, value] : facts.items()) {
    if (key == "warnings")
      for (const ordered_json& warning : value) fmt::print("{:<15} {}\n", "warning", as_text(warning));
    else if (!value.is_null())
      fmt::print("{:<15} {}\n", key, as_text(value, separator(key)));
  }
}

}  // namespace

void add_info(CLI::App& program) {
  CLI::App* info = program.add_subcommand("info", "What a file is; alone: version, build, BLAS kernels and devices");
  const auto json = std::make_shared<bool>(false);
  const auto methods = std::make_shared<bool>(false);
  const auto file = std::make_shared<std::string>();
  info->add_option("file", *file, "a volume (.nii, .hdr, .img), an .npy, .tsv or model file, or the folder of a fit");
  info->add_flag("--methods", *methods, "every method, its parameters, and whom to cite");
  info->add_flag("--json", *json, "print JSON");
  info->callback([json, methods, file] {
    if (*methods && !file->empty()) throw UsageError("--methods describes the program: it does not go with a file.");
    const ordered_json found = *methods        ? describe_methods()
                               : file->empty() ? facts()
                                               : json_in_flags(describe_file(*file));
    if (*json)
      fmt::print("{}\n", found.dump(2, ' ', false, ordered_json::error_handler_t::replace));
    else if (*methods)
      print_methods(found);
    else
      file->empty() ? print_table(found) : print_file(found);
  });
}

}  // namespace sturm::cli
