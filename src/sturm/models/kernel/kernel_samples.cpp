// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel/kernel_samples.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/linalg/pairs.h"
#include "sturm/linalg/voxels.h"
#include "sturm/models/preparation.h"

namespace sturm {
namespace {

/// Voxels are cut into this many runs at most, whatever the threads; sums of the runs are added in order.
constexpr Index runs = 16;

/// Voxels whose products are summed up before they are added to the rest, and those of them whose part of Z stays in
/// the second-level cache, beside the sums.
constexpr Index block = 1024, part = 512;

/// With fewer voxels the products are in double. Where voxels are few, or alike, the matrix has small eigenvalues,
/// those of a kernel of one voxel are 0: in single precision they become 1e-7 of the largest with either sign, and a
/// solver of the dual problem looks for an optimum in noise, without end.
constexpr Index voxels_a_sample = 16;

struct Run {
  Index first, last;
};

std::vector<Run> cut(Index voxels) {
  const Index count = std::clamp<Index>((voxels + block - 1) / block, 1, runs);
  std::vector<Run> out;
  for (Index r = 0; r < count; ++r) out.push_back({voxels * r / count, voxels * (r + 1) / count});
  return out;
}

/// The sum over all runs of what body(run) returns.
template <class Body>
std::vector<double> sum_of_runs(Index voxels, Body body) {
  const std::vector<Run> pieces = cut(voxels);
  std::vector<std::vector<double>> parts(pieces.size());
  parallel_for(static_cast<Index>(pieces.size()), [&](Index r, int) { parts[r] = body(pieces[r]); });
  for (std::size_t r = 1; r < parts.size(); ++r)
    for (std::size_t i = 0; i < parts[0].size(); ++i) parts[0][i] += parts[r][i];
  return std::move(parts[0]);
}

double mean_of(const double* values, Index count) {
  return std::accumulate(values, values + count, 0.0) / static_cast<double>(count);
}

/// The Gram matrix (lower triangle) of one run of voxels, products in Number and the sum of the blocks in double. In
/// single precision a block is 1024 products: what it loses is below 1e-6 of them, and the errors of blocks average
/// out.
template <class Number, class Real>
class GramOfRun {
 public:
  /// For runs of so many voxels at most. Unless null, `pairs` multiplies; it knows single precision alone.
  GramOfRun(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space, Index voxels,
            const linalg::PairKernel* pairs = nullptr)
      : x_(x),
        samples_(samples),
        space_(space),
        pairs_(pairs),
        room_(std::min(part, voxels)),
        z_(x.samples() * (room_ + 2)),
        h_(x.samples() * x.samples()),
        wide_(x.samples()) {
    std::iota(neighbours_.begin(), neighbours_.end(), Index{0});
  }

  /// Adds the block of `count` voxels from `first`. False, and nothing added, where its numbers are outside what
  /// products in Number can hold.
  bool add(Index first, Index count, std::vector<double>& sum) {
    if constexpr (sizeof(Number) == 8) {
      products(first, count, sum.data());
      return true;
    } else {
      const Index m = x_.samples();
      std::ranges::fill(h_, Number{0});
      pairs_ ? products_of_pairs(first, count, h_.data()) : products(first, count, h_.data());
      Number largest = 0;  // the diagonal has the largest sums
      for (Index i = 0; i < m; ++i) largest = h_[i + i * m] <= largest ? largest : h_[i + i * m];
      if (!(largest >= Number{1e-20F} && largest <= Number{1e30F})) return false;
      for (Index j = 0; j < m; ++j)
        linalg::voxel_kernel<Number>().add(h_.data() + j + j * m, 1, sum.data() + j + j * m, m - j);
      return true;
    }
  }

 private:
  void products(Index first, Index count, Number* h) {
    const Index m = x_.samples();
    for (Index from = 0; from < count; from += part) {
      const Index here = std::min(part, count - from);
      for (Index k = 0; k < here; ++k) centre(first + from + k, z_.data() + k * m);
      const Index following = look_ahead(first + from + here, part);
      linalg::host::add_gram<Number>(m, z_.data(), {neighbours_.data(), static_cast<std::size_t>(here)}, nullptr, 1, h,
                                     {{next_.data(), static_cast<std::size_t>(following)}, m * sizeof(Real)});
    }
  }

