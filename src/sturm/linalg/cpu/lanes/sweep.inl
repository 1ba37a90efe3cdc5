// SPDX-License-Identifier: BSD-3-Clause
// Products with a block of the design matrix for a panel of problems, one in each lane: x is samples x voxels, samples
// fastest. Every sum runs over samples or voxels in order, in its own lane, so that a problem's bits do not depend on
// the other problems of its panel.

constexpr int cache_line = 64;

/// z[v] = sum_m x[m, v] u[m] for Rows voxels. With Fetch as much of `soon` is brought into the second-level cache.
template <int Rows, bool Fetch, class R>
STURM_INLINE void adjoint_rows(const R* x, int samples, const Vec<R>* u, Vec<R>* z, const R* soon) {
  constexpr int bytes = Rows * static_cast<int>(sizeof(R)), every = bytes < cache_line ? cache_line / bytes : 1;
  Vec<R> sum[Rows] = {};
  const R* column[Rows];
#pragma GCC unroll 32
  for (int r = 0; r < Rows; ++r) column[r] = x + std::size_t(r) * samples;
  for (std::size_t m = 0; m < std::size_t(samples); ++m) {
    if constexpr (Fetch)
      if (m % every == 0)
#pragma GCC unroll 4
        for (int at = 0; at < bytes; at += cache_line)
          __builtin_prefetch(reinterpret_cast<const char*>(soon) + m * bytes + at, 0, 2);
    const Vec<R> um = u[m];
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) sum[r] = plus_product(sum[r], column[r][m], um);
  }
#pragma GCC unroll 32
  for (int r = 0; r < Rows; ++r) z[r] = sum[r];
}

/// y[m] += sum_v x[m, v] w[v] over the listed voxels, for Rows samples.
template <int Rows, class R>
STURM_INLINE void forward_rows(const R* x, int samples, const int* list, int count, const Vec<R>* w, Vec<R>* y) {
  Vec<R> sum[Rows];
#pragma GCC unroll 32
  for (int r = 0; r < Rows; ++r) sum[r] = y[r];
  for (int i = 0; i < count; ++i) {
    const int v = list[i];
    const Vec<R> wv = w[v];
    const R* column = x + std::size_t(v) * samples;
    __asm__("" : "+r"(column));  // one pointer with fixed offsets: left alone, g++ keeps an index for every row
#pragma GCC unroll 32
    for (int r = 0; r < Rows; ++r) sum[r] = plus_product(sum[r], column[r], wv);
  }
#pragma GCC unroll 32
  for (int r = 0; r < Rows; ++r) y[r] = sum[r];
}

/// Unless null, `soon` is the block that is read next.
template <class R>
void adjoint_block(const R* x, int samples, int voxels, const R* panel_u, R* panel_z, const R* soon) {
  const auto* u = reinterpret_cast<const Vec<R>*>(panel_u);
  auto* z = reinterpret_cast<Vec<R>*>(panel_z);
  constexpr int rows = 8;
  int v = 0;
  for (; v + rows <= voxels; v += rows) {
    const std::size_t at = std::size_t(v) * samples;
    if (soon)
      adjoint_rows<rows, true>(x + at, samples, u, z + v, soon + at);
    else
      adjoint_rows<rows, false>(x + at, samples, u, z + v, soon);
  }
  for (; v < voxels; ++v) adjoint_rows<1, false>(x + std::size_t(v) * samples, samples, u, z + v, soon);
}

/// forward_rows with a number of rows known at run time.
template <int Most, class R>
STURM_INLINE void forward_some(int rows, const R* x, int samples, const int* list, int count, const Vec<R>* w,
                               Vec<R>* y) {
  if constexpr (Most > 0) {
    if (rows == Most)
      forward_rows<Most>(x, samples, list, count, w, y);
    else
      forward_some<Most - 1>(rows, x, samples, list, count, w, y);
  }
}

