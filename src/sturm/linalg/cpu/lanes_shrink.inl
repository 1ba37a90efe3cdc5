// SPDX-License-Identifier: BSD-3-Clause
// Singular value shrinkage of a group of matrices through the eigenvectors of their Gram matrices:
//     T <- U diag(1 - mu / s)+ U^H T,     H = T T^H = U diag(s^2) U^H.

/// Scratch of one group, carved out of one block in this order.
template <class R, template <class> class Number>
struct Workspace {
  using C = Number<R>;
  using V = Vec<R>;
  C *t, *h, *u, *c, *phases, *v, *w, *next, *y;
  V *z, *d, *e, *tau, *cosines, *sines, *f;

  static constexpr std::size_t bytes(int n, int m) {
    return sizeof(C) * (std::size_t(n) * odd(m) * 2 + std::size_t(n) * odd(n) * 2 + std::size_t(n) * 5) +
           sizeof(V) * (std::size_t(n) * odd(n) + std::size_t(n) * 6) + 64;
  }
  Workspace(void* block, int n, int m) {
    char* at = reinterpret_cast<char*>((reinterpret_cast<std::size_t>(block) + 63) / 64 * 64);
    const auto take = [&at](auto*& pointer, std::size_t count) {
      pointer = reinterpret_cast<decltype(+pointer)>(at);
      at += count * sizeof(*pointer);
    };
    const std::size_t rows = n, nn = rows * odd(n), nm = rows * odd(m);
    take(t, nm), take(c, nm), take(h, nn), take(u, nn);
    take(phases, rows), take(v, rows), take(w, rows), take(next, rows), take(y, rows);
    take(z, nn), take(d, rows), take(e, rows), take(tau, rows), take(cosines, rows), take(sines, rows), take(f, rows);
  }
};

/// Copies between the matrices of a group and lane order, times a factor per lane. Where rows > cols lane order holds
/// the transpose (not conjugated: the prox of a transpose is the transpose of the prox). Every
/// lane has a readable matrix.
template <bool In, bool IsComplex, class R>
void transfer(R* const* matrices, const bool* skip, int rows, int cols, R* lanes, int stride, const R* factor) {
  constexpr int parts = IsComplex ? 2 : 1;
  const bool wide = rows <= cols;
  for (int part = 0; part < parts; ++part)
    for (int j = 0; j < cols; ++j)
      for (int i = 0; i < rows; ++i) {
        const std::size_t at = i + std::size_t(j) * rows;
        const std::size_t position = wide ? std::size_t(i) * stride + j : std::size_t(j) * stride + i;
        R* there = lanes + (position * parts + part) * width<R>;
        for (int lane = 0; lane < width<R>; ++lane) {
          if constexpr (In)
            there[lane] = matrices[lane * 2 + part][at] * factor[lane];
          else if (!skip[lane])
            matrices[lane * 2 + part][at] = there[lane] * factor[lane];
        }
      }
}

/// A bound of the largest singular value that costs one pass: the Frobenius norm, in double. Scaled only where
/// squares overflow or vanish. Not finite where the matrix holds something that is not.
template <class R>
double frobenius(const LaneMatrix<R>& a, std::size_t size, double factor = 1) {
  constexpr int chains = 16;  // independent sums, in an order that does not depend on the instruction set
  double sums[chains] = {};
  for (const R* part : {a.re, a.im}) {
    if (!part) continue;
    std::size_t i = 0;
    for (; i + chains <= size; i += chains)
      for (int q = 0; q < chains; ++q) {
        const double v = double(part[i + q]) * factor;
        sums[q] += v * v;
      }
    for (; i < size; ++i) {
      const double v = double(part[i]) * factor;
      sums[0] += v * v;
    }
  }
  double sum = 0;
  for (const double s : sums) sum += s;
  if (factor == 1 && (sum < 1e-280 || sum > 1e280)) {
    double most = 0;
    for (const R* part : {a.re, a.im})
      for (std::size_t i = 0; part && i < size; ++i) {
        const double v = __builtin_fabs(double(part[i]));
        if (!(v <= most)) most = v;
      }
    if (most > 0 && most < __builtin_inf()) {
      int exponent = 0;
      __builtin_frexp(most, &exponent);
      return __builtin_ldexp(frobenius(a, size, __builtin_ldexp(1.0, -exponent + 1)), exponent - 1);
    }
  }
  return __builtin_sqrt(sum);
}

