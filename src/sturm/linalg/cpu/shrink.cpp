// SPDX-License-Identifier: BSD-3-Clause
// Singular value shrinkage of the slices of a batch: in lanes where a Gram matrix is accurate enough, in double
// lanes or by a full SVD where it is not.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/error.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/lanes/lanes.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg::host {
namespace {

/// The Gram matrix loses the part of a singular value s that lies below epsilon s_max^2 / s, so that the result is
/// wrong by about epsilon s_max / threshold relative to s_max. These floors of threshold / s_max keep that below 1e-5
/// and 1e-12; five times as much is let through where the caller allows it.
template <class Real>
double gram_floor(double accuracy) {
  constexpr double best = sizeof(Real) == 4 ? 1e-5 : 1e-12, floor = sizeof(Real) == 4 ? 0.03 : 2e-3;
  return floor / std::clamp(accuracy / best, 1.0, 5.0);
}

template <class T>
void grow(AlignedVector<T>& v, std::size_t size) {
  if (v.size() < size) v.resize(size);
}

/// About what `groups` groups take, in units of a vector operation.
double operations(Index groups, Index rows, Index cols) {
  return 10.0 * static_cast<double>(groups) * static_cast<double>(rows * cols * std::min(rows, cols));
}

template <class Real>
struct Job {
  LaneMatrix<Real> matrix;
  Shrunk* result;
};

template <class Real>
void finish(Job<Real>& job) {
  *job.result = {job.matrix.largest, job.matrix.nuclear, job.matrix.rank};
}

/// The exact way: LAPACK's SVD in double precision.
template <class Real>
void shrink_by_svd(Job<Real>& job, Index rows, Index cols) {
  auto& [re, im, threshold, bound, largest, nuclear, rank, accurate] = job.matrix;
  const Index size = rows * cols, least = std::min(rows, cols);
  std::vector<std::complex<double>> a(size), u(rows * least), vh(least * cols);
  std::vector<double> s(least);
  bool finite = true;
  for (Index i = 0; i < size; ++i) {
    a[i] = {static_cast<double>(re[i]), im ? static_cast<double>(im[i]) : 0.0};
    finite = finite && std::isfinite(re[i]) && (!im || std::isfinite(im[i]));
  }
  if (!finite) {
    std::fill_n(re, size, std::numeric_limits<Real>::quiet_NaN());
    if (im) std::fill_n(im, size, std::numeric_limits<Real>::quiet_NaN());
    largest = nuclear = std::numeric_limits<double>::quiet_NaN();
    return;
  }
  const bool keep_all = threshold == 0;
  svd(keep_all ? SvdKind::values : SvdKind::thin, rows, cols, a.data(), s.data(), u.data(), vh.data());
  largest = s.front();
  nuclear = 0;
  rank = 0;
  for (const double value : s)
    if (value > threshold) {
      nuclear += value - threshold;
      ++rank;
    }
  if (keep_all) return;
  for (Index j = 0; j < cols; ++j)
    for (Index i = 0; i < rows; ++i) {
      std::complex<double> sum = 0;
      for (Index p = 0; p < rank; ++p) sum += u[i + p * rows] * (s[p] - threshold) * vh[p + j * least];
      re[i + j * rows] = static_cast<Real>(sum.real());
      if (im) im[i + j * rows] = static_cast<Real>(sum.imag());
    }
}

/// Matrices that go through a kernel together, in its lanes.
template <class Real>
class Group {
 public:
  Group(std::span<Job<Real>> jobs, const LaneKernel<Real>& kernel, Index rows, Index cols, bool complex, double floor)
      : jobs_(jobs),
        kernel_(&kernel),
        rows_(static_cast<int>(rows)),
        cols_(static_cast<int>(cols)),
        complex_(complex),
        floor_(floor) {}

  std::size_t scratch_bytes() const { return (kernel_->scratch(rows_, cols_, complex_) + 63) / 64 * 64; }
  /// For imaginary parts that the real matrices among complex ones lack.
  std::size_t spare_numbers() const {
    const bool lacks = complex_ && std::ranges::any_of(jobs_, [](const Job<Real>& job) { return !job.matrix.im; });
    return lacks ? static_cast<std::size_t>(rows_) * cols_ : 0;
  }

  /// True where stages are left.
  bool begin(char* scratch, Real* spare) {
    scratch_ = scratch;
    std::fill_n(spare, spare_numbers(), Real{0});
    std::vector<LaneMatrix<Real>> lanes;
    lanes.reserve(jobs_.size());
    for (const Job<Real>& job : jobs_) {
      lanes.push_back(job.matrix);
      if (complex_ && !job.matrix.im) lanes.back().im = spare;
    }
    const bool more =
        kernel_->begin(lanes.data(), static_cast<int>(lanes.size()), rows_, cols_, complex_, floor_, scratch);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      lanes[i].im = jobs_[i].matrix.im;
      jobs_[i].matrix = lanes[i];
    }
    return more;
  }
  void proceed(int stage, int part, int parts) {
    kernel_->proceed(stage, part, parts, rows_, cols_, complex_, scratch_);
  }