/// Adds to y. Voxels that are zero in every lane are passed over: adding them would not change a bit, and where W is
/// sparse (panels hold problems of like sparsity) they are most.
template <class R>
void forward_block(const R* x, int samples, int voxels, const R* panel_w, R* panel_y) {
  const auto* w = reinterpret_cast<const Vec<R>*>(panel_w);
  auto* y = reinterpret_cast<Vec<R>*>(panel_y);
  int list[sweep_block], count = 0;
  for (int v = 0; v < voxels; ++v) {
    list[count] = v;
    count += all_zero(w[v]) ? 0 : 1;
  }
  // Even groups of samples: a group of one or two would wait for its own sums.
  constexpr int most = STURM_FORWARD_ROWS;
  const int groups = (samples + most - 1) / most;
  for (int g = 0; g < groups; ++g) {
    const int first = g * samples / groups, last = (g + 1) * samples / groups;
    forward_some<most>(last - first, x + first, samples, list, count, w, y + first);
  }
}

/// Brings Count registers of a column that is read a hundred columns later into the second-level cache.
template <int Count, class R>
STURM_INLINE void fetch_ahead(const R* x, int samples, const int* list, int count, int i) {
  constexpr int ahead = 100;
  const R* soon = x + std::size_t(list[i + ahead < count ? i + ahead : count - 1]) * samples;
#pragma GCC unroll 32
  for (int r = 0; r < Count; ++r) __builtin_prefetch(soon + r * width<R>, 0, 2);
}

/// y[m] += sum_v x[m, v] w[v] over the listed voxels for one problem, its samples in the lanes: Count registers of them
/// from `first` on, the last of which may overlap the one before. Each sum is that of forward_rows, to the bit. With
/// Fetch columns are brought into the second-level cache a hundred before their turn: a core waits for fewer lines at a
/// time when it asks for them only as it needs them, and no prefetcher foresees the gaps of a sparse W.
template <int Count, bool Fetch, class R>
STURM_INLINE void forward_registers(const R* x, int samples, int first, const int* list, int count, const R* w, R* y) {
  constexpr int lanes = width<R>;
  int start[Count];
  Vec<R> sum[Count];
#pragma GCC unroll 32
  for (int r = 0; r < Count; ++r) {
    start[r] = first + r * lanes <= samples - lanes ? first + r * lanes : samples - lanes;
    __builtin_memcpy(&sum[r], y + start[r], sizeof sum[r]);
  }
  for (int i = 0; i < count; ++i) {
    const int v = list[i];
    const R* column = x + std::size_t(v) * samples;
    const R wv = w[v];
    if constexpr (Fetch) fetch_ahead<Count>(x + first, samples, list, count, i);
#pragma GCC unroll 32
    for (int r = 0; r < Count; ++r) {
      Vec<R> part;
      __builtin_memcpy(&part, column + start[r], sizeof part);
      sum[r] = plus_product(sum[r], wv, part);
    }
  }
#pragma GCC unroll 32
  for (int r = 0; r < Count; ++r) __builtin_memcpy(y + start[r], &sum[r], sizeof sum[r]);
}

/// forward_registers with a number of registers known at run time.
template <int Most, bool Fetch, class R>
STURM_INLINE void forward_some_registers(int registers, const R* x, int samples, int first, const int* list, int count,
                                         const R* w, R* y) {
  if constexpr (Most > 0) {
    if (registers == Most)
      forward_registers<Most, Fetch>(x, samples, first, list, count, w, y);
    else
      forward_some_registers<Most - 1, Fetch>(registers, x, samples, first, list, count, w, y);
  }
}

