// SPDX-License-Identifier: BSD-3-Clause
// The DFT along tubes, two registers of tubes at a time. Of a real tube x of length n the sums e_j = x_j + x_(n-j)
// alone make the real parts and the differences o_j = x_j - x_(n-j) the imaginary ones, and backwards: half the
// products of the n x n matrix.
//     Re_k = sum_j cos(2 pi j k / n) e_j,    Im_k = - sum_j sin(2 pi j k / n) o_j
// Every sum runs over j in order, in its own lane.

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

/// The same for `strips` rows of tubes, each with its numbers side by side.
template <class R>
void tube_products(const Tubes<R>* in, const R* matrix, int size, int strips, Tubes<R>* out) {
  for (int i = 0; i < strips; ++i) tube_product(in + i * size, matrix, size, out + i * size);
}

/// Strips of Tubes that lie side by side in memory; the numbers of a tube are `stride` apart. They are gathered, and
/// what comes of them is spread, strip after strip: a number of all tubes at a time, since the next one is in another
/// page. scratch has room for 2 n Tubes a strip.
template <class R>
void dft_forward(const R* in, std::size_t stride, int n, int strips, const R* even, const R* odd, void* scratch,
                 R* out) {
  const int evens = even_count(n), odds = odd_count(n);
  auto* sum = static_cast<Tubes<R>*>(scratch);
  Tubes<R>*difference = sum + strips * evens, *re = difference + strips * odds, *im = re + strips * evens;
  constexpr int step = 2 * width<R>;
  for (int i = 0; i < strips; ++i) {
    sum[i * evens] = load_tubes(in + i * step);
    if (n % 2 == 0) sum[i * evens + n / 2] = load_tubes(in + std::size_t(n / 2) * stride + i * step);
  }
  for (int j = 1; j <= odds; ++j)
    for (int i = 0; i < strips; ++i) {
      const Tubes<R> a = load_tubes(in + std::size_t(j) * stride + i * step);
      const Tubes<R> b = load_tubes(in + std::size_t(n - j) * stride + i * step);
      sum[i * evens + j] = {a.low + b.low, a.high + b.high};
      difference[i * odds + j - 1] = {a.low - b.low, a.high - b.high};
    }
  tube_products(sum, even, evens, strips, re);
  tube_products(difference, odd, odds, strips, im);
  for (int k = 0; k < evens; ++k)
    for (int i = 0; i < strips; ++i) store_tubes(re[i * evens + k], out + real_column(k) * stride + i * step);
  for (int k = 1; k <= odds; ++k)
    for (int i = 0; i < strips; ++i) store_tubes(im[i * odds + k - 1], out + imaginary_column(k) * stride + i * step);
}

template <class R>
void dft_inverse(const R* in, std::size_t stride, int n, int strips, const R* even, const R* odd, void* scratch,
                 R* out) {
  const int evens = even_count(n), odds = odd_count(n);
  auto* re = static_cast<Tubes<R>*>(scratch);
  Tubes<R>*im = re + strips * evens, *of_re = im + strips * odds, *of_im = of_re + strips * evens;
  constexpr int step = 2 * width<R>;
  for (int k = 0; k < evens; ++k)
    for (int i = 0; i < strips; ++i) re[i * evens + k] = load_tubes(in + real_column(k) * stride + i * step);
  for (int k = 1; k <= odds; ++k)
    for (int i = 0; i < strips; ++i) im[i * odds + k - 1] = load_tubes(in + imaginary_column(k) * stride + i * step);
  tube_products(re, even, evens, strips, of_re);
  tube_products(im, odd, odds, strips, of_im);
  for (int i = 0; i < strips; ++i) {
    store_tubes(of_re[i * evens], out + i * step);
    if (n % 2 == 0) store_tubes(of_re[i * evens + n / 2], out + std::size_t(n / 2) * stride + i * step);
  }
  for (int j = 1; j <= odds; ++j)
    for (int i = 0; i < strips; ++i) {
      const Tubes<R> a = of_re[i * evens + j], b = of_im[i * odds + j - 1];
      store_tubes(Tubes<R>{a.low + b.low, a.high + b.high}, out + std::size_t(j) * stride + i * step);
      store_tubes(Tubes<R>{a.low - b.low, a.high - b.high}, out + std::size_t(n - j) * stride + i * step);
    }
}
