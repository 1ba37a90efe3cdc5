// SPDX-License-Identifier: BSD-3-Clause
// Gram matrices of numbers with eight bits: where a processor multiplies bfloat16 in pairs, twice as fast as in single
// precision. Rough, each product is off by up to 2^-8 of itself, and so for problems whose solution is corrected by
// what the numbers themselves say.
#pragma once

#include <cstddef>

namespace sturm::linalg {

struct PairKernel {
  /// out_i holds a_i and b_i, each rounded to the nearest bfloat16; n numbers.
  void (*pack)(const float* a, const float* b, float* out, std::size_t n);
  /// h += sum of a a' + b b' over `count` columns of pairs (lower triangle of n x n, n at least 16). Meanwhile twice
  /// `count` columns of `bytes` bytes that are read next are brought into the cache.
  void (*outer)(const float* const* columns, int count, int n, float* h, const void* const* soon, std::size_t bytes);
};

inline constexpr int least_pair_rows = 16;

/// Null where the processor has no such products, or STURM_SIMD names other kernels than the widest.
const PairKernel* pair_kernel();

}  // namespace sturm::linalg