  void products_of_pairs(Index first, Index count, float* h) {
    const Index m = x_.samples(), columns = (count + 1) / 2;
    float *const a = z_.data() + room_ * m, *const b = a + m;
    std::array<const float*, part> column;
    for (Index k = 0; k < columns; ++k) {
      centre(first + 2 * k, a);
      if (2 * k + 1 < count)
        centre(first + 2 * k + 1, b);
      else
        std::fill_n(b, m, 0.0F);
      column[k] = z_.data() + k * m;
      pairs_->pack(a, b, z_.data() + k * m, m);
    }
    const Index following = look_ahead(first + count, block);
    if (following > 0) std::fill(next_.begin() + following, next_.end(), next_[0]);
    pairs_->outer(column.data(), static_cast<int>(columns), static_cast<int>(m), h, next_.data(),
                  following > 0 ? m * sizeof(Real) : 0);
  }

  /// Up to `most` columns from a voxel on, into next_; their number.
  Index look_ahead(Index from, Index most) {
    const Index following = std::min<Index>(most, static_cast<Index>(space_.voxels.size()) - from);
    for (Index k = 0; k < following; ++k) next_[k] = x_.column(space_.voxels[from + k]);
    return following;
  }

  void centre(Index k, Number* out) {
    const Index m = x_.samples(), voxel = space_.voxels[k];
    const double scale = space_.scale_of(k);
    const auto& kernel = linalg::voxel_kernel<Number>();
    if constexpr (std::is_same_v<Number, Real>) {
      if (samples_.mean.empty()) {
        const Real* const column = x_.column(voxel);
        kernel.less(column, kernel.mean(column, m), static_cast<Real>(scale), out, m);
        return;
      }
    }
    const double mean = scaled_samples(x_, samples_, voxel, wide_.data()) / static_cast<double>(m);
    kernel.shift(wide_.data(), mean, scale, out, m);
  }

  const Design<Real>& x_;
  const SampleStatistics& samples_;
  const VoxelSpace& space_;
  const linalg::PairKernel* pairs_;
  Index room_;  ///< voxels that z has room for
  AlignedVector<Number> z_, h_;
  std::vector<double> wide_;
  std::array<Index, part> neighbours_;
  std::array<const void*, block> next_;
};

}  // namespace

VoxelSpace restricted(const VoxelSpace& space, std::span<const std::size_t> kept) {
  VoxelSpace out{{}, {}, space.normalize};
  for (const std::size_t k : kept) {
    out.voxels.push_back(space.voxels[k]);
    if (!space.scale.empty()) out.scale.push_back(space.scale[k]);
  }
  return out;
}

template <class Real>
std::vector<double> gram(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space,
                         Digits digits) {
  const Index m = x.samples();
  const auto voxels = static_cast<Index>(space.voxels.size());
  const bool wide_alone = digits == Digits::twice || voxels < voxels_a_sample * m,
             pairs = digits == Digits::few && sizeof(Real) == 4 && m >= linalg::least_pair_rows;
  std::vector<double> out = sum_of_runs(voxels, [&](const Run& run) {
    std::vector<double> sum(m * m);
    const Index length = run.last - run.first;
    std::optional<GramOfRun<Real, Real>> gram;
    std::optional<GramOfRun<double, Real>> wide;
    if (!wide_alone) gram.emplace(x, samples, space, length, pairs ? linalg::pair_kernel() : nullptr);
    for (Index first = run.first; first < run.last; first += block) {
      const Index count = std::min(block, run.last - first);
      if (gram && gram->add(first, count, sum)) continue;
      if (!wide) wide.emplace(x, samples, space, length);
      wide->add(first, count, sum);
    }
    return sum;
  });
  bool finite = true;
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) {
      finite = finite && std::isfinite(out[i + j * m]);
      out[j + i * m] = out[i + j * m];
    }
  if (!finite) {
    require_finite(x, space.voxels);
    throw Error("the volumes are too large in value for sums of their squares; scale them, or use `normalize`");
  }
  return out;
}

std::vector<double> squared_distances(std::span<const double> gram, Index samples) {
  std::vector<double> out(gram.size());
  for (Index j = 0; j < samples; ++j)
    for (Index i = 0; i < samples; ++i)
      if (i != j)
        out[i + j * samples] = std::max(0.0, gram[i + i * samples] + gram[j + j * samples] - 2 * gram[i + j * samples]);
  return out;
}