/// The same as forward_block for one problem alone: w and y are its own. Only the voxels that are not zero in w count.
/// `far`: x is not in the cache.
template <class R>
void forward_one(const R* x, int samples, int voxels, const R* w, R* y, bool far) {
  int list[sweep_block], count = 0;
  for (int v = 0; v < voxels; ++v) {
    typename VectorOf<R>::integer bits;
    __builtin_memcpy(&bits, w + v, sizeof bits);
    list[count] = v;
    count += (bits & VectorOf<R>::magnitude_bits) != 0 ? 1 : 0;  // w != 0, in half the instructions
  }
  constexpr int lanes = width<R>, most = STURM_FORWARD_ROWS;
  if (samples < lanes) {
    for (int i = 0; i < count; ++i) {
      const R* column = x + std::size_t(list[i]) * samples;
      for (int m = 0; m < samples; ++m) y[m] = plus_product(y[m], w[list[i]], column[m]);
    }
    return;
  }
  // Even groups: registers that overlap must be loaded before either is stored, so that no group may be one alone.
  const int registers = (samples + lanes - 1) / lanes, groups = (registers + most - 1) / most;
  for (int g = 0; g < groups; ++g) {
    const int first = g * registers / groups, last = (g + 1) * registers / groups;
    if (far)
      forward_some_registers<most, true>(last - first, x, samples, first * lanes, list, count, w, y);
    else
      forward_some_registers<most, false>(last - first, x, samples, first * lanes, list, count, w, y);
  }
}

/// forward_registers for Problems at once, which share what is read of x: w has their columns `stride` apart. A voxel
/// that is zero in one of them adds nothing to it.
template <int Count, int Problems, bool Fetch, class R>
STURM_INLINE void forward_shared(const R* x, int samples, int first, const int* list, int count, const R* w,
                                 std::size_t stride, R* const* y) {
  constexpr int lanes = width<R>;
  int start[Count];
  Vec<R> sum[Problems][Count];
#pragma GCC unroll 32
  for (int r = 0; r < Count; ++r) {
    start[r] = first + r * lanes <= samples - lanes ? first + r * lanes : samples - lanes;
#pragma GCC unroll 4
    for (int p = 0; p < Problems; ++p) __builtin_memcpy(&sum[p][r], y[p] + start[r], sizeof sum[p][r]);
  }
  for (int i = 0; i < count; ++i) {
    const int v = list[i];
    const R* column = x + std::size_t(v) * samples;
    if constexpr (Fetch) fetch_ahead<Count>(x + first, samples, list, count, i);
    R wv[Problems];
#pragma GCC unroll 4
    for (int p = 0; p < Problems; ++p) wv[p] = w[p * stride + v];
#pragma GCC unroll 32
    for (int r = 0; r < Count; ++r) {
      Vec<R> part;
      __builtin_memcpy(&part, column + start[r], sizeof part);
#pragma GCC unroll 4
      for (int p = 0; p < Problems; ++p) sum[p][r] = plus_product(sum[p][r], wv[p], part);
    }
  }
#pragma GCC unroll 4
  for (int p = 0; p < Problems; ++p)
#pragma GCC unroll 32
    for (int r = 0; r < Count; ++r) __builtin_memcpy(y[p] + start[r], &sum[p][r], sizeof sum[p][r]);
}

/// forward_shared with a number of registers known at run time.
template <int Most, int Problems, bool Fetch, class R>
STURM_INLINE void forward_some_shared(int registers, const R* x, int samples, int first, const int* list, int count,
                                      const R* w, std::size_t stride, R* const* y) {
  if constexpr (Most > 0) {
    if (registers == Most)
      forward_shared<Most, Problems, Fetch>(x, samples, first, list, count, w, stride, y);
    else
      forward_some_shared<Most - 1, Problems, Fetch>(registers, x, samples, first, list, count, w, stride, y);
  }
}

