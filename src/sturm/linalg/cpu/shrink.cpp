// SPDX-License-Identifier: BSD-3-Clause
// Singular value shrinkage of the slices of a batch: in lanes where a Gram matrix is accurate enough, in double
// lanes or by a full SVD where it is not.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/error.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/cpu/cpu.h"
#include "sturm/linalg/cpu/lanes.h"

namespace sturm::linalg::cpu {
namespace {

/// The Gram matrix loses the part of a singular value s that lies below epsilon s_max^2 / s, so that the result is
/// wrong by about epsilon s_max / threshold relative to s_max. These floors keep that below 1e-5 and 1e-12.
template <class Real>
constexpr double gram_floor = sizeof(Real) == 4 ? 0.03 : 2e-3;

template <class T>
void grow(AlignedVector<T>& v, std::size_t size) {
  if (v.size() < size) v.resize(size);
}

/// About what `groups` groups take, in units of a vector operation.
double operations(std::size_t groups, Index rows, Index cols) {
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
  auto& [re, im, threshold, largest, nuclear, rank, accurate] = job.matrix;
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

/// Cuts jobs of one kind into groups that fill the lanes evenly: the cost of a group does not depend on its size, and
/// even groups keep threads equally busy. The cut does not change any result.
template <class Real>
std::vector<std::span<Job<Real>>> groups_of(std::span<Job<Real>> jobs, Index width) {
  const auto count = static_cast<Index>(jobs.size()), groups = (count + width - 1) / width;
  std::vector<std::span<Job<Real>>> out;
  for (Index g = 0; g < groups; ++g) {
    const Index first = g * count / groups, last = (g + 1) * count / groups;
    out.push_back(jobs.subspan(first, last - first));
  }
  return out;
}

/// Runs all jobs through the lanes (complex ones first: they take longer); returns those that need a better way.
template <class Real>
std::vector<Job<Real>> shrink_in_lanes(std::vector<Job<Real>> jobs, Index rows, Index cols) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  const auto is_complex = [](const Job<Real>& job) { return job.matrix.im != nullptr; };
  const auto reals = std::stable_partition(jobs.begin(), jobs.end(), is_complex);
  auto groups = groups_of<Real>({jobs.begin(), reals}, kernel.width);
  std::ranges::copy(groups_of<Real>({reals, jobs.end()}, kernel.width), std::back_inserter(groups));
  const int m = static_cast<int>(rows), n = static_cast<int>(cols);
  parallel_for(
      static_cast<Index>(groups.size()),
      [&](Index g, int) {
        thread_local AlignedVector<char>
            scratch;  // kept from call to call: fresh pages cost more than the work on them
        grow(scratch, kernel.scratch(m, n, true));
        const std::span<Job<Real>> group = groups[g];
        const bool complex = is_complex(group.front());
        std::vector<LaneMatrix<Real>> lanes;
        for (const Job<Real>& job : group) lanes.push_back(job.matrix);
        kernel.shrink(lanes.data(), static_cast<int>(lanes.size()), m, n, complex, gram_floor<Real>, scratch.data());
        for (std::size_t i = 0; i < group.size(); ++i) group[i].matrix = lanes[i];
      },
      operations(groups.size(), rows, cols));
  std::vector<Job<Real>> left;
  for (Job<Real>& job : jobs)
    if (job.matrix.accurate)
      finish(job);
    else
      left.push_back(job);
  return left;
}

void shrink_left(std::vector<Job<double>> jobs, Index rows, Index cols) {
  parallel_for(static_cast<Index>(jobs.size()), [&](Index i, int) {
    shrink_by_svd(jobs[i], rows, cols);
    finish(jobs[i]);
  });
}

/// Single precision goes on in double precision, through copies.
void shrink_left(std::vector<Job<float>> jobs, Index rows, Index cols) {
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
    shrink_left(shrink_in_lanes(wide, rows, cols), rows, cols);
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
            std::span<const double> thresholds, std::span<Shrunk> results) {
  for (const double t : thresholds)
    if (!(t >= 0)) throw Error("a threshold must be a number that is not negative, not " + std::to_string(t));
  std::vector<Job<Real>> jobs;
  for (Index b = 0; b < count; ++b)
    for (std::size_t k = 0; k < slices.size(); ++k) {
      Real* base = hat + b * shape.size();
      jobs.push_back({{.re = base + slices[k].re * shape.slice(),
                       .im = slices[k].complex() ? base + slices[k].im * shape.slice() : nullptr,
                       .threshold = thresholds[b]},
                      &results[b * slices.size() + k]});
    }
  shrink_left(shrink_in_lanes(std::move(jobs), shape.n1, shape.n2), shape.n1, shape.n2);
}

/// Always in double lanes: in single precision the square root of rounding would be seen.
template <class Real>
void norms(const Shape& shape, Index count, const Real* hat, std::span<const Slice> slices, std::span<Shrunk> results) {
  const LaneKernel<double>& kernel = kernel_for<double>(lane_kernels());
  const int m = static_cast<int>(shape.n1), n = static_cast<int>(shape.n2);
  const Index size = shape.slice(), width = kernel.width;
  std::vector<std::pair<Index, std::size_t>> all[2];  // tensor and slice; complex ones first
  for (Index b = 0; b < count; ++b)
    for (std::size_t k = 0; k < slices.size(); ++k) all[slices[k].complex() ? 0 : 1].emplace_back(b, k);
  std::vector<std::span<const std::pair<Index, std::size_t>>> groups;
  for (const auto& kind : all)
    for (std::size_t first = 0; first < kind.size(); first += width)
      groups.push_back(std::span(kind).subspan(first, std::min<std::size_t>(width, kind.size() - first)));
  parallel_for(
      static_cast<Index>(groups.size()),
      [&](Index g, int) {
        thread_local AlignedVector<char> scratch;
        thread_local AlignedVector<double> copies;
        const auto& group = groups[g];
        const bool complex = slices[group.front().second].complex();
        grow(scratch, kernel.scratch(m, n, true));
        grow(copies, 2 * size * width);
        std::vector<LaneMatrix<double>> lanes;
        for (const auto& [b, k] : group) {
          double* to = copies.data() + 2 * size * lanes.size();
          const Real* base = hat + b * shape.size();
          std::copy_n(base + slices[k].re * size, size, to);
          if (complex) std::copy_n(base + slices[k].im * size, size, to + size);
          lanes.push_back({.re = to, .im = complex ? to + size : nullptr});
        }
        kernel.norms(lanes.data(), static_cast<int>(lanes.size()), m, n, complex, scratch.data());
        for (std::size_t i = 0; i < lanes.size(); ++i)
          results[group[i].first * slices.size() + group[i].second] = {lanes[i].largest, lanes[i].nuclear, 0};
      },
      operations(groups.size(), shape.n1, shape.n2));
}

template void norms(const Shape&, Index, const float*, std::span<const Slice>, std::span<Shrunk>);
template void norms(const Shape&, Index, const double*, std::span<const Slice>, std::span<Shrunk>);
template void shrink(const Shape&, Index, float*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>);
template void shrink(const Shape&, Index, double*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>);

}  // namespace sturm::linalg::cpu
