// SPDX-License-Identifier: BSD-3-Clause
// The DFT along tubes, two registers of tubes at a time. Of a real tube x of length n the sums e_j = x_j + x_(n-j)
// alone make the real parts and the differences o_j = x_j - x_(n-j) the imaginary ones, and backwards: half the
// products of the n x n matrix.
//     Re_k = sum_j cos(2 pi j k / n) e_j,    Im_k = - sum_j sin(2 pi j k / n) o_j
// Every sum runs over j in order, in its own lane. Where an odd n has factors the DFT is made of shorter ones.

/// Real parts and inputs that have no partner: k, j = 0 ... n/2. Imaginary ones: 1 ... (n-1)/2.
constexpr int even_count(int n) { return n / 2 + 1; }
constexpr int odd_count(int n) { return (n - 1) / 2; }
constexpr std::size_t real_column(int k) { return k == 0 ? 0 : 2 * k - 1; }
constexpr std::size_t imaginary_column(int k) { return 2 * k; }

template <class R>
struct Tubes {
  Vec<R> low, high;
};
template <class R>
STURM_INLINE Tubes<R> load_tubes(const R* from) {
  Tubes<R> out;
  __builtin_memcpy(&out, from, sizeof out);
  return out;
}

template <class R>
STURM_INLINE void store_tubes(const Tubes<R>& tubes, R* to) {
  __builtin_memcpy(to, &tubes, sizeof tubes);
}

/// out[q] = sum_j in[j] matrix[j * size + q] for Count columns from `first` on.
template <int Count, class R>
STURM_INLINE void tube_columns(const Tubes<R>* in, const R* matrix, int size, int first, Tubes<R>* out) {
  Tubes<R> sum[Count] = {};
  for (int j = 0; j < size; ++j) {
    const Tubes<R> a = in[j];
    const R* f = matrix + j * size + first;
    __asm__("" : "+r"(f));  // one pointer with fixed offsets
#pragma GCC unroll 16
    for (int q = 0; q < Count; ++q) {
      sum[q].low = plus_product(sum[q].low, f[q], a.low);
      sum[q].high = plus_product(sum[q].high, f[q], a.high);
    }
  }
#pragma GCC unroll 16
  for (int q = 0; q < Count; ++q) out[first + q] = sum[q];
}

template <int Most, class R>
STURM_INLINE void some_tube_columns(int count, const Tubes<R>* in, const R* matrix, int size, int first,
                                    Tubes<R>* out) {
  if constexpr (Most > 0) {
    if (count == Most)
      tube_columns<Most>(in, matrix, size, first, out);
    else
      some_tube_columns<Most - 1>(count, in, matrix, size, first, out);
  }
}

template <class R>
void tube_product(const Tubes<R>* in, const R* matrix, int size, Tubes<R>* out) {
  constexpr int most = STURM_FORWARD_ROWS / 2 - 1;  // two registers each, and the rest for a row and a factor
  const int groups = (size + most - 1) / most;
  for (int g = 0; g < groups; ++g) {
    const int first = g * size / groups, last = (g + 1) * size / groups;
    some_tube_columns<most>(last - first, in, matrix, size, first, out);
  }
}

template <class R>
STURM_INLINE Tubes<R> operator+(const Tubes<R>& a, const Tubes<R>& b) {
  return {a.low + b.low, a.high + b.high};
}
template <class R>
STURM_INLINE Tubes<R> operator-(const Tubes<R>& a, const Tubes<R>& b) {
  return {a.low - b.low, a.high - b.high};
}
template <class R>
STURM_INLINE Tubes<R> operator*(R a, const Tubes<R>& b) {
  return {a * b.low, a * b.high};
}

/// c a + s b
template <class R>
STURM_INLINE Tubes<R> turned(R c, const Tubes<R>& a, R s, const Tubes<R>& b) {
  const Tubes<R> rest = s * b;
  return {plus_product(rest.low, c, a.low), plus_product(rest.high, c, a.high)};
}

