// SPDX-License-Identifier: BSD-3-Clause
// Singular value shrinkage of a group of matrices through the eigenvectors of their Gram matrices:
//     T <- U diag(1 - mu / s)+ U^H T,     H = T T^H = U diag(s^2) U^H.

/// Bytes of rotations kept before they are applied: they stay in the second cache.
constexpr std::size_t rotation_bytes = 256 * 1024;

template <class R>
constexpr int rotation_sweeps(int n) {
  const int fit = static_cast<int>(rotation_bytes / (2 * sizeof(Vec<R>) * std::size_t(n)));
  return fit < 1 ? 1 : fit < 3 * n ? fit : 3 * n;
}

/// What the later steps of shrink() know of the earlier ones.
template <class R>
struct Progress {
  R* matrices[2 * width<R>];  ///< real and imaginary part, lane by lane; every lane has readable ones
  R unscale[width<R>];
  bool skip[width<R>];  ///< nothing is written
  int kept;             ///< most eigenvectors of a lane
  Rotations<R> rotations;
};

/// Scratch of one group, carved out of one block in this order.
template <class R, template <class> class Number>
struct Workspace {
  using C = Number<R>;
  using V = Vec<R>;
  Progress<R>* progress;
  C *t, *h, *u, *c, *phases, *v, *w, *next, *y;
  V *z, *d, *e, *tau, *f, *cosines, *sines;
  Mask<R>* order;  ///< which eigenvector is the p-th that is kept
  int *low, *high;