/// forward_one for two to four problems, with the same bits; needs as many samples as there are lanes. The sums of all
/// problems are kept in registers, so that there are fewer of each.
template <int Problems = 4, class R>
void forward_few(const R* x, int samples, int voxels, int problems, const R* w, std::size_t stride, R* const* y,
                 bool far) {
  if constexpr (Problems > 1) {
    if (problems < Problems) return forward_few<Problems - 1>(x, samples, voxels, problems, w, stride, y, far);
    int list[sweep_block], count = 0;
    for (int v = 0; v < voxels; ++v) {
      typename VectorOf<R>::integer bits = 0;
#pragma GCC unroll 4
      for (int p = 0; p < Problems; ++p) {
        typename VectorOf<R>::integer own;
        __builtin_memcpy(&own, w + p * stride + v, sizeof own);
        bits |= own;
      }
      list[count] = v;
      count += (bits & VectorOf<R>::magnitude_bits) != 0 ? 1 : 0;
    }
    constexpr int lanes = width<R>, most = (STURM_FORWARD_ROWS >= 16 ? 24 : 11) / Problems;
    const int registers = (samples + lanes - 1) / lanes, groups = (registers + most - 1) / most;
    for (int g = 0; g < groups; ++g) {
      const int first = g * registers / groups, last = (g + 1) * registers / groups;
      if (far)
        forward_some_shared<most, Problems, true>(last - first, x, samples, first * lanes, list, count, w, stride, y);
      else
        forward_some_shared<most, Problems, false>(last - first, x, samples, first * lanes, list, count, w, stride, y);
    }
  }
}

/// The numbers 0 to N - 1 as a pack.
template <int... I>
struct Numbers {};
template <int N, int... I>
struct MakeNumbers : MakeNumbers<N - 1, N - 1, I...> {};
template <int... I>
struct MakeNumbers<0, I...> {
  using type = Numbers<I...>;
};

/// Exchanges the blocks of Step x Step that lie across the diagonal of a pair of rows.
template <int Step, class V, int... I>
STURM_INLINE void exchange(V& a, V& b, Numbers<I...>) {
  constexpr int w = sizeof...(I);
  const V low = __builtin_shufflevector(a, b, (I & Step ? I - Step + w : I)...);
  const V high = __builtin_shufflevector(a, b, (I & Step ? I + w : I + Step)...);
  a = low;
  b = high;
}

/// Rows and columns of a width x width block change places, in log2(width) rounds of exchanges.
template <class R, int Step = 1>
STURM_INLINE void transpose_square(Vec<R>* rows) {
  if constexpr (Step < width<R>) {
#pragma GCC unroll 16
    for (int i = 0; i < width<R>; ++i)
      if (!(i & Step)) exchange<Step>(rows[i], rows[i + Step], typename MakeNumbers<width<R>>::type{});
    transpose_square<R, 2 * Step>(rows);
  }
}

/// z[v] = sum_m x[m, v] u[m] for `width` voxels and Count problems, voxels in the lanes: blocks of x are turned in
/// registers. Each sum is that of adjoint_rows, to the bit.
template <int Count, class R>
STURM_INLINE void adjoint_turned(const R* x, int samples, const R* const* u, R* const* z, const R* soon) {
  constexpr int w = width<R>;
  Vec<R> sum[Count] = {};
  const auto add = [&](int start, int first) __attribute__((always_inline)) {
    Vec<R> rows[w];
#pragma GCC unroll 16
    for (int i = 0; i < w; ++i) {
      __builtin_memcpy(&rows[i], x + std::size_t(i) * samples + start, sizeof(Vec<R>));
      if (soon) __builtin_prefetch(soon + std::size_t(i) * samples + start, 0, 2);
    }
    transpose_square<R>(rows);
#pragma GCC unroll 16
    for (int k = 0; k < w; ++k)
      if (k >= first)
#pragma GCC unroll 8
        for (int p = 0; p < Count; ++p) sum[p] = plus_product(sum[p], u[p][start + k], rows[k]);
  };
  int m = 0;
  for (; m + w <= samples; m += w) add(m, 0);
  if (m < samples) add(samples - w, m - (samples - w));
#pragma GCC unroll 8
  for (int p = 0; p < Count; ++p) __builtin_memcpy(z[p], &sum[p], sizeof sum[p]);
}

