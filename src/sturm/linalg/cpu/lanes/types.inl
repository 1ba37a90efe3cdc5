// SPDX-License-Identifier: BSD-3-Clause
// Vector registers as numbers. Included by the kernels of each instruction set inside their own namespace, and so
// free of standard headers: an inline function of theirs, compiled here for a new processor, could be linked into
// code that runs on an old one.

template <class R>
struct VectorOf;
template <>
struct VectorOf<float> {
  typedef float type __attribute__((vector_size(STURM_LANE_BYTES)));
  typedef int mask __attribute__((vector_size(STURM_LANE_BYTES)));
  typedef int integer;
  static constexpr int magnitude_bits = 0x7fffffff;
  static constexpr float epsilon = __FLT_EPSILON__;
};
template <>
struct VectorOf<double> {
  typedef double type __attribute__((vector_size(STURM_LANE_BYTES)));
  typedef long mask __attribute__((vector_size(STURM_LANE_BYTES)));
  typedef long integer;
  static constexpr long magnitude_bits = 0x7fffffffffffffff;
  static constexpr double epsilon = __DBL_EPSILON__;
};
template <class R>
using Vec = typename VectorOf<R>::type;
template <class R>
using Mask = typename VectorOf<R>::mask;
template <class R>
constexpr int width = STURM_LANE_BYTES / static_cast<int>(sizeof(R));

#define STURM_INLINE inline __attribute__((always_inline))

// Multiply-adds, fused where the instruction set has them fused and rounded twice where it has not, in the lanes of
// registers of any width and for single numbers alike. Compilers are told not to fuse on their own: one copy of an
// expression might be fused and another not, and both must give the same bits. So every sum of products that is worth
// fusing is written with these.
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define STURM_FUSED 1
#else
#define STURM_FUSED 0
#endif

#if STURM_FUSED
/// The same number in every lane; no sum with zero, which would lose the sign of -0.
template <class V>
STURM_INLINE V in_all_lanes(V value, V) {
  return value;
}
template <class V, class A>
STURM_INLINE V in_all_lanes(A value, V) {
  return value - V{};
}

/// sum + a b with Sign = 1, sum - a b with Sign = -1.
template <int Sign>
STURM_INLINE float fused(float a, float b, float sum) {
  return __builtin_fmaf(Sign * a, b, sum);
}
template <int Sign>
STURM_INLINE double fused(double a, double b, double sum) {
  return __builtin_fma(Sign * a, b, sum);
}
#ifdef __x86_64__
template <int Sign, class V>
STURM_INLINE V fused(V a, V b, V sum) {
  constexpr bool single = sizeof(a[0]) == sizeof(float);
  if constexpr (sizeof(V) == 32 && single) {
    return V(Sign > 0 ? _mm256_fmadd_ps(__m256(a), __m256(b), __m256(sum))
                      : _mm256_fnmadd_ps(__m256(a), __m256(b), __m256(sum)));
  } else if constexpr (sizeof(V) == 32) {
    return V(Sign > 0 ? _mm256_fmadd_pd(__m256d(a), __m256d(b), __m256d(sum))
                      : _mm256_fnmadd_pd(__m256d(a), __m256d(b), __m256d(sum)));
  } else {
    static_assert(sizeof(V) == 64);
#ifdef __AVX512F__
    if constexpr (single)
      return V(Sign > 0 ? _mm512_fmadd_ps(__m512(a), __m512(b), __m512(sum))
                        : _mm512_fnmadd_ps(__m512(a), __m512(b), __m512(sum)));
    else
      return V(Sign > 0 ? _mm512_fmadd_pd(__m512d(a), __m512d(b), __m512d(sum))
                        : _mm512_fnmadd_pd(__m512d(a), __m512d(b), __m512d(sum)));
#else
    // Eight doubles, two registers: taken apart and put together in the ways that g++ keeps out of memory.
    static_assert(!single);
    typedef double Half __attribute__((vector_size(32)));
    const Half low =
        fused<Sign>(Half{a[0], a[1], a[2], a[3]}, Half{b[0], b[1], b[2], b[3]}, Half{sum[0], sum[1], sum[2], sum[3]});
    const Half high =
        fused<Sign>(Half{a[4], a[5], a[6], a[7]}, Half{b[4], b[5], b[6], b[7]}, Half{sum[4], sum[5], sum[6], sum[7]});
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
  }
}
#else
template <int Sign, class V>
STURM_INLINE V fused(V a, V b, V sum) {
  for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(a[0])); ++i) sum[i] = fused<Sign>(a[i], b[i], sum[i]);
  return sum;
}
#endif
#endif

