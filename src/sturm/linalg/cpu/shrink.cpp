// SPDX-License-Identifier: BSD-3-Clause
// Singular value shrinkage of the slices of a batch: in lanes where a Gram matrix is accurate enough, in double
// lanes or by a full SVD where it is not.
#include <algorithm>
#include <cmath>
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
  std::vector<std::complex<double>> a(static_cast<std::size_t>(size)), u(static_cast<std::size_t>(rows * least)),
      vh(static_cast<std::size_t>(least * cols));
  std::vector<double> s(static_cast<std::size_t>(least));
  bool finite = true;
  for (Index i = 0; i < size; ++i) {
    a[static_cast<std::size_t>(i)] = {static_cast<double>(re[i]), im ? static_cast<double>(im[i]) : 0.0};
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
      for (Index p = 0; p < rank; ++p)
        sum += u[static_cast<std::size_t>(i + p * rows)] * (s[static_cast<std::size_t>(p)] - threshold) *
               vh[static_cast<std::size_t>(p + j * least)];
      re[i + j * rows] = static_cast<Real>(sum.real());
      if (im) im[i + j * rows] = static_cast<Real>(sum.imag());
    }
}

/// Runs jobs of one kind (all complex or all real) through the lanes; returns those that need a better way.
template <class Real>
std::vector<Job<Real>> shrink_in_lanes(std::vector<Job<Real>> jobs, Index rows, Index cols, bool complex) {
  const LaneKernel<Real>& kernel = kernel_for<Real>(lane_kernels());
  const auto count = static_cast<Index>(jobs.size()), groups = (count + kernel.width - 1) / kernel.width;
  const int m = static_cast<int>(rows), n = static_cast<int>(cols);
  std::vector<AlignedVector<char>> scratch(static_cast<std::size_t>(threads()));
  parallel_for(groups, [&](Index g, int worker) {
    auto& block = scratch[static_cast<std::size_t>(worker)];
    if (block.empty()) block.resize(kernel.scratch(m, n, complex));
    const Index first = g * kernel.width, in_group = std::min<Index>(kernel.width, count - first);
    std::vector<LaneMatrix<Real>> group(static_cast<std::size_t>(in_group));
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = jobs[static_cast<std::size_t>(first) + i].matrix;
    kernel.shrink(group.data(), static_cast<int>(in_group), m, n, complex, gram_floor<Real>, block.data());
    for (std::size_t i = 0; i < group.size(); ++i) jobs[static_cast<std::size_t>(first) + i].matrix = group[i];
  });
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
    auto& job = jobs[static_cast<std::size_t>(i)];
    shrink_by_svd(job, rows, cols);
    finish(job);
  });
}

/// Single precision goes on in double precision, through copies.
void shrink_left(std::vector<Job<float>> jobs, Index rows, Index cols, bool complex) {
  const auto size = static_cast<std::size_t>(rows * cols), stride = size * (complex ? 2 : 1);
  constexpr std::size_t at_once = 256;  // bounds the copies
  for (std::size_t first = 0; first < jobs.size(); first += at_once) {
    const std::size_t count = std::min(at_once, jobs.size() - first);
    std::vector<double> copies(count * stride);
    std::vector<Job<double>> wide(count);
    for (std::size_t i = 0; i < count; ++i) {
      const LaneMatrix<float>& from = jobs[first + i].matrix;
      double* to = copies.data() + i * stride;
      std::copy_n(from.re, size, to);
      if (complex) std::copy_n(from.im, size, to + size);
      wide[i] = {{.re = to, .im = complex ? to + size : nullptr, .threshold = from.threshold}, jobs[first + i].result};
    }
    shrink_left(shrink_in_lanes(wide, rows, cols, complex), rows, cols, complex);
    for (std::size_t i = 0; i < count; ++i) {
      const LaneMatrix<float>& to = jobs[first + i].matrix;
      const auto narrow = [](double v) { return static_cast<float>(v); };
      std::transform(wide[i].matrix.re, wide[i].matrix.re + size, to.re, narrow);
      if (complex) std::transform(wide[i].matrix.im, wide[i].matrix.im + size, to.im, narrow);
    }
  }
}

}  // namespace

template <class Real>
void shrink(const Shape& shape, Index count, Real* hat, std::span<const Slice> slices,
            std::span<const double> thresholds, std::span<Shrunk> results) {
  for (const double t : thresholds)
    if (!(t >= 0)) throw Error("a threshold must be a number that is not negative, not " + std::to_string(t));
  for (const bool complex : {true, false}) {
    std::vector<Job<Real>> jobs;
    for (Index b = 0; b < count; ++b)
      for (std::size_t k = 0; k < slices.size(); ++k) {
        if (slices[k].complex() != complex) continue;
        Real* base = hat + b * shape.size();
        jobs.push_back({{.re = base + slices[k].re * shape.slice(),
                         .im = complex ? base + slices[k].im * shape.slice() : nullptr,
                         .threshold = thresholds[static_cast<std::size_t>(b)]},
                        &results[static_cast<std::size_t>(b) * slices.size() + k]});
      }
    shrink_left(shrink_in_lanes(std::move(jobs), shape.n1, shape.n2, complex), shape.n1, shape.n2, complex);
  }
}

template void shrink(const Shape&, Index, float*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>);
template void shrink(const Shape&, Index, double*, std::span<const Slice>, std::span<const double>, std::span<Shrunk>);

}  // namespace sturm::linalg::cpu
