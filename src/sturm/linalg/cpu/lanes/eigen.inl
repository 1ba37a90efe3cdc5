// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenproblem of a group: Householder to tridiagonal form, then implicit QL.

/// The square of what is far below the rounding of numbers about 1, and itself far from the end of the range.
template <class R>
constexpr R negligible_square = (VectorOf<R>::epsilon * R(1e-10)) * (VectorOf<R>::epsilon * R(1e-10));

/// Reduces the lower triangle of h to a real tridiagonal matrix (diagonal d, off-diagonal e >= 0):
///     H = Q D T D^H Q^H,   Q = product of reflectors I - tau_j v_j v_j^H,   D = diag(phases).
/// v_j is left in column j below the diagonal. The rank-two update of step j and the product with v_{j+1} are one
/// pass over the trailing triangle, so that it is read and written once a step.
template <class R, template <class> class Number>
void tridiagonalise(Number<R>* h, int n, Vec<R>* d, Vec<R>* e, Vec<R>* tau, Number<R>* phases, Number<R>* v,
                    Number<R>* w, Number<R>* next, Number<R>* y) {
  using C = Number<R>;
  const int ht = odd(n);
  const Vec<R> zero{};
  phases[0] = C{zero + 1};
  for (int i = 0; i < n; ++i) v[i] = w[i] = C{};
  for (int j = 0; j + 1 < n; ++j) {
    // Column j with the update that is still pending from step j - 1.
    for (int i = j; i < n; ++i) {
      C& a = h[i * ht + j];
      subtract_product_conj(a, v[i], w[j]);
      subtract_product_conj(a, w[i], v[j]);
    }
    d[j] = h[j * ht + j].re;
    // The reflector that takes x = h[j+1.., j] to -phase(x_0) |x| e_0.
    Vec<R> norm2 = zero;
    for (int i = j + 1; i < n; ++i) norm2 += square(h[i * ht + j]);
    // H comes scaled to about 1: a column this small is rounding, and dividing by its square would overflow.
    Vec<R> sigma = square_root(norm2);
    sigma = sigma > VectorOf<R>::epsilon / 1000 ? sigma : zero;
    C& x0 = h[(j + 1) * ht + j];
    // Squares near the end of the range have lost their digits, and a phase made from them would not have length 1.
    // What is so small beside sigma counts as zero.
    const Vec<R> length2 = square(x0);
    const Vec<R> counts = length2 > negligible_square<R> ? zero + 1 : zero;
    x0 = scaled(x0, counts);
    const Vec<R> length = square_root(counts * length2);
    const C p = phase(x0, length);
    C turn{};
    subtract_product_conj(turn, phases[j], C{zero + 1});  // -phases[j]
    phases[j + 1] = C{};
    add_product(phases[j + 1], turn, p);
    e[j] = sigma;
    add_product(x0, p, C{sigma});
    const Vec<R> half = sigma * (sigma + length);  // |v|^2 / 2
    tau[j] = sigma > 0 ? 1 / half : zero;
    for (int i = j + 1; i < n; ++i) {
      next[i] = h[i * ht + j];
      y[i] = C{};
    }
    // One pass: A -= v w^H + w v^H;  y = A next.
    int i = j + 1;
    for (; i + 2 <= n; i += 2) {
      C* row0 = h + i * ht;
      C* row1 = row0 + ht;
      const C v0 = v[i], w0 = w[i], x_0 = next[i], v1 = v[i + 1], w1 = w[i + 1], x_1 = next[i + 1];
      C y0{}, y1{};
      for (int k = j + 1; k < i; ++k) {
        const C vk = v[k], wk = w[k], xk = next[k];
        C a = row0[k];
        subtract_product_conj(a, v0, wk);
        subtract_product_conj(a, w0, vk);
        row0[k] = a;
        C b = row1[k];
        subtract_product_conj(b, v1, wk);
        subtract_product_conj(b, w1, vk);
        row1[k] = b;
        add_product(y0, a, xk);
        add_product(y1, b, xk);
        C yk = y[k];
        add_conj_product(yk, a, x_0);
        add_conj_product(yk, b, x_1);
        y[k] = yk;
      }
      // The 2 x 2 block on the diagonal.
      C a = row0[i], b = row1[i], c = row1[i + 1];
      subtract_product_conj(a, v0, w0);
      subtract_product_conj(a, w0, v0);
      subtract_product_conj(b, v1, w0);
      subtract_product_conj(b, w1, v0);
      subtract_product_conj(c, v1, w1);
      subtract_product_conj(c, w1, v1);
      row0[i] = a;
      row1[i] = b;
      row1[i + 1] = c;
      add_product(y0, C{a.re}, x_0);
      add_conj_product(y0, b, x_1);
      add_product(y1, b, x_0);
      add_product(y1, C{c.re}, x_1);
      y[i] = y0;
      y[i + 1] = y1;
    }
    if (i < n) {
      C* row0 = h + i * ht;
      const C v0 = v[i], w0 = w[i], x_0 = next[i];
      C y0{};
      for (int k = j + 1; k < i; ++k) {
        C a = row0[k];
        subtract_product_conj(a, v0, w[k]);
        subtract_product_conj(a, w0, v[k]);
        row0[k] = a;
        add_product(y0, a, next[k]);
        add_conj_product(y[k], a, x_0);
      }
      C a = row0[i];
      subtract_product_conj(a, v0, w0);
      subtract_product_conj(a, w0, v0);
      row0[i] = a;
      add_product(y0, C{a.re}, x_0);
      y[i] = y0;
    }
    // w = tau A v - (tau^2 v^H A v / 2) v
    C inner{};
    for (int r = j + 1; r < n; ++r) add_conj_product(inner, next[r], y[r]);
    const Vec<R> shift = -tau[j] * (tau[j] * inner.re / 2);  // in this order: the square of tau may overflow
    for (int r = j + 1; r < n; ++r) {
      v[r] = next[r];
      w[r] = scaled(y[r], tau[j]);
      add_product(w[r], C{shift}, v[r]);
    }
  }
  C& last = h[(n - 1) * ht + n - 1];
  if (n > 1) {
    subtract_product_conj(last, v[n - 1], w[n - 1]);
    subtract_product_conj(last, w[n - 1], v[n - 1]);
  }
  d[n - 1] = last.re;
  e[n - 1] = zero;
}