/// Of one strip, sums and differences make real and imaginary parts, and back: so for whole DFTs and for their factors.
template <class R>
STURM_INLINE void both_products(const Tubes<R>* sum, const Tubes<R>* difference, const R* even, const R* odd, int n,
                                Tubes<R>* of_sum, Tubes<R>* of_difference) {
  tube_product(sum, even, even_count(n), of_sum);
  tube_product(difference, odd, odd_count(n), of_difference);
}

/// Room for the DFTs of length q of one strip.
template <class R>
struct QParts {
  Tubes<R>*sum_re, *difference_re, *sum_im, *difference_im;  ///< what goes in
  Tubes<R>*even_re, *odd_re, *even_im, *odd_im;              ///< and comes out

  QParts(Tubes<R>* room, int q) {
    Tubes<R>** const all[] = {&sum_re, &sum_im, &even_re, &even_im, &difference_re, &difference_im, &odd_re, &odd_im};
    for (int i = 0; i < 8; ++i) {
      *all[i] = room;
      room += i < 4 ? even_count(q) : odd_count(q);
    }
  }
};

/// The DFT of n = p q numbers x_(q a + b): over a first, for every b; then each is turned by the angle b k / n; then
/// over b, for every k up to p/2, which gives the frequencies p m + k and, as conjugates, p m - k.
/// `sum` and `difference` hold those of x_(q a + b) and x_(q (p-a) + b), b after b.
template <class R>
void factored_forward(const TubeFactors<R>& f, const Tubes<R>* sum, const Tubes<R>* difference, Tubes<R>* y,
                      Tubes<R>* room, Tubes<R>* re, Tubes<R>* im) {
  const int p = f.p, q = f.q, evens = even_count(p), odds = odd_count(p);
  for (int b = 0; b < q; ++b)
    both_products(sum + b * evens, difference + b * odds, f.even_p, f.odd_p, p, y + b * p, y + b * p + evens);
  const QParts<R> parts(room, q);
  for (int k = 0; k <= odds; ++k) {
    const R* turns = f.turns + 2 * (k - 1) * q;
    for (int b = 0; b <= odd_count(q); ++b) {
      Tubes<R> of_re[2], of_im[2];  // of b and q - b
      for (int side = 0; side < (b > 0 ? 2 : 1); ++side) {
        const int at = side ? q - b : b;
        const Tubes<R>* from = y + at * p;
        of_re[side] = from[k];
        if (k == 0) continue;
        const R c = turns[2 * at], s = turns[2 * at + 1];
        of_re[side] = turned(c, from[k], s, from[evens + k - 1]);
        of_im[side] = turned(c, from[evens + k - 1], -s, from[k]);
      }
      parts.sum_re[b] = b > 0 ? of_re[0] + of_re[1] : of_re[0];
      if (b > 0) parts.difference_re[b - 1] = of_re[0] - of_re[1];
      if (k == 0) continue;
      parts.sum_im[b] = b > 0 ? of_im[0] + of_im[1] : of_im[0];
      if (b > 0) parts.difference_im[b - 1] = of_im[0] - of_im[1];
    }
    both_products(parts.sum_re, parts.difference_re, f.even_q, f.odd_q, q, parts.even_re, parts.odd_re);
    if (k > 0) both_products(parts.sum_im, parts.difference_im, f.even_q, f.odd_q, q, parts.even_im, parts.odd_im);
    re[k] = parts.even_re[0];
    if (k > 0) im[k - 1] = parts.even_im[0];
    for (int m = 1; m <= odd_count(q); ++m) {
      const Tubes<R> a = parts.even_re[m], b = parts.odd_re[m - 1];
      if (k == 0) {
        re[p * m] = a;
        im[p * m - 1] = b;
      } else {
        const Tubes<R> c = parts.even_im[m], d = parts.odd_im[m - 1];
        re[p * m + k] = a - d;
        im[p * m + k - 1] = b + c;
        re[p * m - k] = a + d;
        im[p * m - k - 1] = b - c;
      }
    }
  }
}