  static constexpr std::size_t round(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static constexpr std::size_t bytes(int n, int m) {
    const std::size_t sweeps = rotation_sweeps<R>(n);
    return round(sizeof(Progress<R>)) +
           sizeof(C) * (std::size_t(n) * odd(m) * 2 + std::size_t(n) * odd(n) * 2 + std::size_t(n) * 5) +
           sizeof(V) * (std::size_t(n) * odd(n) + std::size_t(n) * 5 + 2 * sweeps * n) + 2 * sizeof(int) * sweeps + 64;
  }
  Workspace(void* block, int n, int m) {
    char* at = reinterpret_cast<char*>(round(reinterpret_cast<std::size_t>(block)));
    const auto take = [&at](auto*& pointer, std::size_t count) {
      pointer = reinterpret_cast<decltype(+pointer)>(at);
      at += count * sizeof(*pointer);
    };
    const std::size_t rows = n, nn = rows * odd(n), nm = rows * odd(m), sweeps = rotation_sweeps<R>(n);
    take(progress, 1);
    at = reinterpret_cast<char*>(round(reinterpret_cast<std::size_t>(at)));
    take(t, nm), take(c, nm), take(h, nn), take(u, nn);
    take(phases, rows), take(v, rows), take(w, rows), take(next, rows), take(y, rows);
    take(z, nn), take(d, rows), take(e, rows), take(tau, rows), take(f, rows), take(order, rows);
    take(cosines, sweeps * rows), take(sines, sweeps * rows), take(low, sweeps), take(high, sweeps);
  }
};

/// Columns `first` to `last` of T between the matrices of a group and lane order, times a factor per lane. Where
/// rows > cols lane order holds the transpose (not conjugated: the prox of a transpose is the transpose of the prox).
template <bool In, bool IsComplex, class R>
void transfer(const Progress<R>& progress, int rows, int cols, R* lanes, int stride, const R* factor, int first,
              int last) {
  constexpr int parts = IsComplex ? 2 : 1;
  const bool wide = rows <= cols;
  const int j0 = wide ? first : 0, j1 = wide ? last : cols, i0 = wide ? 0 : first, i1 = wide ? rows : last;
  for (int part = 0; part < parts; ++part)
    for (int j = j0; j < j1; ++j)
      for (int i = i0; i < i1; ++i) {
        const std::size_t at = i + std::size_t(j) * rows;
        const std::size_t position = wide ? std::size_t(i) * stride + j : std::size_t(j) * stride + i;
        R* there = lanes + (position * parts + part) * width<R>;
        for (int lane = 0; lane < width<R>; ++lane) {
          if constexpr (In)
            there[lane] = progress.matrices[lane * 2 + part][at] * factor[lane];
          else if (!progress.skip[lane])
            progress.matrices[lane * 2 + part][at] = there[lane] * factor[lane];
        }
      }
}

/// A bound of the largest singular value that costs one pass: the Frobenius norm, in double. Scaled only where
/// squares overflow or vanish. Not finite where the matrix holds something that is not.
template <class R>
double scaled_frobenius(const LaneMatrix<R>& a, std::size_t size, double factor) {
  // Independent sums, in an order that does not depend on the instruction set.
  constexpr int chains = 16, w = width<double>;
  Vec<double> sums[chains / w] = {};
  for (const R* part : {a.re, a.im}) {
    if (!part) continue;
    std::size_t i = 0;
    for (; i + chains <= size; i += chains)
#pragma GCC unroll 8
      for (int r = 0; r < chains / w; ++r) {
        Vec<double> v;
        for (int q = 0; q < w; ++q) v[q] = double(part[i + r * w + q]);
        v *= factor;
        sums[r] = plus_product(sums[r], v, v);
      }
    for (; i < size; ++i) {
      const double v = double(part[i]) * factor;
      sums[0][0] = plus_product(double(sums[0][0]), v, v);
    }
  }
  double sum = 0;
  for (int q = 0; q < chains; ++q) sum += sums[q / w][q % w];
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
      return __builtin_ldexp(scaled_frobenius(a, size, __builtin_ldexp(1.0, -exponent + 1)), exponent - 1);
    }
  }
  return __builtin_sqrt(sum);
}
template <class R>
double frobenius(const LaneMatrix<R>& a, std::size_t size) {
  return scaled_frobenius(a, size, 1);
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

/// Up to the eigenvalues. False where nothing is left to do.
template <class R, template <class> class Number, bool IsComplex>
bool begin_group(LaneMatrix<R>* group, int count, int rows, int cols, double floor, void* scratch) {
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  const std::size_t size = std::size_t(rows) * cols;
  Workspace<R, Number> work(scratch, n, m);
  Progress<R>& progress = *work.progress;
  bool* const skip = progress.skip;
  R scale[width<R>], mu[width<R>];
  R* const unscale = progress.unscale;
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
    const double bound = a.bound < 0 ? frobenius(a, size) : a.bound;
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
  if (alive == 0) return false;
  // Idle lanes work on a copy of a busy one: zeros or stale numbers there could cost time.
  int busy = 0;
  while (skip[busy]) ++busy;
  for (int lane = 0; lane < width<R>; ++lane) {
    const int from = skip[lane] ? busy : lane;
    progress.matrices[2 * lane] = group[from].re;
    progress.matrices[2 * lane + 1] = group[from].im;
    scale[lane] = scale[from];
  }
  transfer<true, IsComplex>(progress, rows, cols, reinterpret_cast<R*>(work.t), odd(m), scale, 0, m);
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
  if (alive == 0) return false;
  tridiagonalise<R, Number>(work.h, n, work.d, work.e, work.tau, work.phases, work.v, work.w, work.next, work.y);
  progress.rotations = {work.cosines, work.sines, work.low, work.high, rotation_sweeps<R>(n)};
  const Mask<R> unfinished = tridiagonal_ql<true, R>(work.d, work.e, n, work.z, progress.rotations);

  // What is kept, lane by lane: in the order in which it was found, weights f = 1 - mu / s.
  progress.kept = 0;
  for (int p = 0; p < n; ++p) {
    work.f[p] = Vec<R>{};
    work.order[p] = Mask<R>{};
  }
  for (int lane = 0; lane < count; ++lane) {
    if (skip[lane]) continue;
    LaneMatrix<R>& a = group[lane];
    double largest = 0;
    int rank = 0;
    double nuclear = 0;
    for (int i = 0; i < n; ++i) {
      const R value = work.d[i][lane];
      if (value > largest) largest = value;
      if (!(value > mu[lane] * mu[lane])) continue;
      const double s = __builtin_sqrt(double(value));
      nuclear += s - double(mu[lane]);
      work.f[rank][lane] = R((s - double(mu[lane])) / s);
      work.order[rank][lane] = i;
      ++rank;
    }
    largest = __builtin_sqrt(largest);
    a.largest = largest * double(unscale[lane]);
    a.rank = rank;
    a.nuclear = nuclear * double(unscale[lane]);
    if (unfinished[lane] || double(mu[lane]) < floor * largest) {
      a.accurate = false;
      skip[lane] = true;
    } else if (rank == 0) {
      clear(a, size);
      skip[lane] = true;
    }
    if (!skip[lane] && rank > progress.kept) progress.kept = rank;
  }
  return progress.kept > 0;
}

/// One part of a stage after begin_group(), see LaneKernel::proceed. Parts are cut so that every number is computed by
/// the same instructions whatever their count.
template <class R, template <class> class Number, bool IsComplex>
void proceed_group(int stage, int part, int parts, int rows, int cols, void* scratch) {
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  Workspace<R, Number> work(scratch, n, m);
  const Progress<R>& progress = *work.progress;
  const int kept = progress.kept;
  const auto cut = [parts](int count, int unit, int at) {
    const int end = (count + unit - 1) / unit * at / parts * unit;
    return end < count ? end : count;
  };
  if (stage == 0) {  // rows of the tridiagonal matrix's eigenvectors, those that are kept gathered in u
    const int first = cut(n, 4, part), last = cut(n, 4, part + 1);
    apply(progress.rotations, work.z, n, first, last);
    for (int i = first; i < last; ++i) {
      const R* const row = reinterpret_cast<const R*>(work.z + i * odd(n));
      for (int p = 0; p < kept; ++p) {
        Vec<R> column;
        for (int lane = 0; lane < width<R>; ++lane) column[lane] = row[work.order[p][lane] * width<R> + lane];
        work.u[i * odd(kept) + p] = Number<R>{column};
      }
    }
  } else if (stage == 1) {  // columns of U
    back_transform<R, Number>(work.h, work.tau, work.phases, work.u, n, kept, cut(kept, 4, part),
                              cut(kept, 4, part + 1));
  } else {  // columns of T
    const int first = cut(m, 2, part), last = cut(m, 2, part + 1);
    filter(work.u, work.f, work.t, work.c, n, m, kept, first, last);
    transfer<false, IsComplex>(progress, rows, cols, reinterpret_cast<R*>(work.t), odd(m), progress.unscale, first,
                               last);
  }
}

template <class R, template <class> class Number, bool IsComplex>
void norms_group(LaneMatrix<R>* group, int count, int rows, int cols, void* scratch) {
  const int n = rows < cols ? rows : cols, m = rows < cols ? cols : rows;
  const std::size_t size = std::size_t(rows) * cols;
  Workspace<R, Number> work(scratch, n, m);
  Progress<R>& progress = *work.progress;
  R scale[width<R>];
  double unscale[width<R>] = {};
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
    progress.matrices[2 * lane] = group[from].re;
    progress.matrices[2 * lane + 1] = group[from].im;
    scale[lane] = scale[from];
  }
  transfer<true, IsComplex>(progress, rows, cols, reinterpret_cast<R*>(work.t), odd(m), scale, 0, m);
  gram(work.t, work.h, n, m);
  tridiagonalise<R, Number>(work.h, n, work.d, work.e, work.tau, work.phases, work.v, work.w, work.next, work.y);
  tridiagonal_ql<false, R>(work.d, work.e, n, work.z, progress.rotations);
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
bool begin_any(LaneMatrix<R>* group, int count, int rows, int cols, bool complex, double floor, void* scratch) {
  return complex ? begin_group<R, Complex, true>(group, count, rows, cols, floor, scratch)
                 : begin_group<R, Plain, false>(group, count, rows, cols, floor, scratch);
}

template <class R>
void proceed_any(int stage, int part, int parts, int rows, int cols, bool complex, void* scratch) {
  complex ? proceed_group<R, Complex, true>(stage, part, parts, rows, cols, scratch)
          : proceed_group<R, Plain, false>(stage, part, parts, rows, cols, scratch);
}

template <class R>
void norms_any(LaneMatrix<R>* group, int count, int rows, int cols, bool complex, void* scratch) {
  if (complex)
    norms_group<R, Complex, true>(group, count, rows, cols, scratch);
  else
    norms_group<R, Plain, false>(group, count, rows, cols, scratch);
}
