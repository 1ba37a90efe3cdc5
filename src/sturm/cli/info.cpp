// SPDX-License-Identifier: BSD-3-Clause
// sturm info: what this program is, how it was built, and what it found on this machine; or what a file is.
#include <fmt/core.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sturm/app/describe_file.h"
#include "sturm/app/describe_methods.h"
#include "sturm/app/describe_program.h"
#include "sturm/cli/commands.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {

using nlohmann::ordered_json;

void add_info(CLI::App& program) {
  CLI::App* info = program.add_subcommand("info", "what a file is; alone: version, build, BLAS kernels and devices");
  info->footer(
      "What a volume is, and why it may not be read\nsturm info volume.nii.gz\n"
      "Every method, its parameters, and whom to cite\nsturm info --methods");
  const auto json = std::make_shared<bool>(false);
  const auto methods = std::make_shared<bool>(false);
  const auto file = std::make_shared<std::string>();
  info->add_option("file", *file, "a volume (.nii, .hdr, .img), an .npy, .tsv or model file, or the folder of a fit");
  info->add_flag("--methods", *methods, "every method, its parameters, and whom to cite");
  info->add_flag("--json", *json, "print JSON");
  info->callback([json, methods, file] {
    if (*methods && !file->empty()) throw UsageError("--methods describes the program: it does not go with a file.");
    const ordered_json found = *methods        ? describe_methods()
                               : file->empty() ? describe_program()
                                               : json_in_flags(describe_file(*file));
    if (*json)
      fmt::print("{}\n", found.dump(2, ' ', false, ordered_json::error_handler_t::replace));
    else
      fmt::print("{}", *methods        ? with_flags(table_of_methods(found))
                       : file->empty() ? lines_of_program(found)
                                       : lines_of_file(found));
  });
}

}  // namespace sturm::cli
