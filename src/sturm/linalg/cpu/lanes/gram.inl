// SPDX-License-Identifier: BSD-3-Clause
// Matrix products of a group: the Gram matrix, and U diag(f) U^H T from the eigenvectors U that are kept.
// Row-major, T is n x m with n <= m. Blocks are sized to stay in registers (STURM_LANE_BLOCK rows by 2 columns).

/// Row strides are odd: a power of two would send a whole column to one set of the cache.
constexpr int odd(int n) { return n | 1; }

constexpr int block_rows = STURM_LANE_BLOCK;

/// sum over j of a_ij conj(b_kj) for `Rows` rows of a and `Cols` rows of b, into the lower triangle of h.
template <int Rows, int Cols, class C>
STURM_INLINE void gram_block(const C* t, C* h, int n, int m, int i0, int k0) {
  const int ht = odd(n), mt = odd(m);
  C sum[Rows][Cols] = {};
  for (int j = 0; j < m; ++j) {
    C b[Cols];
    for (int q = 0; q < Cols; ++q) b[q] = t[(k0 + q) * mt + j];
    for (int p = 0; p < Rows; ++p) {
      const C a = t[(i0 + p) * mt + j];
      for (int q = 0; q < Cols; ++q) subtract_product_conj(sum[p][q], a, b[q]);
    }
  }
  for (int p = 0; p < Rows; ++p)
    for (int q = 0; q < Cols; ++q) h[(i0 + p) * ht + k0 + q] = scaled(sum[p][q], -1 + decltype(sum[p][q].re){});
}

/// Lower triangle of T T^H.
template <class C>
void gram(const C* t, C* h, int n, int m) {
  int i = 0;
  for (; i + block_rows <= n; i += block_rows) {
    int k = 0;
    for (; k + 2 <= i + block_rows; k += 2) gram_block<block_rows, 2>(t, h, n, m, i, k);
    for (; k < i + block_rows; ++k) gram_block<block_rows, 1>(t, h, n, m, i, k);
  }
  for (; i < n; ++i) {
    int k = 0;
    for (; k + 2 <= i + 1; k += 2) gram_block<1, 2>(t, h, n, m, i, k);
    for (; k < i + 1; ++k) gram_block<1, 1>(t, h, n, m, i, k);
  }
}

/// c = diag(f) U^H T for Rows eigenvectors (columns p of u) and Cols columns of T.
template <int Rows, int Cols, class C, class V>
STURM_INLINE void project_block(const C* u, const C* t, const V* f, C* c, int n, int m, int k, int p0, int j0) {
  const int mt = odd(m), kt = odd(k);
  C sum[Rows][Cols] = {};
  for (int i = 0; i < n; ++i) {
    C b[Cols];
    for (int q = 0; q < Cols; ++q) b[q] = t[i * mt + j0 + q];
    for (int p = 0; p < Rows; ++p) {
      const C a = u[i * kt + p0 + p];
      for (int q = 0; q < Cols; ++q) add_conj_product(sum[p][q], a, b[q]);
    }
  }
  for (int p = 0; p < Rows; ++p)
    for (int q = 0; q < Cols; ++q) c[(p0 + p) * mt + j0 + q] = scaled(sum[p][q], f[p0 + p]);
}

/// t = U c.
template <int Rows, int Cols, class C>
STURM_INLINE void expand_block(const C* u, const C* c, C* t, int m, int k, int i0, int j0) {
  const int mt = odd(m), kt = odd(k);
  C sum[Rows][Cols] = {};
  for (int p = 0; p < k; ++p) {
    C b[Cols];
    for (int q = 0; q < Cols; ++q) b[q] = c[p * mt + j0 + q];
    for (int r = 0; r < Rows; ++r) {
      const C a = u[(i0 + r) * kt + p];
      for (int q = 0; q < Cols; ++q) add_product(sum[r][q], a, b[q]);
    }
  }
  for (int r = 0; r < Rows; ++r)
    for (int q = 0; q < Cols; ++q) t[(i0 + r) * mt + j0 + q] = sum[r][q];
}

/// t <- U diag(f) U^H t for columns `first` to `last` of t, U n x k; c is k x m scratch.
template <class C, class V>
void filter(const C* u, const V* f, C* t, C* c, int n, int m, int k, int first, int last) {
  for (int j = first; j < last; j += 2) {
    const bool pair = j + 2 <= last;
    int p = 0;
    for (; p + block_rows <= k; p += block_rows)
      pair ? project_block<block_rows, 2>(u, t, f, c, n, m, k, p, j)
           : project_block<block_rows, 1>(u, t, f, c, n, m, k, p, j);
    for (; p < k; ++p)
      pair ? project_block<1, 2>(u, t, f, c, n, m, k, p, j) : project_block<1, 1>(u, t, f, c, n, m, k, p, j);
  }
  for (int j = first; j < last; j += 2) {
    const bool pair = j + 2 <= last;
    int i = 0;
    for (; i + block_rows <= n; i += block_rows)
      pair ? expand_block<block_rows, 2>(u, c, t, m, k, i, j) : expand_block<block_rows, 1>(u, c, t, m, k, i, j);
    for (; i < n; ++i) pair ? expand_block<1, 2>(u, c, t, m, k, i, j) : expand_block<1, 1>(u, c, t, m, k, i, j);
  }
}
