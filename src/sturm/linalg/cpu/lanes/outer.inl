// SPDX-License-Identifier: BSD-3-Clause
// H += sign sum_v x_v x_v' for a list of columns x_v, lower triangle: tiles of H stay in registers while all columns
// pass by. The columns are read where they lie; a library's product would copy them into panels first.

constexpr int outer_columns = STURM_FORWARD_ROWS >= 16 ? 8 : 6;

/// Registers of rows for what is left at the end, half as wide, where full ones have 64 bytes.
constexpr int outer_half_bytes = STURM_LANE_BYTES == 64 ? 32 : 0;
template <class R>
struct HalfOf {
  typedef R type __attribute__((vector_size(32)));
};

/// What a number in a column stands for: a value of one voxel.
struct PlainProducts {
  static constexpr int voxels = 1;
  template <class V, class R>
  static STURM_INLINE V add(V sum, R b, V a) {
    return plus_product(sum, b, a);
  }
};

template <class R>
struct Outer {
  const R* const* columns;
  int count, n;
  R sign;
  R* h;
  const void* const* soon;
  std::size_t bytes, offset;  ///< of the columns read soon, and where in them the next tile asks for a cache line
};

/// sums[c * Count + r] = sum over the columns of x[rows[r] ...] x[j + c], one register of rows each.
template <class Products, class V, int Count, bool Ask, class R>
STURM_INLINE void outer_sums(const Outer<R>& job, const int* rows, int j, V* sums) {
  V sum[outer_columns * Count] = {};
  for (int v = 0; v < job.count; ++v) {
    if constexpr (Ask)
      for (int k = 0; k < Products::voxels; ++k)
        __builtin_prefetch(static_cast<const char*>(job.soon[Products::voxels * v + k]) + job.offset, 0, 2);
    const R *x = job.columns[v], *b = x + j;
    __asm__("" : "+r"(b));  // one pointer with fixed offsets
    V a[Count];
#pragma GCC unroll 4
    for (int r = 0; r < Count; ++r) __builtin_memcpy(&a[r], x + rows[r], sizeof a[r]);
#pragma GCC unroll 12
    for (int c = 0; c < outer_columns; ++c)
#pragma GCC unroll 4
      for (int r = 0; r < Count; ++r) sum[c * Count + r] = Products::add(sum[c * Count + r], b[c], a[r]);
  }
#pragma GCC unroll 32
  for (int i = 0; i < outer_columns * Count; ++i) sums[i] = sum[i];
}

/// The rows from `top` on of the columns from `left` on of h. The last tile of columns and the last register of rows
/// reach back over what is done; only what is new is kept.
template <class Products, class V, int Count, class R>
STURM_INLINE void outer_tile(Outer<R>& job, int left, int top) {
  constexpr int lanes = sizeof(V) / sizeof(R);
  const int n = job.n, j = left + outer_columns <= n ? left : n - outer_columns;
  int rows[Count];
  for (int r = 0; r < Count; ++r) rows[r] = top + (r + 1) * lanes <= n ? top + r * lanes : n - lanes;
  V sums[outer_columns * Count];
  if (job.offset < job.bytes)
    outer_sums<Products, V, Count, true>(job, rows, j, sums);
  else
    outer_sums<Products, V, Count, false>(job, rows, j, sums);
  job.offset += 64;
  for (int c = left - j; c < outer_columns; ++c) {
    R* to = job.h + std::size_t(j + c) * n;
    for (int r = 0; r < Count; ++r) {
      const int first = top + r * lanes > j + c ? top + r * lanes : j + c;
      const V sum = sums[c * Count + r];
      if (first == rows[r]) {
        V before;
        __builtin_memcpy(&before, to + first, sizeof before);
        before = plus_product(before, job.sign, sum);
        __builtin_memcpy(to + first, &before, sizeof before);
      } else {
        for (int i = first; i < rows[r] + lanes; ++i) to[i] = plus_product(to[i], job.sign, sum[i - rows[r]]);
      }
    }
  }
}

/// For fewer rows than a register or a tile holds.
template <class R>
void small_outer(const Outer<R>& job) {
  for (int j = 0; j < job.n; ++j)
    for (int i = j; i < job.n; ++i) {
      R sum = 0;
      for (int v = 0; v < job.count; ++v) sum = plus_product(sum, job.columns[v][i], job.columns[v][j]);
      R& to = job.h[i + std::size_t(j) * job.n];
      to = plus_product(to, job.sign, sum);
    }
}

template <class R, class Products = PlainProducts>
void outer_products(const R* const* columns, int count, int n, R sign, R* h, const void* const* soon,
                    std::size_t bytes) {
  constexpr int lanes = width<R>, half = outer_half_bytes / static_cast<int>(sizeof(R));
  Outer<R> job{columns, count, n, sign, h, soon, bytes, 0};
  constexpr int least = lanes > outer_columns ? lanes : outer_columns;
  if constexpr (Products::voxels == 1)
    if (n < least) return small_outer(job);
  for (int left = 0; left < n; left += outer_columns)
    for (int top = left; top < n;) {
      if (outer_columns == 8 && n - top > 2 * lanes + half) {
        outer_tile<Products, Vec<R>, 3>(job, left, top);
        top += 3 * lanes;
      } else if (n - top > lanes + half) {
        outer_tile<Products, Vec<R>, 2>(job, left, top);
        top += 2 * lanes;
      } else if (n - top > half) {
        outer_tile<Products, Vec<R>, 1>(job, left, top);
        top += lanes;
      } else {
        outer_tile<Products, typename HalfOf<R>::type, 1>(job, left, top);
        top += half;
      }
    }
}
