// SPDX-License-Identifier: BSD-3-Clause
// The program sturm: reads the command line, runs one command, and turns what went wrong into an exit code.
#include <fmt/core.h>

#include <exception>
#include <new>
#include <string>

#include "sturm/cli/commands.h"
#include "sturm/cli/signals.h"
#include "sturm/cli/words.h"
#include "sturm/core/build_info.h"
#include "sturm/core/error.h"
#include "sturm/core/heap.h"
#include "sturm/linalg/blas_kernels.h"
#include "sturm/solver/progress.h"

namespace sturm::cli {
namespace {

int run(int argc, char** argv) {
  const BuildInfo build = build_info();
  CLI::App program("Sparse, low-tubal-rank regression for whole-brain volumes.", "sturm");
  program.set_version_flag("--version", fmt::format("sturm {}", build.version));
  program.require_subcommand(0, 1);
  program.failure_message([](const CLI::App*, const CLI::Error& error) {
    return fmt::format("sturm: {} (see sturm --help)\n", error.what());
  });
  add_check(program);
  add_cv(program);
  add_fit(program);
  add_predict(program);
  add_verify(program);
  add_report(program);
  add_phantom(program);
  add_info(program);

  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {  // also thrown for --help and --version, with code 0
    return program.exit(error) == 0 ? done : wrong_usage;
  }
  if (program.get_subcommands().empty()) fmt::print("{}", program.help());
  return done;
}

int fail(ExitCode code, const std::exception& error, const char* prefix = "") {
  fmt::print(stderr, "sturm: {}{}\n", prefix, in_flags(error.what()));
  return code;
}

}  // namespace
}  // namespace sturm::cli

int main(int argc, char** argv) {
  using namespace sturm::cli;
  try {
    const std::string sentence = sturm::linalg::restart_with_better_blas(argv);
    if (!sentence.empty()) fmt::print(stderr, "sturm: {}\n", sentence);
    sturm::keep_freed_memory();
    return run(argc, argv);
  } catch (const sturm::Interrupted&) {
    fmt::print(stderr, "sturm: {}\n", words_when_stopped());
    return resumable;
  } catch (const NotConverged& error) {
    return fail(not_converged, error);
  } catch (const sturm::UsageError& error) {
    return fail(wrong_usage, error);
  } catch (const sturm::Error& error) {
    return fail(bad_input, error);
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "sturm: out of memory; give the program less to do at a time, or more memory.\n");
    return bad_input;
  } catch (const std::exception& error) {
    return fail(our_bug, error, "this is a bug of ours: ");
  }
}
