// SPDX-License-Identifier: BSD-3-Clause
// The program sturm: reads the command line, runs one command, and turns what went wrong into an exit code.
#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include "sturm/cli/commands.h"
#include "sturm/cli/manual_of.h"
#include "sturm/cli/options.h"
#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/core/heap.h"
#include "sturm/core/text.h"
#include "sturm/linalg/blas_kernels.h"
#include "sturm/solver/progress.h"
#include "sturm/terminal/early.h"
#include "sturm/terminal/signals.h"
#include "sturm/terminal/voice.h"
#include "sturm/text/given_words.h"

namespace sturm::cli {
namespace {

void add_commands(CLI::App& program) {
  program.set_help_flag("-h,--help", "this help, or that of a command");
  program.add_flag("--version")->description("the program's version");
  program.require_subcommand(0, 1);
  program.footer(
      "A study to try things on\nsturm phantom -o phantom\n"
      "Two methods compared by nested cross-validation\n"
      "sturm cv --samples phantom/samples.tsv --target group --positive patient --methods sturm,svm -o results");
  add_cv(program);
  add_fit(program);
  add_check(program);  // which takes what these two take
  add_predict(program);
  add_verify(program);
  add_report(program);
  add_phantom(program);
  add_info(program);
  add_help(program);
}

int run(int argc, char** argv) {
  CLI::App program("sparse, low-tubal-rank regression for whole-brain volumes, with proofs", "sturm");
  add_commands(program);
  use_one_parser(program);

  const std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
  for (std::size_t w = 0; w < words.size(); ++w)  // before anything can go wrong
    if (words[w] == "--progress=json" || (words[w] == "--progress" && w + 1 < words.size() && words[w + 1] == "json"))
      speak_json();
  const ProgramPage page = manual_of(program);
  const GivenWords given = check_words(page, words);
  if (given.version) return fmt::print("sturm {}\n", page.version), done;
  if (given.help) return print_help(page, given.command), done;
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {  // whatever check_words() does not know of
    throw UsageError(fmt::format("{}; see sturm help {}.", error.what(), given.command));
  }
  return done;
}

/// What a file system or the system said no to, in words.
std::string refused(const std::filesystem::filesystem_error& error) {
  return fmt::format("{}: {}; check the path and its permissions.", error.path1().string(), reason_of(error.code()));
}

int guarded(int argc, char** argv) {
  const auto fail = [](ExitCode code, const std::string& sentence) {
    tell_failure(sentence);
    return code;
  };
  const std::string no_memory =
      "there is not enough memory for this; give the program less to do at a time, or more memory.";
  try {
    const std::string sentence = linalg::restart_with_better_blas(argv);
    if (!sentence.empty()) tell_plainly("warning", "sturm: " + sentence);
    keep_freed_memory();
    return run(argc, argv);
  } catch (const Interrupted&) {
    return fail(resumable, words_when_stopped());
  } catch (const NotConverged& error) {
    return fail(not_converged, error.what());
  } catch (const UsageError& error) {
    return fail(wrong_usage, error.what());
  } catch (const Error& error) {
    return fail(bad_input, error.what());
  } catch (const std::bad_alloc&) {
    return fail(bad_input, no_memory);
  } catch (const std::length_error&) {  // of a vector longer than any memory
    return fail(bad_input, no_memory);
  } catch (const std::filesystem::filesystem_error& error) {
    return fail(bad_input, refused(error));
  } catch (const std::system_error& error) {
    if (std::ferror(stdout)) return bad_input;  // finish() says it
    return fail(bad_input, fmt::format("the system refused what was needed ({}); check its limits (ulimit -a), and use "
                                       "fewer `threads`.",
                                       error.code().message()));
  } catch (const std::exception& error) {
    return fail(our_bug, std::string("this is a bug of ours: ") + error.what());
  }
}

}  // namespace
}  // namespace sturm::cli

int main(int argc, char** argv) {
  using namespace sturm::cli;
  prepare_streams();
  started();
  return finish(guarded(argc, argv));
}
