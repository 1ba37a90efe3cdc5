// SPDX-License-Identifier: BSD-3-Clause
// H += sign sum_v x_v x_v' for a list of columns x_v, lower triangle: tiles of H stay in registers while all columns
// pass by. The columns are read where they lie; a library's product would copy them into panels first.

constexpr int outer_vectors = 2;
constexpr int outer_columns = STURM_FORWARD_ROWS >= 16 ? 12 : 6;

/// sums[c * Count + r] = sum over the columns of x[rows[r] ...] x[j + c], one register of rows each.
template <int Count, class R>
STURM_INLINE void outer_sums(const R* const* columns, int count, const int* rows, int j, Vec<R>* sums) {
  Vec<R> sum[outer_columns * Count] = {};
  for (int v = 0; v < count; ++v) {
    const R *x = columns[v], *b = x + j;
    __asm__("" : "+r"(b));  // one pointer with fixed offsets
    Vec<R> a[Count];
#pragma GCC unroll 4
    for (int r = 0; r < Count; ++r) __builtin_memcpy(&a[r], x + rows[r], sizeof a[r]);
#pragma GCC unroll 12
    for (int c = 0; c < outer_columns; ++c)
#pragma GCC unroll 4
      for (int r = 0; r < Count; ++r) sum[c * Count + r] = plus_product(sum[c * Count + r], b[c], a[r]);
  }
#pragma GCC unroll 32
  for (int i = 0; i < outer_columns * Count; ++i) sums[i] = sum[i];
}

template <int Most, class R>
STURM_INLINE void some_outer_sums(int vectors, const R* const* columns, int count, const int* rows, int j,
                                  Vec<R>* sums) {
  if constexpr (Most > 0) {
    if (vectors == Most)
      outer_sums<Most>(columns, count, rows, j, sums);
    else
      some_outer_sums<Most - 1>(vectors, columns, count, rows, j, sums);
  }
}

/// For fewer rows than a register or a tile holds.
template <class R>
void small_outer(const R* const* columns, int count, int n, R sign, R* h) {
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      R sum = 0;
      for (int v = 0; v < count; ++v) sum = plus_product(sum, columns[v][i], columns[v][j]);
      h[i + std::size_t(j) * n] += sign * sum;
    }
}

template <class R>
void outer_products(const R* const* columns, int count, int n, R sign, R* h) {
  constexpr int lanes = width<R>, least = lanes > outer_columns ? lanes : outer_columns;
  if (n < least) return small_outer(columns, count, n, sign, h);
  for (int left = 0; left < n; left += outer_columns) {
    // The last tile of columns and the last register of rows reach back over what is done; only what is new is kept.
    const int j = left + outer_columns <= n ? left : n - outer_columns;
    for (int top = left; top < n; top += outer_vectors * lanes) {
      const int vectors = (n - top + lanes - 1) / lanes < outer_vectors ? (n - top + lanes - 1) / lanes : outer_vectors;
      int rows[outer_vectors];
      for (int r = 0; r < vectors; ++r) rows[r] = top + (r + 1) * lanes <= n ? top + r * lanes : n - lanes;
      Vec<R> sums[outer_columns * outer_vectors];
      some_outer_sums<outer_vectors>(vectors, columns, count, rows, j, sums);
      for (int c = left - j; c < outer_columns; ++c) {
        R* to = h + std::size_t(j + c) * n;
        for (int r = 0; r < vectors; ++r) {
          const int first = top + r * lanes > j + c ? top + r * lanes : j + c;
          const Vec<R> sum = sums[c * vectors + r];
          if (first == rows[r]) {
            Vec<R> before;
            __builtin_memcpy(&before, to + first, sizeof before);
            before = plus_product(before, sign, sum);
            __builtin_memcpy(to + first, &before, sizeof before);
          } else {
            for (int i = first; i < rows[r] + lanes; ++i) to[i] = plus_product(to[i], sign, sum[i - rows[r]]);
          }
        }
      }
    }
  }
}