/// Marks the lanes in which the Gram matrix alone shows that nothing exceeds the threshold: s_max^4 <= |H|_F^2.
template <class R, class C>
Mask<R> nothing_left(const C* h, int n, Vec<R> mu) {
  Vec<R> sum{};
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < i; ++k) sum += 2 * square(h[i * odd(n) + k]);
    sum += square(h[i * odd(n) + i]);
  }
  return square_root(sum) <= mu * mu;
}

template <class R>
void clear(LaneMatrix<R>& a, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) a.re[i] = 0;
  if (a.im)
    for (std::size_t i = 0; i < size; ++i) a.im[i] = 0;
}

template <class R, template <class> class Number, bool IsComplex>
void shrink_group(LaneMatrix<R>* group, int count, int rows, int cols, double floor, void* scratch) {
  using V = Vec<R>;
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  const std::size_t size = std::size_t(rows) * cols;
  Workspace<R, Number> work(scratch, n, m);
  bool skip[width<R>];
  R scale[width<R>], unscale[width<R>], mu[width<R>];
  int alive = 0;
  for (int lane = 0; lane < width<R>; ++lane) {
    skip[lane] = true;
    scale[lane] = unscale[lane] = 1;
    mu[lane] = 2;
    if (lane >= count) continue;
    LaneMatrix<R>& a = group[lane];
    a.largest = a.nuclear = 0;
    a.rank = 0;
    a.accurate = true;
    const double bound = frobenius(a, size);
    if (!(bound > a.threshold)) {
      if (bound <= a.threshold)
        clear(a, size);
      else
        a.accurate = false;  // not a number
      continue;
    }
    // Scaled by a power of two to about 1, so that squares neither overflow nor vanish in single precision.
    int exponent = 0;
    __builtin_frexp(bound, &exponent);
    scale[lane] = R(__builtin_ldexp(1.0, -exponent));
    unscale[lane] = R(__builtin_ldexp(1.0, exponent));
    if (!(scale[lane] > 0) || 1 / scale[lane] != unscale[lane] || !(bound < __builtin_inf())) {  // out of R's range
      a.accurate = false;
      continue;
    }
    mu[lane] = R(__builtin_ldexp(a.threshold, -exponent));
    skip[lane] = false;
    ++alive;
  }
  if (alive == 0) return;
  // Idle lanes work on a copy of a busy one: zeros or stale numbers there could cost time.
  R* matrices[2 * width<R>];
  int busy = 0;
  while (skip[busy]) ++busy;
  for (int lane = 0; lane < width<R>; ++lane) {
    const int from = skip[lane] ? busy : lane;
    matrices[2 * lane] = group[from].re;
    matrices[2 * lane + 1] = group[from].im;
    scale[lane] = scale[from];
  }
  R* const lanes = reinterpret_cast<R*>(work.t);
  transfer<true, IsComplex>(matrices, skip, rows, cols, lanes, odd(m), scale);
  gram(work.t, work.h, n, m);
  Vec<R> thresholds;
  for (int lane = 0; lane < width<R>; ++lane) thresholds[lane] = mu[lane];
  const Mask<R> nothing = nothing_left<R>(work.h, n, thresholds);
  for (int lane = 0; lane < count; ++lane)
    if (!skip[lane] && nothing[lane]) {
      clear(group[lane], size);
      skip[lane] = true;
      --alive;
    }
  if (alive == 0) return;
  tridiagonalise<R, Number>(work.h, n, work.d, work.e, work.tau, work.phases, work.v, work.w, work.next, work.y);
  const Mask<R> unfinished = tridiagonal_ql<true, R>(work.d, work.e, work.z, n, work.cosines, work.sines);

  // What is kept, lane by lane: columns in the order in which they were found, weights f = 1 - mu / s.
  int kept = 0;
  const int capacity = n;
  R* const weights = reinterpret_cast<R*>(work.f);
  R* const values = reinterpret_cast<R*>(work.d);
  R* const vectors = reinterpret_cast<R*>(work.z);
  for (int p = 0; p < capacity; ++p) work.f[p] = V{};
  for (int lane = 0; lane < count; ++lane) {
    if (skip[lane]) continue;
    LaneMatrix<R>& a = group[lane];
    double largest = 0;
    int rank = 0;
    double nuclear = 0;
    for (int i = 0; i < n; ++i) {
      const R value = values[i * width<R> + lane];
      if (value > largest) largest = value;
      if (!(value > mu[lane] * mu[lane])) continue;
      const double s = __builtin_sqrt(double(value));
      nuclear += s - double(mu[lane]);
      weights[rank * width<R> + lane] = R((s - double(mu[lane])) / s);
      // Column i of the eigenvectors moves to column `rank`, which is never right of it.
      if (rank != i)
        for (int r = 0; r < n; ++r)
          vectors[(std::size_t(r) * odd(n) + rank) * width<R> + lane] =
              vectors[(std::size_t(r) * odd(n) + i) * width<R> + lane];
      ++rank;
    }
    largest = __builtin_sqrt(largest);
    a.largest = largest * double(unscale[lane]);
    a.rank = rank;
    a.nuclear = nuclear * double(unscale[lane]);
    if (unfinished[lane] || double(mu[lane]) < floor * largest) {
      a.accurate = false;
      skip[lane] = true;
    }
    if (!skip[lane] && rank > kept) kept = rank;
  }
  if (kept > 0) {
    for (int i = 0; i < n; ++i)
      for (int p = 0; p < kept; ++p) work.u[i * odd(kept) + p] = Number<R>{work.z[i * odd(n) + p]};
    back_transform<R, Number>(work.h, work.tau, work.phases, work.u, n, kept);
    filter(work.u, work.f, work.t, work.c, n, m, kept);
  }
  for (int lane = 0; lane < count; ++lane)
    if (!skip[lane] && group[lane].rank == 0) {
      clear(group[lane], size);
      skip[lane] = true;
    }
  if (kept > 0) transfer<false, IsComplex>(matrices, skip, rows, cols, lanes, odd(m), unscale);
}