/// The same backwards.
template <class R>
void factored_inverse(const TubeFactors<R>& f, const Tubes<R>* re, const Tubes<R>* im, Tubes<R>* y, Tubes<R>* room,
                      Tubes<R>* of_re, Tubes<R>* of_im) {
  const int p = f.p, q = f.q, evens = even_count(p), odds = odd_count(p);
  const QParts<R> parts(room, q);
  const R once = 1 / static_cast<R>(p * q), twice = 2 * once;
  for (int k = 0; k <= odds; ++k) {
    parts.sum_re[0] = k == 0 ? once * re[0] : re[k];
    if (k > 0) parts.sum_im[0] = im[k - 1];
    for (int m = 1; m <= odd_count(q); ++m) {
      if (k == 0) {
        parts.sum_re[m] = twice * re[p * m];
        parts.difference_re[m - 1] = twice * im[p * m - 1];
        continue;
      }
      const Tubes<R> plus_re = re[p * m + k], plus_im = im[p * m + k - 1], minus_re = re[p * m - k],
                     minus_im = im[p * m - k - 1];
      parts.sum_re[m] = plus_re + minus_re;
      parts.sum_im[m] = plus_im - minus_im;
      parts.difference_re[m - 1] = plus_re - minus_re;
      parts.difference_im[m - 1] = plus_im + minus_im;
    }
    both_products(parts.sum_re, parts.difference_re, f.even_q, f.odd_q, q, parts.even_re, parts.odd_re);
    if (k > 0) both_products(parts.sum_im, parts.difference_im, f.even_q, f.odd_q, q, parts.even_im, parts.odd_im);
    const R* turns = f.turns + 2 * (k - 1) * q;
    for (int b = 0; b <= odd_count(q); ++b) {
      const Tubes<R> none{}, a = parts.even_re[b], d = b > 0 ? parts.odd_re[b - 1] : none;
      if (k == 0) {
        y[b * p] = a + d;
        if (b > 0) y[(q - b) * p] = a - d;
        continue;
      }
      const Tubes<R> c = parts.even_im[b], e = b > 0 ? parts.odd_im[b - 1] : none;
      for (int side = 0; side < (b > 0 ? 2 : 1); ++side) {
        const int at = side ? q - b : b;
        const Tubes<R> v_re = side ? a - e : a + e, v_im = side ? c + d : c - d;
        const R cosine = turns[2 * at], sine = turns[2 * at + 1];
        y[at * p + k] = turned(cosine, v_re, -sine, v_im);
        y[at * p + evens + k - 1] = turned(cosine, v_im, sine, v_re);
      }
    }
  }
  for (int b = 0; b < q; ++b)
    both_products(y + b * p, y + b * p + evens, f.even_p, f.odd_p, p, of_re + b * evens, of_im + b * odds);
}

/// Strips of Tubes that lie side by side in memory; the numbers of a tube are `stride` apart. They are gathered, and
/// what comes of them is spread, strip after strip: a number of all tubes at a time, since the next one is in another
/// page. Where sums and differences of pairs (j, partner of j) are kept depends on the factors: `count` DFTs of length
/// m over the numbers b, b + count, b + 2 count ...
struct TubePairs {
  int m, count;

  template <class R>
  explicit TubePairs(int n, const TubeFactors<R>& f) : m(f.p ? f.p : n), count(f.p ? f.q : 1) {}
  int sums() const { return count * even_count(m); }
  int differences() const { return count * odd_count(m); }

  /// body(j, its partner, where its sum goes, and the difference); the partner and the last are -1 where there is none.
  template <class Body>
  STURM_INLINE void each(Body body) const {
    for (int a = 0; a <= m / 2; ++a)
      for (int b = 0; b < count; ++b) {
        const bool alone = a == 0 || 2 * a == m;
        body(count * a + b, alone ? -1 : count * (m - a) + b, b * even_count(m) + a,
             alone ? -1 : b * odd_count(m) + a - 1);
      }
  }
};