/// sum + a b
template <class V, class A>
STURM_INLINE V plus_product(V sum, A a, V b) {
#if STURM_FUSED
  return fused<1>(in_all_lanes(a, b), b, sum);
#else
  return sum + a * b;
#endif
}
/// sum - a b
template <class V, class A>
STURM_INLINE V minus_product(V sum, A a, V b) {
#if STURM_FUSED
  return fused<-1>(in_all_lanes(a, b), b, sum);
#else
  return sum - a * b;
#endif
}

template <class V>
STURM_INLINE V square_root(V x) {
  for (int i = 0; i < static_cast<int>(sizeof(V) / sizeof(x[0])); ++i) x[i] = __builtin_sqrt(x[i]);
  return x;
}
template <>
STURM_INLINE Vec<float> square_root(Vec<float> x) {
  for (int i = 0; i < width<float>; ++i) x[i] = __builtin_sqrtf(x[i]);
  return x;
}
template <class V>
STURM_INLINE V magnitude(V x) {
  return x < 0 ? -x : x;
}
template <class M>
STURM_INLINE bool any(M m) {
  bool r = false;
  for (int i = 0; i < static_cast<int>(sizeof(M) / sizeof(m[0])); ++i) r |= m[i] != 0;
  return r;
}

/// Whether every lane is +0 or -0. Bits are gathered half by half: lane by lane it takes longer than the product that
/// is saved.
template <class V>
STURM_INLINE bool all_zero(V x) {
  typedef unsigned long bits __attribute__((vector_size(STURM_LANE_BYTES)));
  typedef unsigned long half __attribute__((vector_size(16)));
  const auto nonzero = x != 0;
  bits b;
  __builtin_memcpy(&b, &nonzero, sizeof b);
  half h{};
  for (int i = 0; i < static_cast<int>(sizeof(V) / 16); ++i) h |= half{b[2 * i], b[2 * i + 1]};
  return (h[0] | h[1]) == 0;
}

/// A complex number in each lane, and the same few operations for real ones, so that one text serves both.
template <class R>
struct Complex {
  Vec<R> re, im;
};
template <class R>
struct Plain {
  Vec<R> re;
};

// a += b c;  a += conj(b) c;  a -= b conj(c)
template <class R>
STURM_INLINE void add_product(Complex<R>& a, Complex<R> b, Complex<R> c) {
  a.re = plus_product(a.re, b.re, c.re);
  a.im = plus_product(a.im, b.re, c.im);
  a.re = minus_product(a.re, b.im, c.im);
  a.im = plus_product(a.im, b.im, c.re);
}
template <class R>
STURM_INLINE void add_conj_product(Complex<R>& a, Complex<R> b, Complex<R> c) {
  a.re = plus_product(a.re, b.re, c.re);
  a.im = plus_product(a.im, b.re, c.im);
  a.re = plus_product(a.re, b.im, c.im);
  a.im = minus_product(a.im, b.im, c.re);
}
template <class R>
STURM_INLINE void subtract_product_conj(Complex<R>& a, Complex<R> b, Complex<R> c) {
  a.re = minus_product(a.re, b.re, c.re);
  a.im = plus_product(a.im, b.re, c.im);
  a.re = minus_product(a.re, b.im, c.im);
  a.im = minus_product(a.im, b.im, c.re);
}
template <class R>
STURM_INLINE void add_product(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re = plus_product(a.re, b.re, c.re);
}
template <class R>
STURM_INLINE void add_conj_product(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re = plus_product(a.re, b.re, c.re);
}
template <class R>
STURM_INLINE void subtract_product_conj(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re = minus_product(a.re, b.re, c.re);
}
template <class R>
STURM_INLINE Complex<R> scaled(Complex<R> a, Vec<R> s) {
  return {a.re * s, a.im * s};
}
template <class R>
STURM_INLINE Plain<R> scaled(Plain<R> a, Vec<R> s) {
  return {a.re * s};
}
template <class R>
STURM_INLINE Vec<R> square(Complex<R> a) {
  return plus_product(a.re * a.re, a.im, a.im);
}
template <class R>
STURM_INLINE Vec<R> square(Plain<R> a) {
  return a.re * a.re;
}
/// a / |a|, and 1 where a is 0.
template <class R>
STURM_INLINE Complex<R> phase(Complex<R> a, Vec<R> length) {
  const Vec<R> inverse = length > 0 ? 1 / length : length;
  return {length > 0 ? a.re * inverse : inverse + 1, a.im * inverse};
}
template <class R>
STURM_INLINE Plain<R> phase(Plain<R> a, Vec<R>) {
  const Vec<R> zero{};
  return {a.re < 0 ? zero - 1 : zero + 1};
}
