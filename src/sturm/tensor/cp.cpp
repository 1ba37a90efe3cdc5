// SPDX-License-Identifier: BSD-3-Clause
// Starts are tried on a compressed tensor (its leading singular vectors in every mode), where a sweep costs next to
// nothing; the best one is then refined on the whole tensor.
#include "sturm/tensor/cp.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/tensor/algebra.h"
#include "sturm/tensor/cp_als.h"

namespace sturm {
namespace {

using namespace cp_detail;
using linalg::Op;

/// a b with a of rows x inner.
std::vector<double> product(const std::vector<double>& a, const std::vector<double>& b, Index rows, Index inner) {
  const Index columns = inner > 0 ? static_cast<Index>(b.size()) / inner : 0;
  std::vector<double> out(rows * columns);
  linalg::host::multiply<double>(Op::none, Op::none, rows, columns, inner, 1.0, a.data(), rows, b.data(), inner, 0.0,
                                 out.data(), rows);
  return out;
}

/// The tensor without slices that are zero, as a mask leaves them; factors are zero there.
struct Cropped {
  Tensor x;
  std::array<std::vector<Index>, 3> kept;
};

Cropped crop(const Tensor& x) {
  const Shape s = x.shape();
  std::array<std::vector<std::uint8_t>, 3> used;
  for (int n = 0; n < 3; ++n) used[n].resize(extents(s)[n]);
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i)
        if (x(i, j, k) != 0) used[0][i] = used[1][j] = used[2][k] = 1;
  std::array<std::vector<Index>, 3> kept;
  for (int n = 0; n < 3; ++n)
    for (Index i = 0; i < extents(s)[n]; ++i)
      if (used[n][i]) kept[n].push_back(i);
  const auto size = [&](int n) { return static_cast<Index>(kept[n].size()); };
  Cropped out{Tensor(Shape{size(0), size(1), size(2)}), kept};
  for (Index k = 0; k < size(2); ++k)
    for (Index j = 0; j < size(1); ++j)
      for (Index i = 0; i < size(0); ++i) out.x(i, j, k) = x(kept[0][i], kept[1][j], kept[2][k]);
  return out;
}

double cube_sum_sign(const double* a, Index n) {
  double sum = 0, size = 0;
  for (Index i = 0; i < n; ++i) {
    sum += a[i] * a[i] * a[i];
    size += std::abs(a[i] * a[i] * a[i]);
  }
  if (std::abs(sum) > 1e-10 * size) return sum > 0 ? 1 : -1;
  for (Index i = 0; i < n; ++i)
    if (std::abs(a[i]) > 1e-5 * std::cbrt(size)) return a[i] > 0 ? 1 : -1;
  return 1;
}

/// The leading eigenvectors of X_(n) X_(n)', the largest first, with signs that do not depend on LAPACK.
std::vector<double> leading_vectors(const Tensor& x, int mode, Index count) {
  const Index n = extents(x.shape())[mode];
  std::vector<double> v = mode_gram(x, mode), values(n);
  linalg::host::eigh<double>(n, v.data(), values.data());
  std::vector<double> out(n * count);
  for (Index c = 0; c < count; ++c) {
    const double* column = &v[n * (n - 1 - c)];
    const double sign = cube_sum_sign(column, n);
    for (Index i = 0; i < n; ++i) out[i + n * c] = sign * column[i];
  }
  return out;
}

Fit best_fit(const Tensor& x, const CpOptions& options) {
  const Index rank = options.rank;
  constexpr int short_sweeps = 40;  // enough to tell a good start from a bad one
  constexpr double short_tolerance = 1e-4;
  const Index most = 2 * rank + 8;  // singular vectors kept in the compressed tensor
  Tensor core = x;
  std::array<std::vector<double>, 3> bases;
  for (int n = 0; n < 3; ++n) {
    const Index count = std::min(extents(x.shape())[n], most);
    bases[n] = leading_vectors(x, n, count);
    core = mode_product(core, n, bases[n], count);
  }
  const auto size = extents(core.shape());
  Fit best;
  for (int start = 0; start <= options.starts; ++start) {
    Rng rng(options.seed, 1 + start);
    Factors factors;
    for (int n = 0; n < 3; ++n) {
      factors[n].resize(size[n] * rank);
      for (double& v : factors[n]) v = rng.normal();
      if (start > 0) continue;
      for (Index r = 0; r < std::min(rank, size[n]); ++r)  // the singular vectors, which are the axes here
        for (Index i = 0; i < size[n]; ++i) factors[n][i + size[n] * r] = i == r ? 1 : 0;
    }
    Fit fit = alternate(core, std::move(factors), rank, short_sweeps, short_tolerance);
    if (start == 0 || fit.error < best.error) best = std::move(fit);
    if (best.error < 1e-8) break;
  }
  best = alternate(core, std::move(best.factors), rank, 4 * options.sweeps, options.tolerance);
  for (int n = 0; n < 3; ++n) best.factors[n] = product(bases[n], best.factors[n], extents(x.shape())[n], size[n]);
  return alternate(x, std::move(best.factors), rank, options.sweeps, options.tolerance);
}

bool is_identity(const std::vector<double>& k, Index n) {
  for (Index i = 0; i < n * n; ++i)
    if (k[i] != (i % (n + 1) == 0 ? 1 : 0)) return false;
  return true;
}

/// Unit columns, weights, signs and order as cp.h says.
void make_unique(Cp& model, Factors f, Index rank) {
  const auto size = extents(model.shape);
  std::vector<double> weights(rank, 1.0);
  for (Index r = 0; r < rank; ++r) {
    double left = 1;
    for (int n = 0; n < 3; ++n) {
      double* a = &f[n][size[n] * r];
      const double length = std::sqrt(std::inner_product(a, a + size[n], a, 0.0));
      const double sign = n < 2 ? cube_sum_sign(a, size[n]) : left;
      left *= sign;
      weights[r] *= length;
      for (Index i = 0; i < size[n]; ++i) a[i] = length > 0 ? a[i] * sign / length : 0;
    }
  }
  std::vector<Index> order(rank);
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::stable_sort(order, [&](Index a, Index b) { return weights[a] > weights[b]; });
  model.weights.resize(rank);
  for (int n = 0; n < 3; ++n) model.factors[n].assign(size[n] * rank, 0.0);
  for (Index r = 0; r < rank; ++r) {
    if (!(weights[order[r]] > 0)) continue;  // a term that is 0 has no directions
    model.weights[r] = weights[order[r]];
    for (int n = 0; n < 3; ++n) std::copy_n(&f[n][size[n] * order[r]], size[n], &model.factors[n][size[n] * r]);
  }
}

}  // namespace

