// SPDX-License-Identifier: BSD-3-Clause
// The loops of voxels.h, eight voxels at a time.

template <class R>
struct EightOf {
  typedef R type __attribute__((vector_size(8 * sizeof(R))));
};
template <class R>
using Eight = typename EightOf<R>::type;

template <class R>
STURM_INLINE Eight<R> load(const R* from, int count) {
  Eight<R> out{};
  __builtin_memcpy(&out, from, count * sizeof(R));
  return out;
}
template <class R>
STURM_INLINE void store(R* to, Eight<R> value, int count) {
  __builtin_memcpy(to, &value, count * sizeof(R));
}
template <class R>
STURM_INLINE Eight<double> widen(Eight<R> value) {
  return __builtin_convertvector(value, Eight<double>);
}
STURM_INLINE double total(Eight<double> sums) {
  double out = 0;
  for (int i = 0; i < 8; ++i) out += sums[i];
  return out;
}

/// body(first, count) with count = 8 but for the last.
template <class Body>
STURM_INLINE void in_eights(std::size_t n, Body body) {
  std::size_t v = 0;
  for (; v + 8 <= n; v += 8) body(v, 8);
  if (v < n) body(v, static_cast<int>(n - v));
}

/// body(chain, first, count) with chain = 0, 1, 2, 3, 0 ...: four sums that do not wait for each other.
template <class Body>
STURM_INLINE void in_four_chains(std::size_t n, Body body) {
  std::size_t v = 0;
  for (; v + 32 <= n; v += 32)
#pragma GCC unroll 4
    for (int c = 0; c < 4; ++c) body(c, v + 8 * c, 8);
  for (int c = 0; v < n; v += 8, ++c) body(c, v, n - v < 8 ? static_cast<int>(n - v) : 8);
}

/// All ones where the mask is not zero.
template <class R>
STURM_INLINE auto inside(const unsigned char* mask, std::size_t first, int count) {
  Eight<unsigned char> bytes{};
  __builtin_memcpy(&bytes, mask + first, count);
  return __builtin_convertvector(bytes, Eight<typename VectorOf<R>::integer>) != 0;
}

template <class R>
void relax_voxels(const R* w, const R* b, const R* q, R nu, R* out, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        store(out + v,
              plus_product(plus_product(load(q + v, count), 1 - nu, load(b + v, count)), nu, load(w + v, count)),
              count);
      });
}

template <class R>
void accept_voxels(const R* w, R* b, R* q, const R* next, R nu, std::size_t n, double* sums) {
  Eight<double> apart{}, change{}, size{}, dual{};
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        const Eight<R> wv = load(w + v, count), bv = load(b + v, count), to = load(next + v, count);
        const Eight<R> qv = plus_product(plus_product(load(q + v, count), 1 - nu, bv), nu, wv) - to;
        store(q + v, qv, count);
        store(b + v, to, count);
        const Eight<double> a = widen<R>(wv - to), c = widen<R>(to - bv), s = widen<R>(to), d = widen<R>(qv);
        apart = plus_product(apart, a, a);
        change = plus_product(change, c, c);
        size = plus_product(size, s, s);
        dual = plus_product(dual, d, d);
      });
  sums[0] += total(apart);
  sums[1] += total(change);
  sums[2] += total(size);
  sums[3] += total(dual);
}

template <class R>
double trial_voxels(const R* a, const R* z, const R* z_next, const unsigned char* mask, R t, R rho, R gamma,
                    std::size_t n) {
  const R inverse = 1 / rho, threshold = gamma / rho;
  Eight<double> sum{};
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        const Eight<R> zv = load(z + v, count), zero{};
        const Eight<R> at =
            plus_product(a ? load(a + v, count) : zero, inverse, plus_product(zv, t, load(z_next + v, count) - zv));
        Eight<R> size = magnitude(at) - threshold;
        size = size > 0 ? size : zero;
        if (mask) size = inside<R>(mask, v, count) ? size : zero;
        const Eight<double> s = widen<R>(size);
        sum = plus_product(sum, s, s);
      });
  return total(sum);
}

template <class R>
void rest_voxels(const R* z, const R* q, const unsigned char* mask, R rho, R gamma, R* out, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        const Eight<R> zv = load(z + v, count), g2 = rho * load(q + v, count), most = Eight<R>{} + gamma;
        Eight<R> g1 = zv - g2;
        g1 = g1 > most ? most : g1 < -most ? -most : g1;
        const Eight<R> left = zv - g1;
        store(out + v, mask ? (inside<R>(mask, v, count) ? left : g2) : left, count);
      });
}