template <class R, template <class> class Number, bool IsComplex>
void norms_group(LaneMatrix<R>* group, int count, int rows, int cols, void* scratch) {
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  const std::size_t size = std::size_t(rows) * cols;
  Workspace<R, Number> work(scratch, n, m);
  R* matrices[2 * width<R>];
  R scale[width<R>];
  double unscale[width<R>] = {};
  bool none[width<R>] = {};
  int busy = -1;
  for (int lane = 0; lane < count; ++lane) {
    LaneMatrix<R>& a = group[lane];
    const double bound = frobenius(a, size);
    a.largest = a.nuclear = bound == 0 ? 0 : __builtin_nan("");
    if (!(bound > 0 && bound < __builtin_inf())) continue;
    int exponent = 0;
    __builtin_frexp(bound, &exponent);
    scale[lane] = R(__builtin_ldexp(1.0, -exponent));
    unscale[lane] = __builtin_ldexp(1.0, exponent);
    busy = lane;
  }
  if (busy < 0) return;
  for (int lane = 0; lane < width<R>; ++lane) {
    const int from = lane < count && unscale[lane] > 0 ? lane : busy;
    matrices[2 * lane] = group[from].re;
    matrices[2 * lane + 1] = group[from].im;
    scale[lane] = scale[from];
  }
  transfer<true, IsComplex>(matrices, none, rows, cols, reinterpret_cast<R*>(work.t), odd(m), scale);
  gram(work.t, work.h, n, m);
  tridiagonalise<R, Number>(work.h, n, work.d, work.e, work.tau, work.phases, work.v, work.w, work.next, work.y);
  tridiagonal_ql<false, R>(work.d, work.e, work.z, n, work.cosines, work.sines);
  for (int lane = 0; lane < count; ++lane) {
    if (!(unscale[lane] > 0)) continue;
    double sum = 0, largest = 0;
    for (int i = 0; i < n; ++i) {
      const double value = work.d[i][lane];
      const double s = value > 0 ? __builtin_sqrt(value) : 0;
      sum += s;
      if (s > largest) largest = s;
    }
    group[lane].nuclear = sum * unscale[lane];
    group[lane].largest = largest * unscale[lane];
  }
}

template <class R>
std::size_t scratch_bytes(int rows, int cols, bool complex) {
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  return complex ? Workspace<R, Complex>::bytes(n, m) : Workspace<R, Plain>::bytes(n, m);
}

template <class R>
void shrink_any(LaneMatrix<R>* group, int count, int rows, int cols, bool complex, double floor, void* scratch) {
  if (complex)
    shrink_group<R, Complex, true>(group, count, rows, cols, floor, scratch);
  else
    shrink_group<R, Plain, false>(group, count, rows, cols, floor, scratch);
}

template <class R>
void norms_any(LaneMatrix<R>* group, int count, int rows, int cols, bool complex, void* scratch) {
  if (complex)
    norms_group<R, Complex, true>(group, count, rows, cols, scratch);
  else
    norms_group<R, Plain, false>(group, count, rows, cols, scratch);
}