/// z <- z G for the plane rotations of one sweep, for `Rows` rows of z (row stride zt) at once.
template <int Rows, class V>
STURM_INLINE void rotate_rows(V* z, int zt, const V* c, const V* s, int low, int high) {
  V carry[Rows];
  for (int r = 0; r < Rows; ++r) carry[r] = z[r * zt + high];
  for (int i = high - 1; i >= low; --i) {
    const V ci = c[i], si = s[i];
    for (int r = 0; r < Rows; ++r) {
      const V zi = z[r * zt + i];
      z[r * zt + i + 1] = plus_product(ci * carry[r], si, zi);
      carry[r] = plus_product(-(si * carry[r]), ci, zi);
    }
  }
  for (int r = 0; r < Rows; ++r) z[r * zt + low] = carry[r];
}

/// The plane rotations of many sweeps, kept to be applied to a few rows of z at a time while those are in the nearest
/// cache; the rows do not know of each other.
template <class R>
struct Rotations {
  Vec<R>* cosines;  ///< n a sweep
  Vec<R>* sines;
  int* low;  ///< a sweep turns columns low to high
  int* high;
  int capacity;          ///< sweeps
  int sweeps = 0;        ///< kept and not yet applied
  bool applied = false;  ///< whether z holds the product of earlier ones
};

/// z <- z G for all rotations kept, rows `first` to `last`; z starts as the identity.
template <class R>
void apply(const Rotations<R>& rotations, Vec<R>* z, int n, int first, int last) {
  const int zt = odd(n);
  if (!rotations.applied)
    for (int row = first; row < last; ++row)
      for (int i = 0; i < n; ++i) z[row * zt + i] = Vec<R>{} + (i == row ? R(1) : R(0));
  const auto turn = [&]<int Rows>(int row) {
    for (int sweep = 0; sweep < rotations.sweeps; ++sweep)
      rotate_rows<Rows>(z + row * zt, zt, rotations.cosines + std::size_t(sweep) * n,
                        rotations.sines + std::size_t(sweep) * n, rotations.low[sweep], rotations.high[sweep]);
  };
  int row = first;
  for (; row + 4 <= last; row += 4) turn.template operator()<4>(row);
  for (; row < last; ++row) turn.template operator()<1>(row);
}