template <class Real>
std::vector<double> squared_distances(const Design<Real>& given, const Design<Real>& other, std::span<const Index> rows,
                                      const VoxelSpace& space) {
  if (given.shape() != other.shape())
    throw Error("the model is for volumes of " + to_string(other.shape()) + " and these are " +
                to_string(given.shape()));
  const Design<Real> x = part_of(given, {}, other.region());
  const Index n = x.samples(), m = other.samples(), r = static_cast<Index>(rows.size());
  const SampleStatistics of_x = sample_statistics(x, space.normalize),
                         of_other = sample_statistics(other, space.normalize);
  // The products, then |z|^2 of x and of the rows. All are taken from the mean of the rows, against cancellation.
  const std::vector<double> sums = sum_of_runs(static_cast<Index>(space.voxels.size()), [&](const Run& run) {
    std::vector<double> sum(n * r + n + r), a(n * part), b(r * part), whole(m);
    for (Index first = run.first; first < run.last; first += part) {
      const Index count = std::min(part, run.last - first);
      for (Index k = 0; k < count; ++k) {
        const double scale = space.scale_of(first + k);
        scaled_samples(x, of_x, space.voxels[first + k], &a[k * n]);
        scaled_samples(other, of_other, space.voxels[first + k], whole.data());
        for (Index j = 0; j < r; ++j) b[k * r + j] = whole[rows[j]];
        const double mean = mean_of(&b[k * r], r);
        for (Index i = 0; i < n; ++i) {
          a[k * n + i] = scale * (a[k * n + i] - mean);
          sum[n * r + i] += a[k * n + i] * a[k * n + i];
        }
        for (Index j = 0; j < r; ++j) {
          b[k * r + j] = scale * (b[k * r + j] - mean);
          sum[n * r + n + j] += b[k * r + j] * b[k * r + j];
        }
      }
      linalg::host::multiply<double>(linalg::Op::none, linalg::Op::transpose, n, r, count, 1, a.data(), n, b.data(), r,
                                     1, sum.data(), n);
    }
    return sum;
  });
  std::vector<double> out(n * r);
  for (Index j = 0; j < r; ++j)
    for (Index i = 0; i < n; ++i)
      out[i + j * n] = std::max(0.0, sums[n * r + i] + sums[n * r + n + j] - 2 * sums[i + j * n]);
  return out;
}

template <class Real>
WeightedSum weighted_sum(const Design<Real>& x, const SampleStatistics& samples, const VoxelSpace& space,
                         std::span<const double> beta) {
  const Index m = x.samples();
  const auto used = std::ranges::find_if(beta, [](double b) { return b != 0; });
  WeightedSum out{std::vector<double>(x.voxels()), 0, std::vector<double>(m), 0};
  if (used == beta.end()) return out;
  const Index reference = used - beta.begin();
  const auto& kernel = linalg::voxel_kernel<Real>();
  const auto& wide = linalg::voxel_kernel<double>();
  std::vector<double> sums = sum_of_runs(static_cast<Index>(space.voxels.size()), [&](const Run& run) {
    std::vector<double> z(m), sum(m + 2);
    for (Index k = run.first; k < run.last; ++k) {
      // Taken from one sample that counts: a voxel that is the same in all of them gets an exact 0.
      const bool plain = samples.mean.empty();
      const Real* const column = x.column(space.voxels[k]);
      if (!plain) scaled_samples(x, samples, space.voxels[k], z.data());
      const double from = plain ? static_cast<double>(column[reference]) : z[reference];
      const double dot =
          plain ? kernel.dot_less(column, from, beta.data(), m) : wide.dot_less(z.data(), from, beta.data(), m);
      const double w = space.scale_of(k) * space.scale_of(k) * dot;
      out.coef[space.voxels[k]] = w;
      plain ? kernel.add_less(column, from, w, sum.data(), m) : wide.add_less(z.data(), from, w, sum.data(), m);
      sum[m] += w * from;
      sum[m + 1] += w * dot;
    }
    return sum;
  });
  out.square = sums[m + 1];
  out.of_reference = sums[m];
  sums.resize(m);
  out.values = std::move(sums);
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                    \
  template std::vector<double> gram(const Design<Real>&, const SampleStatistics&, const VoxelSpace&, Digits);      \
  template std::vector<double> squared_distances(const Design<Real>&, const Design<Real>&, std::span<const Index>, \
                                                 const VoxelSpace&);                                               \
  template WeightedSum weighted_sum(const Design<Real>&, const SampleStatistics&, const VoxelSpace&,               \
                                    std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