 private:
  std::span<Job<Real>> jobs_;
  const LaneKernel<Real>* kernel_;
  int rows_, cols_;
  bool complex_;
  double floor_;
  char* scratch_ = nullptr;
};

/// What is left over when every thread that is free has had as many groups as every other, where groups are so few that
/// this counts: those are begun by threads that have begun another, and their second halves are for all.
Index left_over(Index groups, Index team) { return groups > team && groups < 4 * team ? groups % team : 0; }

/// The time of `groups` groups on so many threads, in units of one group on one thread. What begin() does is not
/// shared; the rest of the last groups is, among the threads that have none.
double duration(Index groups, Index team) {
  constexpr double first_half = 0.5;  // what begin() takes
  constexpr double toll = 1.1;        // for numbers that move from one core's cache to another's
  const double share = static_cast<double>(groups) / static_cast<double>(team);
  if (left_over(groups, team) > 0) return toll * share;
  const double whole = std::floor(share);
  return share == whole ? whole : whole + first_half + (1 - first_half) * (share - whole);
}

/// The kernels that take the least time for `count` matrices on all threads. All of them give the same bits, so that
/// the choice may depend on the threads.
const LaneKernels& best_kernels(Index count, Index wide, Index narrow) {
  if (!narrow_lane_kernels()) return lane_kernels();
  const int team = free_threads();
  const double wide_time = duration((count + wide - 1) / wide, team) * wide_lane_cost();
  return duration((count + narrow - 1) / narrow, team) <= wide_time ? *narrow_lane_kernels() : lane_kernels();
}

/// Cuts jobs into groups that fill the lanes evenly: the cost of a group does not depend on its size, and
/// even groups keep threads equally busy. The cut does not change any result.
template <class Real>
std::vector<Group<Real>> cut(std::span<Job<Real>> jobs, Index rows, Index cols, bool complex, double floor) {
  const LaneKernels* narrow = narrow_lane_kernels() ? narrow_lane_kernels() : &lane_kernels();
  const auto count = static_cast<Index>(jobs.size());
  const LaneKernel<Real>& kernel =
      kernel_for<Real>(best_kernels(count, kernel_for<Real>(lane_kernels()).width, kernel_for<Real>(*narrow).width));
  const Index groups = (count + kernel.width - 1) / kernel.width;
  std::vector<Group<Real>> out;
  out.reserve(groups);
  for (Index g = 0; g < groups; ++g) {
    const Index first = g * count / groups, last = (g + 1) * count / groups;
    out.emplace_back(jobs.subspan(first, last - first), kernel, rows, cols, complex, floor);
  }
  return out;
}

/// The second half of a group, in pieces that several threads take: the parts of a stage, once the stage before is
/// done. Bits do not depend on how many parts there are.
template <class Real>
class SecondHalf {
 public:
  /// Without a group there is nothing to do.
  explicit SecondHalf(Group<Real>* group) : group_(group), state_(group ? State::not_begun : State::nothing) {}

  /// The first half, by whoever comes first; false where somebody has taken it.
  bool begin(char* scratch, Real* spare) {
    State expected = State::not_begun;
    if (!state_.compare_exchange_strong(expected, State::beginning)) return false;
    bool more = false;
    try {
      more = group_->begin(scratch, spare);
    } catch (...) {
      state_ = State::nothing;  // others wait for it
      throw;
    }
    state_ = more ? State::open : State::nothing;
    return true;
  }
  /// Does one piece, if there is one that can be done now.
  bool step() {
    if (state_ != State::open) return false;
    int piece = given_;
    do {
      if (piece == all || done_ < piece / parts * parts) return false;
    } while (!given_.compare_exchange_weak(piece, piece + 1));
    group_->proceed(piece / parts, piece % parts, parts);
    ++done_;
    return true;
  }
  void run_alone() {
    for (int stage = 0; stage < shrink_stages; ++stage) group_->proceed(stage, 0, 1);
  }
  bool over() const { return state_ == State::nothing || done_ == all; }

  static constexpr int parts = 4;

 private:
  enum class State : std::uint8_t { not_begun, beginning, open, nothing };
  static constexpr int all = shrink_stages * parts;
  Group<Real>* group_;
  std::atomic<State> state_;
  std::atomic<int> given_{0}, done_{0};
};

