// SPDX-License-Identifier: BSD-3-Clause
// Products of pairs of bfloat16, for processors with avx512bf16.
#include <immintrin.h>

#include "sturm/linalg/cpu/lanes/instruction_sets.h"

#define STURM_LANE_BYTES 64
#define STURM_FORWARD_ROWS 16

namespace sturm::linalg {
namespace {
#include "sturm/linalg/cpu/lanes/types.inl"
// After the types.
#include "sturm/linalg/cpu/lanes/outer.inl"

static_assert(width<float> == least_pair_rows);

/// A number is the bits of a pair; sums are in single precision.
struct PairProducts {
  static constexpr int voxels = 2;
  static STURM_INLINE __m512 add(__m512 sum, float b, __m512 a) {
    return _mm512_dpbf16_ps(sum, (__m512bh)a, (__m512bh)_mm512_set1_ps(b));
  }
  static STURM_INLINE __m256 add(__m256 sum, float b, __m256 a) {
    return _mm256_dpbf16_ps(sum, (__m256bh)a, (__m256bh)_mm256_set1_ps(b));
  }
};

typedef unsigned short Halves __attribute__((vector_size(32)));
typedef unsigned Words __attribute__((vector_size(64)));

STURM_INLINE Words rounded(__m512 x) { return __builtin_convertvector((Halves)_mm512_cvtneps_pbh(x), Words); }

void pack(const float* a, const float* b, float* out, std::size_t n) {
  for (std::size_t i = 0; i < n; i += 16) {
    const auto some = static_cast<__mmask16>(n - i < 16 ? (1U << (n - i)) - 1 : 0xffffU);
    const Words low = rounded(_mm512_maskz_loadu_ps(some, a + i)), high = rounded(_mm512_maskz_loadu_ps(some, b + i));
    _mm512_mask_storeu_epi32(out + i, some, (__m512i)(low | high << 16));
  }
}

void outer(const float* const* columns, int count, int n, float* h, const void* const* soon, std::size_t bytes) {
  outer_products<float, PairProducts>(columns, count, n, 1, h, soon, bytes);
}

}  // namespace

const PairKernel& pair_kernel_avx512bf16() {
  static constexpr PairKernel kernel{pack, outer};
  return kernel;
}

}  // namespace sturm::linalg