template <class R>
void polish_voxels(const R* z, const R* a, const R* q, const unsigned char* mask, R rho, R gamma, R* out,
                   std::size_t n) {
  const R inverse = 1 / (100 * rho), cut = gamma * inverse;
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        const Eight<R> av = load(a + v, count), most = Eight<R>{} + gamma, zero{};
        Eight<R> g1 = plus_product(load(z + v, count), rho, av);
        g1 = g1 > most ? most : g1 < -most ? -most : g1;
        const Eight<R> t = plus_product(av + load(q + v, count), inverse, g1), size = magnitude(t) - cut,
                       kept = size > 0 ? size : zero;
        Eight<R> c = t < 0 ? -kept : kept;
        if (mask) c = inside<R>(mask, v, count) ? c : zero;
        store(out + v, c, count);
      });
}

template <class R>
double beyond_voxels(const R* z, const R* g, const unsigned char* mask, double times, std::size_t n) {
  Eight<double> most{};
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        Eight<double> apart =
            magnitude(minus_product(widen<R>(load(z + v, count)), times, widen<R>(load(g + v, count))));
        if (mask) apart = inside<double>(mask, v, count) ? apart : Eight<double>{};
        most = ((apart <= most) | (most != most)) ? most : apart;  // a NaN stays one
      });
  double out = 0;
  for (int i = 0; i < 8; ++i)
    if (!(most[i] <= out) && out == out) out = most[i];
  return out;
}

template <class R>
double sum_abs_voxels(const R* a, std::size_t n) {
  Eight<double> sum{};
  in_eights(
      n, [&](std::size_t v, int count)
             __attribute__((always_inline)) { sum += magnitude(widen<R>(load(a + v, count))); });
  return total(sum);
}

template <class R>
double dot_voxels(const R* a, const double* u, std::size_t n) {
  Eight<double> sums[4] = {};
  in_four_chains(
      n, [&](int c, std::size_t v, int count) __attribute__((always_inline)) {
        sums[c] = plus_product(sums[c], load(u + v, count), widen<R>(load(a + v, count)));
      });
  return total((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

template <class R>
void add_voxels(const R* a, double weight, double* sum, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        store(sum + v, plus_product(load(sum + v, count), weight, widen<R>(load(a + v, count))), count);
      });
}

template <class R>
double standardise_voxels(const R* a, const double* mean, const double* inverse, double* out, std::size_t n) {
  Eight<double> sum{};
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        Eight<double> value = widen<R>(load(a + v, count));
        if (mean) value = (value - load(mean + v, count)) * load(inverse + v, count);
        store(out + v, value, count);
        sum += value;
      });
  return total(sum);
}

template <class R>
void shift_voxels(const double* a, double from, double scale, R* out, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        store(out + v, __builtin_convertvector(scale * (load(a + v, count) - from), Eight<R>), count);
      });
}

template <class R>
R mean_voxels(const R* a, std::size_t n) {
  const R share = 1 / static_cast<R>(n);  // taken first: the sum of large numbers may not be one
  Eight<R> sums[4] = {};
  in_four_chains(
      n, [&](int c, std::size_t v, int count)
             __attribute__((always_inline)) { sums[c] = plus_product(sums[c], share, load(a + v, count)); });
  const Eight<R> sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

template <class R>
void less_voxels(const R* a, R from, R scale, R* out, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count)
             __attribute__((always_inline)) { store(out + v, scale * (load(a + v, count) - from), count); });
}

template <class R>
double dot_less_voxels(const R* a, double from, const double* u, std::size_t n) {
  Eight<double> sums[4] = {};
  in_four_chains(
      n, [&](int c, std::size_t v, int count) __attribute__((always_inline)) {
        sums[c] = plus_product(sums[c], load(u + v, count), widen<R>(load(a + v, count)) - from);
      });
  return total((sums[0] + sums[1]) + (sums[2] + sums[3]));
}

template <class R>
void add_less_voxels(const R* a, double from, double weight, double* sum, std::size_t n) {
  in_eights(
      n, [&](std::size_t v, int count) __attribute__((always_inline)) {
        store(sum + v, plus_product(load(sum + v, count), weight, widen<R>(load(a + v, count)) - from), count);
      });
}

template <class R>
constexpr VoxelKernel<R> voxel_kernel() {
  return {relax_voxels<R>,  accept_voxels<R>,  trial_voxels<R>, rest_voxels<R>,     polish_voxels<R>,
          beyond_voxels<R>, sum_abs_voxels<R>, dot_voxels<R>,   add_voxels<R>,      standardise_voxels<R>,
          shift_voxels<R>,  mean_voxels<R>,    less_voxels<R>,  dot_less_voxels<R>, add_less_voxels<R>};
}