/// Groups side by side, and threads without a group help with the second halves of others. What is left over of few
/// groups is begun by threads that have begun one of their own.
template <class Real>
void run_groups(std::vector<Group<Real>>& groups, Index rows, Index cols) {
  const double each = operations(1, rows, cols);
  const auto count = static_cast<Index>(groups.size());
  const Index team = free_threads(), left = left_over(count, team), units = count - left;
  parallel_for(
      units,
      [&](Index g, int) {
        // Kept from call to call: fresh pages cost more than the work on them. Helpers work on this thread's.
        thread_local AlignedVector<char> scratch;
        thread_local AlignedVector<Real> spare;
        Group<Real>*own = &groups[g], *other = nullptr;
        if (const Index of_last_round = g - (units - team); of_last_round >= 0 && of_last_round < left)
          other = &groups[units + of_last_round];
        const std::size_t bytes = own->scratch_bytes(), numbers = own->spare_numbers();
        grow(scratch, bytes + (other ? other->scratch_bytes() : 0));
        grow(spare, numbers + (other ? other->spare_numbers() : 0));
        char* const scratch_of_other = scratch.data() + bytes;
        Real* const spare_of_other = spare.data() + numbers;
        SecondHalf<Real> first(own), second(other);
        first.begin(scratch.data(), spare.data());
        if (first.over() && !other) return;
        // Whoever has no group any more works on the first while the second is begun. Each stays with one of them as
        // long as it can: threads that share a stage wait for each other at its end.
        const auto help = [&](Index, int) {
          const bool own_is_second = second.begin(scratch_of_other, spare_of_other);
          auto &preferred = own_is_second ? second : first, &rest = own_is_second ? first : second;
          while (!first.over() || !second.over())
            if (!preferred.step() && !rest.step()) std::this_thread::yield();
        };
        if (other)
          parallel_for_expecting_help(SecondHalf<Real>::parts, help);
        else if (worth_sharing(each / 2))
          parallel_for(SecondHalf<Real>::parts, help, each / 2);
        else
          first.run_alone();
      },
      each * static_cast<double>(count));
}

/// Clears the matrices that are below their thresholds as a whole, and takes them off the list. Of a few groups that
/// would hardly save one, and cost a pass over memory: there the lanes see to it.
template <class Real>
void clear_small(std::vector<Job<Real>>& jobs, Index size) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  if (static_cast<Index>(jobs.size()) < 8 * kernel.width) return;
  const auto below = [](const Job<Real>& job) { return job.matrix.bound <= job.matrix.threshold; };
  parallel_for(
      static_cast<Index>(jobs.size()),
      [&](Index i, int) {
        LaneMatrix<Real>& matrix = jobs[i].matrix;
        matrix.bound = kernel.frobenius(matrix, size);
        if (!below(jobs[i])) return;
        std::fill_n(matrix.re, size, Real{0});
        if (matrix.im) std::fill_n(matrix.im, size, Real{0});
        finish(jobs[i]);
      },
      static_cast<double>(jobs.size()) * static_cast<double>(size) / 4);
  std::erase_if(jobs, below);
}

/// Runs all jobs through the lanes; returns those that need a better way. Where the transform has complex slices its
/// few real ones go with them, with a zero imaginary part: a group of their own would take two thirds of the time of a
/// complex one, however few they are.
template <class Real>
std::vector<Job<Real>> shrink_in_lanes(std::vector<Job<Real>> jobs, Index rows, Index cols, bool complex,
                                       double accuracy) {
  std::vector<Group<Real>> groups = cut<Real>(jobs, rows, cols, complex, gram_floor<Real>(accuracy));
  run_groups(groups, rows, cols);
  std::vector<Job<Real>> left;
  for (Job<Real>& job : jobs)
    if (job.matrix.accurate)
      finish(job);
    else
      left.push_back(job);
  return left;
}

void shrink_left(std::vector<Job<double>> jobs, Index rows, Index cols, bool) {
  parallel_for(static_cast<Index>(jobs.size()), [&](Index i, int) {
    shrink_by_svd(jobs[i], rows, cols);
    finish(jobs[i]);
  });
}

/// Single precision goes on in double precision, through copies.
void shrink_left(std::vector<Job<float>> jobs, Index rows, Index cols, bool complex) {
  const std::size_t size = rows * cols, stride = 2 * size;
  constexpr std::size_t at_once = 256;  // bounds the copies
  for (std::size_t first = 0; first < jobs.size(); first += at_once) {
    const std::size_t count = std::min(at_once, jobs.size() - first);
    std::vector<double> copies(count * stride);
    std::vector<Job<double>> wide(count);
    for (std::size_t i = 0; i < count; ++i) {
      const LaneMatrix<float>& from = jobs[first + i].matrix;
      double* to = copies.data() + i * stride;
      std::copy_n(from.re, size, to);
      if (from.im) std::copy_n(from.im, size, to + size);
      wide[i] = {{.re = to, .im = from.im ? to + size : nullptr, .threshold = from.threshold}, jobs[first + i].result};
    }
    shrink_left(shrink_in_lanes(wide, rows, cols, complex, 0), rows, cols, complex);
    for (std::size_t i = 0; i < count; ++i) {
      const LaneMatrix<float>& to = jobs[first + i].matrix;
      const auto narrow = [](double v) { return static_cast<float>(v); };
      std::transform(wide[i].matrix.re, wide[i].matrix.re + size, to.re, narrow);
      if (to.im) std::transform(wide[i].matrix.im, wide[i].matrix.im + size, to.im, narrow);
    }
  }
}

}  // namespace

