// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/linalg/blas_kernels.h"

#include <strings.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <string_view>

#include "sturm/core/error.h"
#include "sturm/linalg/blas_name.h"

// Weak, so that the library also links with a BLAS that is not OpenBLAS.
extern "C" {
[[gnu::weak]] char* STURM_BLAS(openblas_get_corename)();
[[gnu::weak]] char* STURM_BLAS(openblas_get_config)();
[[gnu::weak]] int STURM_BLAS(openblas_get_parallel)();
void STURM_BLAS(sgemm_)();
}

namespace sturm::linalg {
namespace {

constexpr const char* core_type_variable = "OPENBLAS_CORETYPE";
constexpr const char* request_variable = "STURM_BLAS_KERNELS";
constexpr const char* threads_variable = "OPENBLAS_NUM_THREADS";
// Set only between the two starts.
constexpr const char* restarted_variable = "STURM_BLAS_RESTARTED_FROM";
constexpr const char* one_thread_variable = "STURM_BLAS_ONE_THREAD";

// Weak names alone would let the linker leave the BLAS out of a program that calls nothing else of it.
[[gnu::used]] void (*const needs_blas)() = STURM_BLAS(sgemm_);

constexpr std::array sse_kernels{"generic", "Katmai",       "Coppermine", "Northwood",  "Prescott", "Banias",
                                 "Atom",    "Core2",        "Penryn",     "Dunnington", "Nehalem",  "Athlon",
                                 "Opteron", "Opteron_SSE3", "Barcelona",  "Bobcat",     "Nano"};
constexpr std::array avx_kernels{"Sandybridge", "Bulldozer", "Piledriver", "Steamroller"};
constexpr std::array avx2_kernels{"Haswell", "Broadwell", "Excavator", "Zen"};
constexpr std::array avx512_kernels{"SkylakeX", "Icelake", "Cooperlake", "SapphireRapids", "Zen4", "Zen5"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

bool same_name(std::string_view a, std::string_view b) {
  return a.size() == b.size() && strncasecmp(a.data(), b.data(), a.size()) == 0;
}

std::string kernels_in_use() {
  return STURM_BLAS(openblas_get_corename) ? STURM_BLAS(openblas_get_corename)() : "unknown";
}

/// Reads the state, and takes what we set for the second start out of the environment again: a program that we
/// start, perhaps on another machine, has to choose for itself.
BlasKernels inspect() {
  BlasKernels blas;
  blas.kernels = kernels_in_use();
  blas.better = better_kernels(blas.kernels, processor_level());
  blas.config = STURM_BLAS(openblas_get_config) ? STURM_BLAS(openblas_get_config)() : "";
  const std::string_view config = blas.config;
  blas.library = config.empty() ? "unknown" : std::string(config.substr(0, config.find(' ', config.find(' ') + 1)));

  const std::string before = variable(restarted_variable);
  if (before.empty()) {
    blas.choice = variable(core_type_variable).empty() ? KernelChoice::library : KernelChoice::user;
  } else if (!same_name(before, blas.kernels)) {
    blas.choice = variable(request_variable).empty() ? KernelChoice::corrected : KernelChoice::forced;
    blas.replaced = before;
  }
  if (!before.empty()) {
    unsetenv(restarted_variable);
    unsetenv(core_type_variable);
  }
  if (!variable(one_thread_variable).empty()) {
    unsetenv(one_thread_variable);
    unsetenv(threads_variable);
  }
  return blas;
}

/// Whether the library has started a thread for every processor when it was loaded. They spin for a tenth of a second
/// before they sleep, and we have no use for them: our own loops are the parallel ones.
bool has_idle_threads() {
  constexpr int own_threads = 1;  // 0: none; 2: those of OpenMP, which begin with the first loop
  return STURM_BLAS(openblas_get_parallel) && STURM_BLAS(openblas_get_parallel)() == own_threads &&
         variable(threads_variable).empty() && variable(request_variable) != "keep" &&
         sysconf(_SC_NPROCESSORS_ONLN) > 1;
}

/// The kernel set this process should be started again with; empty for none.
std::string wanted_kernels(const BlasKernels& blas) {
  const std::string request = variable(request_variable);
  if (request == "keep" || blas.kernels == "unknown") return {};
  if (request.empty()) return blas.choice == KernelChoice::user ? std::string() : blas.better;
  if (kernel_level(request) > processor_level())
    throw UsageError(std::string(request_variable) + "=" + request + " needs " + name(kernel_level(request)) +
                     " instructions, which this processor does not have: choose a lower kernel set or unset it.");
  return same_name(request, blas.kernels) ? std::string() : request;
}

}  // namespace

const char* name(SimdLevel level) {
  constexpr std::array names{"unknown", "SSE", "AVX", "AVX2", "AVX-512"};
  return names[static_cast<std::size_t>(level)];
}

#if defined(__x86_64__)
std::vector<std::string> processor_features() {
  std::vector<std::string> found;
  const auto add = [&](const char* feature, bool supported) {
    if (supported) found.emplace_back(feature);
  };
  __builtin_cpu_init();
  add("sse4.2", __builtin_cpu_supports("sse4.2"));  // the builtin takes literals only
  add("avx", __builtin_cpu_supports("avx"));
  add("avx2", __builtin_cpu_supports("avx2"));
  add("fma", __builtin_cpu_supports("fma"));
  add("avx512f", __builtin_cpu_supports("avx512f"));
  add("avx512cd", __builtin_cpu_supports("avx512cd"));
  add("avx512dq", __builtin_cpu_supports("avx512dq"));
  add("avx512bw", __builtin_cpu_supports("avx512bw"));
  add("avx512vl", __builtin_cpu_supports("avx512vl"));
  return found;
}

SimdLevel processor_level() {
  const auto features = processor_features();
  const auto has = [&](std::initializer_list<const char*> names) {
    return std::all_of(names.begin(), names.end(), [&](const char* name) {
      return std::find(features.begin(), features.end(), name) != features.end();
    });
  };
  if (has({"avx512f", "avx512cd", "avx512dq", "avx512bw", "avx512vl"})) return SimdLevel::avx512;
  if (has({"avx2", "fma"})) return SimdLevel::avx2;
  return has({"avx"}) ? SimdLevel::avx : SimdLevel::sse;
}
#else
std::vector<std::string> processor_features() { return {}; }
SimdLevel processor_level() { return SimdLevel::unknown; }
#endif

SimdLevel kernel_level(const std::string& kernels) {
  const auto is_in = [&](const auto& names) {
    return std::any_of(names.begin(), names.end(), [&](const char* name) { return same_name(name, kernels); });
  };
  if (is_in(avx512_kernels)) return SimdLevel::avx512;
  if (is_in(avx2_kernels)) return SimdLevel::avx2;
  if (is_in(avx_kernels)) return SimdLevel::avx;
  return is_in(sse_kernels) ? SimdLevel::sse : SimdLevel::unknown;
}

std::string better_kernels(const std::string& kernels, SimdLevel processor) {
  const SimdLevel level = kernel_level(kernels);
  if (level == SimdLevel::unknown || level >= processor) return {};
  switch (processor) {
    case SimdLevel::avx512: return "SkylakeX";
    case SimdLevel::avx2: return "Haswell";
    case SimdLevel::avx: return "Sandybridge";
    default: return {};
  }
}

const char* name(KernelChoice choice) {
  constexpr std::array names{"library", "user", "forced", "corrected"};
  return names[static_cast<std::size_t>(choice)];
}

const BlasKernels& blas_kernels() {
  static const BlasKernels blas = inspect();
  return blas;
}

std::string describe(const BlasKernels& blas) {
  std::string text = blas.kernels;
  if (blas.choice == KernelChoice::corrected) text += " (corrected from " + blas.replaced + ")";
  if (blas.choice == KernelChoice::forced) text += " (asked for by STURM_BLAS_KERNELS)";
  if (!blas.better.empty()) {
    text += ", below what this processor can do";
    if (blas.choice == KernelChoice::user) text += " (set by you)";
  }
  return text;
}

std::string restart_with_better_blas(char** argv) {
  const bool restarted = !variable(restarted_variable).empty(), one_thread = !variable(one_thread_variable).empty();
  const BlasKernels& blas = blas_kernels();
  std::string wanted = wanted_kernels(blas), sentence;
  if (restarted && !wanted.empty()) {
    sentence = "OpenBLAS has no kernel set " + wanted + " here and uses " + blas.kernels + ".";
    wanted.clear();
  }
  const bool fewer_threads = !restarted && !one_thread && has_idle_threads();
  if (wanted.empty() && !fewer_threads) return sentence;
  const std::string user_core_type = variable(core_type_variable);
  if (!wanted.empty()) {
    setenv(core_type_variable, wanted.c_str(), 1);
    setenv(restarted_variable, blas.kernels.c_str(), 1);
  }
  if (fewer_threads) {
    setenv(threads_variable, "1", 1);
    setenv(one_thread_variable, "1", 1);
  }
  std::array<char, 4096> path{};
  if (readlink("/proc/self/exe", path.data(), path.size() - 1) > 0) execv(path.data(), argv);

  const int reason = errno;
  if (fewer_threads) {
    unsetenv(one_thread_variable);
    unsetenv(threads_variable);
  }
  if (wanted.empty()) return sentence;
  unsetenv(restarted_variable);
  unsetenv(core_type_variable);
  if (!user_core_type.empty()) setenv(core_type_variable, user_core_type.c_str(), 1);
  return "could not restart with the " + wanted + " kernels of OpenBLAS (" + std::strerror(reason) +
         "); going on with " + blas.kernels + ".";
}

std::string slow_blas_warning() {
  const BlasKernels& blas = blas_kernels();
  if (blas.better.empty() || blas.choice != KernelChoice::library || variable(request_variable) == "keep") return {};
  return "OpenBLAS uses its " + blas.kernels +
         " kernels, which use about a third of what this processor can do; set OPENBLAS_CORETYPE=" + blas.better +
         " before starting the program.";
}

}  // namespace sturm::linalg