/// Eigenvalues (into d, unsorted) of the tridiagonal d, e by implicit QL with Wilkinson's shift; its eigenvectors are
/// the columns of what apply() makes of `rotations`. Each lane works on its own unreduced block [l, m]; where a lane
/// has nothing to do at an index its rotation is the identity. Returns the lanes that have not converged (none was ever
/// seen). Without Vectors z and the rotations are not touched.
template <bool Vectors, class R>
Mask<R> tridiagonal_ql(Vec<R>* d, Vec<R>* e, int n, Vec<R>* z, Rotations<R>& rotations) {
  using V = Vec<R>;
  using M = Mask<R>;
  using Int = typename VectorOf<R>::integer;
  const V zero{};
  // Off-diagonals below the error that the reduction has already made count as zero.
  V norm = zero;
  for (int i = 0; i < n; ++i) {
    const V row = magnitude(d[i]) + e[i];
    norm = row > norm ? row : norm;
  }
  const V small = norm * (VectorOf<R>::epsilon / 4);
  M l{};
  for (int sweep = 0; sweep < 40 * n; ++sweep) {
    // l: first index whose off-diagonal is not negligible; m: the next one that is.
    M start = M{} + static_cast<Int>(n), stop = start;
    V dl = zero, dl1 = zero, el = zero, dm = zero;
    int low = n, high = 0;
    for (int i = 0; i < n; ++i) {
      const V next = i + 1 < n ? d[i + 1] : zero;
      const M negligible =
          magnitude(e[i]) <= plus_product(small, VectorOf<R>::epsilon / 2, magnitude(d[i]) + magnitude(next));
      const M here = M{} + static_cast<Int>(i);
      const M begins = (start == n) & ~negligible & (here >= l);
      start = begins ? here : start;
      dl = begins ? d[i] : dl;
      dl1 = begins ? next : dl1;
      el = begins ? e[i] : el;
      const M ends = (start < here) & (stop == n) & negligible;
      stop = ends ? here : stop;
      dm = ends ? d[i] : dm;
      if (low == n && any(begins)) low = i;
      if (any(ends)) high = i;
    }
    l = start;
    if (low == n) return M{};
    V *c = nullptr, *s = nullptr;
    if constexpr (Vectors) {
      if (rotations.sweeps == rotations.capacity) {
        apply(rotations, z, n, 0, n);
        rotations.applied = true;
        rotations.sweeps = 0;
      }
      c = rotations.cosines + std::size_t(rotations.sweeps) * n;
      s = rotations.sines + std::size_t(rotations.sweeps) * n;
      rotations.low[rotations.sweeps] = low;
      rotations.high[rotations.sweeps] = high;
      ++rotations.sweeps;
    }
    V g = (dl1 - dl) / (2 * el);
    V r = square_root(plus_product(zero + 1, g, g));
    g = dm - dl + el / (g + (g < 0 ? -r : r));
    V sine = zero + 1, cosine = sine, p = zero;
    for (int i = high - 1; i >= low; --i) {
      const M here = M{} + static_cast<Int>(i);
      const M active = (here >= start) & (here < stop);
      const M first = here == stop - 1;
      const V f = sine * e[i], b = cosine * e[i];
      const V r2 = plus_product(f * f, g, g);  // digits are lost here as well, and a rotation must be one
      r = r2 > negligible_square<R> ? square_root(r2) : zero;
      const V inverse = r > 0 ? 1 / r : zero;
      const V new_sine = f * inverse, new_cosine = r > 0 ? g * inverse : zero + 1;
      const V base = d[i + 1] - p;
      const V turn = plus_product(2 * new_cosine * b, d[i] - base, new_sine);
      const V new_p = new_sine * turn;
      e[i + 1] = active ? (first ? zero : r) : e[i + 1];
      d[i + 1] = active ? base + new_p : d[i + 1];
      sine = active ? new_sine : sine;
      cosine = active ? new_cosine : cosine;
      p = active ? new_p : p;
      g = active ? plus_product(-b, new_cosine, turn) : g;
      const M last = active & (here == start);
      d[i] = last ? d[i] - p : d[i];
      e[i] = last ? g : e[i];
      if constexpr (Vectors) {
        c[i] = active ? new_cosine : zero + 1;
        s[i] = active ? new_sine : zero;
      }
    }
  }
  return l < static_cast<Int>(n);
}

/// u <- Q D u for columns `first` to `last` of n x k u (row-major), whose entries are real on entry: the reflectors of
/// tridiagonalise(), last first.
template <class R, template <class> class Number>
void back_transform(const Number<R>* h, const Vec<R>* tau, const Number<R>* phases, Number<R>* u, int n, int k,
                    int first, int last) {
  using C = Number<R>;
  const int ht = odd(n), kt = odd(k);
  for (int i = 0; i < n; ++i)
    for (int p = first; p < last; ++p) u[i * kt + p] = scaled(phases[i], u[i * kt + p].re);
  constexpr int block = 4;
  for (int p0 = first; p0 < last; p0 += block) {
    const int count = p0 + block <= last ? block : last - p0;
    for (int j = n - 2; j >= 0; --j) {
      if (count == block) {
        C inner[block] = {};
        for (int i = j + 1; i < n; ++i)
          for (int q = 0; q < block; ++q) add_conj_product(inner[q], h[i * ht + j], u[i * kt + p0 + q]);
        for (int q = 0; q < block; ++q) inner[q] = scaled(inner[q], -tau[j]);
        for (int i = j + 1; i < n; ++i)
          for (int q = 0; q < block; ++q) add_product(u[i * kt + p0 + q], h[i * ht + j], inner[q]);
      } else {
        for (int q = 0; q < count; ++q) {
          C inner{};
          for (int i = j + 1; i < n; ++i) add_conj_product(inner, h[i * ht + j], u[i * kt + p0 + q]);
          inner = scaled(inner, -tau[j]);
          for (int i = j + 1; i < n; ++i) add_product(u[i * kt + p0 + q], h[i * ht + j], inner);
        }
      }
    }
  }
}