/// adjoint_block for up to eight problems, each with its own u and z; needs as many samples as there are lanes.
template <int Count = 8, class R>
void adjoint_few(const R* x, int samples, int voxels, int count, const R* const* u, R* z, std::size_t stride,
                 const R* soon) {
  if constexpr (Count > 0) {
    if (count < Count) return adjoint_few<Count - 1>(x, samples, voxels, count, u, z, stride, soon);
    constexpr int w = width<R>;
    int v = 0;
    for (; v + w <= voxels; v += w) {
      const std::size_t at = std::size_t(v) * samples;
      R* to[Count];
      for (int p = 0; p < Count; ++p) to[p] = z + p * stride + v;
      adjoint_turned<Count>(x + at, samples, u, to, soon ? soon + at : nullptr);
    }
    for (; v < voxels; ++v)
      for (int p = 0; p < Count; ++p) {
        R sum = 0;
        for (int m = 0; m < samples; ++m) sum = plus_product(sum, u[p][m], x[std::size_t(v) * samples + m]);
        z[p * stride + v] = sum;
      }
  }
}

/// From a panel (a voxel's problems side by side) to columns (a problem's voxels side by side, `stride` apart), and
/// back. `voxels` is a multiple of the width.
template <bool ToColumns, class R>
void turn_panel(R* panel, int voxels, R* columns, std::size_t stride) {
  constexpr int w = width<R>;
  for (int v = 0; v < voxels; v += w) {
    Vec<R> square[w];
    if constexpr (ToColumns) {
      __builtin_memcpy(square, panel + std::size_t(v) * w, sizeof square);
    } else {
#pragma GCC unroll 16
      for (int i = 0; i < w; ++i) __builtin_memcpy(&square[i], columns + i * stride + v, sizeof(Vec<R>));
    }
    transpose_square<R>(square);
    if constexpr (ToColumns) {
#pragma GCC unroll 16
      for (int i = 0; i < w; ++i) __builtin_memcpy(columns + i * stride + v, &square[i], sizeof(Vec<R>));
    } else {
      __builtin_memcpy(panel + std::size_t(v) * w, square, sizeof square);
    }
  }
}

/// One problem's share of a block between the two products, x_u and x_w being its columns of the panels:
///     z_next = z + scale .* x_u;   w = soft(a + z_next / rho, gamma / rho);   x_w = scale .* w
/// Returns |w|^2 over the block and how much of w is not zero.
template <class R>
LaneSums shrink_block(const LaneSweep<R>& job, std::size_t first, int voxels, const R* x_u, R* x_w) {
  using Integer = typename VectorOf<R>::integer;
  const R inverse = 1 / job.rho, threshold = job.gamma / job.rho;
  Eight<double> norms[4] = {};
  Eight<Integer> nonzeros{};
  in_four_chains(
      voxels, [&](int c, std::size_t v, int count) __attribute__((always_inline)) {
        const std::size_t at = first + v;
        Eight<R> z{}, w{};
        if (job.moved) {
          const Eight<R> x = load(x_u + v, count);
          if (job.scale && job.z)
            z = plus_product(load(job.z + at, count), x, load(job.scale + at, count));
          else if (job.scale)
            z = x * load(job.scale + at, count);
          else
            z = job.z ? load(job.z + at, count) + x : x;
          store(job.z_next + at, z, count);
        } else if (job.shrinks) {
          z = load(job.z + at, count);
        }
        if (!job.w && !job.point) return;
        if (job.shrinks) {
          const Eight<R> t = plus_product(job.a ? load(job.a + at, count) : Eight<R>{}, inverse, z);
          const Eight<R> size = magnitude(t) - threshold, kept = size > 0 ? size : Eight<R>{};
          w = t < 0 ? -kept : kept;
          if (job.mask) w = inside<R>(job.mask, at, count) ? w : Eight<R>{};
          const Eight<double> wide = widen<R>(w);
          norms[c] = plus_product(norms[c], wide, wide);
          nonzeros -= w != 0;
          store(job.w + at, w, count);
        } else {
          w = load(job.point + at, count);
        }
        store(x_w + v, job.scale ? w * load(job.scale + at, count) : w, count);
      });
  LaneSums out{total((norms[0] + norms[1]) + (norms[2] + norms[3])), 0};
  for (int i = 0; i < 8; ++i) out.nonzeros += static_cast<int>(nonzeros[i]);
  return out;
}