template <class R>
void dft_forward(const R* in, std::size_t stride, int n, int strips, const TubeMatrix<R>& matrix, void* scratch,
                 R* out) {
  const int evens = even_count(n), odds = odd_count(n);
  const TubePairs pairs(n, matrix.factors);
  auto* sum = static_cast<Tubes<R>*>(scratch);
  Tubes<R>*difference = sum + strips * pairs.sums(), *re = difference + strips * pairs.differences();
  Tubes<R>*im = re + strips * evens, *room = im + strips * odds;
  constexpr int step = 2 * width<R>;
  pairs.each([&](int j, int partner, int to_sum, int to_difference) {
    for (int i = 0; i < strips; ++i) {
      const Tubes<R> a = load_tubes(in + std::size_t(j) * stride + i * step);
      if (partner < 0) {
        sum[i * pairs.sums() + to_sum] = a;
        continue;
      }
      const Tubes<R> b = load_tubes(in + std::size_t(partner) * stride + i * step);
      sum[i * pairs.sums() + to_sum] = a + b;
      difference[i * pairs.differences() + to_difference] = a - b;
    }
  });
  for (int i = 0; i < strips; ++i) {
    const Tubes<R>*s = sum + i * pairs.sums(), *d = difference + i * pairs.differences();
    if (matrix.factors.p)
      factored_forward(matrix.factors, s, d, room, room + n, re + i * evens, im + i * odds);
    else
      both_products(s, d, matrix.even, matrix.odd, n, re + i * evens, im + i * odds);
  }
  for (int k = 0; k < evens; ++k)
    for (int i = 0; i < strips; ++i) store_tubes(re[i * evens + k], out + real_column(k) * stride + i * step);
  for (int k = 1; k <= odds; ++k)
    for (int i = 0; i < strips; ++i) store_tubes(im[i * odds + k - 1], out + imaginary_column(k) * stride + i * step);
}

template <class R>
void dft_inverse(const R* in, std::size_t stride, int n, int strips, const TubeMatrix<R>& matrix, void* scratch,
                 R* out) {
  const int evens = even_count(n), odds = odd_count(n);
  const TubePairs pairs(n, matrix.factors);
  auto* re = static_cast<Tubes<R>*>(scratch);
  Tubes<R>*im = re + strips * evens, *of_re = im + strips * odds;
  Tubes<R>*of_im = of_re + strips * pairs.sums(), *room = of_im + strips * pairs.differences();
  constexpr int step = 2 * width<R>;
  for (int k = 0; k < evens; ++k)
    for (int i = 0; i < strips; ++i) re[i * evens + k] = load_tubes(in + real_column(k) * stride + i * step);
  for (int k = 1; k <= odds; ++k)
    for (int i = 0; i < strips; ++i) im[i * odds + k - 1] = load_tubes(in + imaginary_column(k) * stride + i * step);
  for (int i = 0; i < strips; ++i) {
    Tubes<R>*s = of_re + i * pairs.sums(), *d = of_im + i * pairs.differences();
    if (matrix.factors.p)
      factored_inverse(matrix.factors, re + i * evens, im + i * odds, room, room + n, s, d);
    else
      both_products(re + i * evens, im + i * odds, matrix.even, matrix.odd, n, s, d);
  }
  pairs.each([&](int j, int partner, int of_sum, int of_difference) {
    for (int i = 0; i < strips; ++i) {
      const Tubes<R> a = of_re[i * pairs.sums() + of_sum];
      if (partner < 0) {
        store_tubes(a, out + std::size_t(j) * stride + i * step);
        continue;
      }
      const Tubes<R> b = of_im[i * pairs.differences() + of_difference];
      store_tubes(a + b, out + std::size_t(j) * stride + i * step);
      store_tubes(a - b, out + std::size_t(partner) * stride + i * step);
    }
  });
}
