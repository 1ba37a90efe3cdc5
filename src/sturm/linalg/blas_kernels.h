// SPDX-License-Identifier: BSD-3-Clause
// OpenBLAS chooses its kernels by the processor's model number. A library older than the processor falls back to
// SSE3 kernels and gives away a factor of 3 to 4. Here we look at what it chose and put it right where we can.
#pragma once

#include <string>
#include <vector>

namespace sturm::linalg {

/// Instruction sets in rising order; each includes the ones before it.
enum class SimdLevel { unknown, sse, avx, avx2, avx512 };

const char* name(SimdLevel level);

/// The widest level that the processor and the operating system both support.
SimdLevel processor_level();

/// The vector extensions of this processor that matter to us, by the names compilers use: "avx2", "fma", ...
std::vector<std::string> processor_features();

/// The level of an OpenBLAS kernel set ("Haswell" is avx2); unknown for a name not in our table.
SimdLevel kernel_level(const std::string& kernels);

/// The kernel set to ask OpenBLAS for when `kernels` is below `processor`; empty when it is fine or not known.
std::string better_kernels(const std::string& kernels, SimdLevel processor);

/// Why the kernel set in use is the one in use.
enum class KernelChoice {
  library,    ///< OpenBLAS chose it
  user,       ///< the user set OPENBLAS_CORETYPE
  forced,     ///< the user set STURM_BLAS_KERNELS
  corrected,  ///< we found the library's choice too low
};

const char* name(KernelChoice choice);

struct BlasKernels {
  std::string library;   ///< "OpenBLAS 0.3.21", or "unknown" for another BLAS
  std::string config;    ///< build options as the library reports them
  std::string kernels;   ///< kernel set in use, or "unknown"
  std::string replaced;  ///< the library's own choice where ours or the user's replaced it, else empty
  std::string better;    ///< better_kernels() of the set in use
  KernelChoice choice = KernelChoice::library;
};

/// What is in use in this process.
const BlasKernels& blas_kernels();

/// One line for people: "SkylakeX (corrected from Prescott)".
std::string describe(const BlasKernels& blas);

/// For a program's first line: where other kernels are wanted (OPENBLAS_CORETYPE), or the library has started threads
/// that nobody uses (OPENBLAS_NUM_THREADS), sets the variable and starts the program again, once. What the user set
/// stands. STURM_BLAS_KERNELS=NAME asks for NAME, STURM_BLAS_KERNELS=keep for no restart. Returns where nothing had to
/// be done, with a sentence for the user where it could not be. Throws UsageError where NAME needs instructions that
/// this processor lacks.
std::string restart_with_better_blas(char** argv);

/// For a front door that cannot restart its host: what to tell the user, with the line to set. Empty where kernels are
/// fine, or as the user wants them.
std::string slow_blas_warning();

}  // namespace sturm::linalg