ModeKernels::ModeKernels(const std::array<std::vector<double>, 3>& kernels, double cut) {
  for (int mode = 0; mode < 3; ++mode) {
    const std::vector<double>& k = kernels[mode];
    if (k.empty()) continue;
    const auto n = static_cast<Index>(std::lround(std::sqrt(static_cast<double>(k.size()))));
    double largest = 0, skew = 0;
    for (const double v : k) largest = std::isfinite(v) ? std::max(largest, std::abs(v)) : HUGE_VAL;
    if (n * n != static_cast<Index>(k.size()) || !(largest > 0) || !std::isfinite(largest))
      throw Error("the kernel of mode " + std::to_string(mode + 1) +
                  " must be a square, finite matrix other than zero");
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < i; ++j) skew = std::max(skew, std::abs(k[i + n * j] - k[j + n * i]));
    if (skew > 1e-12 * largest) throw Error("the kernel of mode " + std::to_string(mode + 1) + " is not symmetric");
    rows_[mode] = n;
    if (is_identity(k, n)) continue;
    std::vector<double> v = k, values(n);
    linalg::host::eigh<double>(n, v.data(), values.data());
    const double top = std::max(std::abs(values.front()), std::abs(values.back()));
    for (Index c = n - 1; c >= 0; --c) {
      if (!(std::abs(values[c]) > cut * top)) continue;
      values_[mode].push_back(values[c]);
      vectors_[mode].insert(vectors_[mode].end(), &v[n * c], &v[n * c] + n);
    }
  }
}

