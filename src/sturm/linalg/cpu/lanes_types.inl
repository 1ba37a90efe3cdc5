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

/// sum + a b, fused where the processor can. As one expression of its own: with other work in between a compiler may
/// fuse it in one kernel and not in another, which must give the same bits.
template <class V, class A>
STURM_INLINE V plus_product(V sum, A a, V b) {
  return sum + a * b;
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
  a.re += b.re * c.re;
  a.im += b.re * c.im;
  a.re -= b.im * c.im;
  a.im += b.im * c.re;
}
template <class R>
STURM_INLINE void add_conj_product(Complex<R>& a, Complex<R> b, Complex<R> c) {
  a.re += b.re * c.re;
  a.im += b.re * c.im;
  a.re += b.im * c.im;
  a.im -= b.im * c.re;
}
template <class R>
STURM_INLINE void subtract_product_conj(Complex<R>& a, Complex<R> b, Complex<R> c) {
  a.re -= b.re * c.re;
  a.im += b.re * c.im;
  a.re -= b.im * c.im;
  a.im -= b.im * c.re;
}
template <class R>
STURM_INLINE void add_product(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re += b.re * c.re;
}
template <class R>
STURM_INLINE void add_conj_product(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re += b.re * c.re;
}
template <class R>
STURM_INLINE void subtract_product_conj(Plain<R>& a, Plain<R> b, Plain<R> c) {
  a.re -= b.re * c.re;
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
  return a.re * a.re + a.im * a.im;
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