template <class Real>
void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
            std::span<const double> thresholds, std::span<Shrunk> results, double accuracy) {
  for (const double t : thresholds)
    if (!(t >= 0)) throw Error("a threshold must be a number that is not negative, not " + std::to_string(t));
  std::vector<Job<Real>> jobs;
  jobs.reserve(count * slices.size());
  for (Index b = 0; b < count; ++b)
    for (std::size_t k = 0; k < slices.size(); ++k) {
      Real* base = hat + b * shape.size();
      jobs.push_back({{.re = base + slices[k].re * shape.slice(),
                       .im = slices[k].complex() ? base + slices[k].im * shape.slice() : nullptr,
                       .threshold = thresholds[b]},
                      &results[b * slices.size() + k]});
    }
  const bool complex = std::ranges::any_of(slices, &Slice::complex);
  clear_small(jobs, shape.slice());
  shrink_left(shrink_in_lanes(std::move(jobs), shape.n1, shape.n2, complex, accuracy), shape.n1, shape.n2, complex);
}

/// Always in double lanes: in single precision the square root of rounding would be seen.
template <class Real>
void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices, std::span<Shrunk> results) {
  const LaneKernel<double>& kernel = kernel_for<double>(lane_kernels());
  const int m = static_cast<int>(shape.n1), n = static_cast<int>(shape.n2);
  const Index size = shape.slice(), width = kernel.width;
  const bool complex = std::ranges::any_of(slices, &Slice::complex);
  const auto per_tensor = static_cast<Index>(slices.size()), all = count * per_tensor;
  const Index groups = (all + width - 1) / width;
  parallel_for(
      groups,
      [&](Index g, int) {
        thread_local AlignedVector<char> scratch;
        thread_local AlignedVector<double> copies;
        const Index first = g * width, last = std::min(all, first + width);
        grow(scratch, kernel.scratch(m, n, complex));
        grow(copies, 2 * size * width);
        std::vector<LaneMatrix<double>> lanes;
        for (Index i = first; i < last; ++i) {
          const Slice& slice = slices[i % per_tensor];
          const Real* base = hat + i / per_tensor * shape.size();
          double* to = copies.data() + 2 * size * (i - first);
          std::copy_n(base + slice.re * size, size, to);
          if (slice.complex())
            std::copy_n(base + slice.im * size, size, to + size);
          else
            std::fill_n(to + size, size, 0.0);
          lanes.push_back({.re = to, .im = complex ? to + size : nullptr});
        }
        kernel.norms(lanes.data(), static_cast<int>(lanes.size()), m, n, complex, scratch.data());
        for (Index i = first; i < last; ++i) results[i] = {lanes[i - first].largest, lanes[i - first].nuclear, 0};
      },
      operations(groups, shape.n1, shape.n2));
}

void exact_norms(const Shape& shape, Index count, const double* hat, std::span<const Slice> slices,
                 std::span<Shrunk> results) {
  const auto per_tensor = static_cast<Index>(slices.size());
  const Index size = shape.slice(), least = std::min(shape.n1, shape.n2);
  parallel_for(
      count * per_tensor,
      [&](Index i, int) {
        const Slice& slice = slices[i % per_tensor];
        const double* base = hat + i / per_tensor * shape.size();
        std::vector<std::complex<double>> a(size);
        for (Index v = 0; v < size; ++v)
          a[v] = {base[slice.re * size + v], slice.complex() ? base[slice.im * size + v] : 0.0};
        std::vector<double> values(least);
        svd<double>(SvdKind::values, shape.n1, shape.n2, a.data(), values.data(), nullptr, nullptr);
        results[i] = {values.front(), std::accumulate(values.begin(), values.end(), 0.0), 0};
      },
      100 * operations(count * per_tensor, shape.n1, shape.n2));
}

template void norms(const Shape&, Index, const float*, std::span<const Slice>, std::span<Shrunk>);
template void norms(const Shape&, Index, const double*, std::span<const Slice>, std::span<Shrunk>);
template void shrink(const Shape&, Index, float*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>,
                     double);
template void shrink(const Shape&, Index, double*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>,
                     double);

}  // namespace sturm::linalg::host