Cp cp(const Tensor& x, const CpOptions& options, const ModeKernels& kernels) {
  if (options.rank < 1)
    throw UsageError("the rank of a CP decomposition is 1 or more, not " + std::to_string(options.rank));
  const Shape shape = x.shape();
  const Index rank = options.rank;
  for (int n = 0; n < 3; ++n)
    if (kernels.rows(n) > 0 && kernels.rows(n) != extents(shape)[n])
      throw Error("the kernel of mode " + std::to_string(n + 1) + " has " + std::to_string(kernels.rows(n)) +
                  " rows and the tensor is " + to_string(shape));
  Cp out{shape, std::vector<double>(rank), {}};
  for (int n = 0; n < 3; ++n) out.factors[n].assign(extents(shape)[n] * rank, 0.0);
  const double largest = max_abs(x), whole = dot(x, x);
  if (!std::isfinite(whole) || !std::isfinite(largest))
    throw Error("a tensor with values that are NaN, infinite or too large to square has no CP decomposition");
  if (whole == 0) return out;

  Tensor projected = (1 / largest) * x;
  const double size2 = dot(projected, projected);
  for (int n = 0; n < 3; ++n)
    if (!kernels.identity(n)) projected = mode_product(projected, n, kernels.vectors(n), kernels.kept(n));
  const double inside2 = dot(projected, projected);
  out.error = 1;
  if (inside2 <= 1e-30 * size2) return out;  // nothing of X lies in the range of the kernels
  const Cropped cropped = crop(projected);
  Fit fit = best_fit(cropped.x, options);
  out.sweeps = fit.sweeps;
  // What lies outside the range of the kernels is lost, and at right angles to the rest.
  out.error = std::sqrt(std::max(0.0, size2 - inside2) / size2 + fit.error * fit.error * inside2 / size2);
  const auto whole_size = extents(projected.shape()), cropped_size = extents(cropped.x.shape());
  Factors f;
  for (int n = 0; n < 3; ++n) {
    f[n].resize(whole_size[n] * rank);
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < cropped_size[n]; ++i)
        f[n][cropped.kept[n][i] + whole_size[n] * r] = fit.factors[n][i + cropped_size[n] * r];
    if (kernels.identity(n)) continue;
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < whole_size[n]; ++i) f[n][i + whole_size[n] * r] /= kernels.values(n)[i];
    f[n] = product(kernels.vectors(n), f[n], extents(shape)[n], whole_size[n]);
  }
  for (double& v : f[2]) v *= largest;
  make_unique(out, std::move(f), rank);
  return out;
}

std::vector<Cp> cp_batch(Index count, const std::function<Tensor(Index)>& volume, const CpOptions& options,
                         const ModeKernels& kernels) {
  std::vector<Cp> out(count);
  parallel_for(count, [&](Index i, int) { out[i] = cp(volume(i), options, kernels); });
  return out;
}

Tensor compose(const Cp& model, const ModeKernels& kernels) {
  const auto size = extents(model.shape);
  Factors f = model.factors;
  for (int n = 0; n < 3; ++n) {
    if (kernels.identity(n)) continue;
    const Index kept = kernels.kept(n), rank = model.rank();
    std::vector<double> c(kept * rank);  // Lambda V' A
    linalg::host::multiply<double>(Op::transpose, Op::none, kept, rank, size[n], 1.0, kernels.vectors(n).data(),
                                   size[n], f[n].data(), size[n], 0.0, c.data(), kept);
    for (Index r = 0; r < rank; ++r)
      for (Index i = 0; i < kept; ++i) c[i + kept * r] *= kernels.values(n)[i];
    f[n] = product(kernels.vectors(n), c, size[n], kept);
  }
  Tensor out(model.shape);
  for (Index r = 0; r < model.rank(); ++r)
    for (Index k = 0; k < size[2]; ++k)
      for (Index j = 0; j < size[1]; ++j) {
        const double w = model.weights[r] * f[1][j + size[1] * r] * f[2][k + size[2] * r];
        for (Index i = 0; i < size[0]; ++i) out(i, j, k) += w * f[0][i + size[0] * r];
      }
  return out;
}

}  // namespace sturm
