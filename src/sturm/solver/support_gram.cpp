// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/support_gram.h"

#include <algorithm>

#include "sturm/linalg/backend.h"

namespace sturm::batch {
namespace {

/// 0, 1 or 2 for zero, positive, negative.
template <class Real>
std::uint8_t sign_of(Real w) {
  return static_cast<std::uint8_t>((w > 0 ? 1 : 0) | (w < 0 ? 2 : 0));
}

}  // namespace

template <class Real>
std::vector<double> SupportGram<Real>::of(const Design<Real>& x, const View<Real>& view, const Real* w) {
  const Index m = x.samples(), voxels = x.voxels();
  if (support_.empty()) support_.resize(voxels);
  // Most stretches of the support stay as they are: they are compared as a whole.
  constexpr Index stretch = 64;
  std::vector<Index> entering, leaving;
  Index size = 0;
  for (Index first = 0; first < voxels; first += stretch) {
    const Index here = std::min(stretch, voxels - first);
    std::uint8_t now[stretch];
    Index count = 0;
    for (Index i = 0; i < here; ++i) now[i] = sign_of(w[first + i]);
    for (Index i = 0; i < here; ++i) count += now[i] != 0;
    size += count;
    if (std::equal(now, now + here, support_.begin() + first)) continue;
    for (Index i = 0; i < here; ++i) {
      const bool was = support_[first + i] != 0, is = now[i] != 0;
      if (was != is) (is ? entering : leaving).push_back(first + i);
      support_[first + i] = now[i];
    }
  }
  const Index whole = view.voxels;
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  const auto add = [&](const std::vector<Index>& list, Real sign) {
    ops.add_gram(m, x.x().data(), list, view.scale_data(), sign, h_.data(), {});
  };
  const Index changes = static_cast<Index>(entering.size() + leaving.size());
  if (changes <= std::min(size, whole - size) && updates_ < limit) {
    ++updates_;
    add(entering, 1);
    add(leaving, -1);
  } else {
    const bool from_whole = size > whole - size;
    updates_ = 0;
    h_.assign(m * m, 0);
    if (from_whole) std::ranges::transform(view.raw_gram, h_.begin(), [](double v) { return static_cast<Real>(v); });
    std::vector<Index> list;
    for (Index v = 0; v < voxels; ++v)
      if ((support_[v] != 0) != from_whole && (view.mask.empty() || view.mask[v])) list.push_back(v);
    add(list, from_whole ? Real{-1} : Real{1});
  }
  std::vector<double> full(m * m);
  for (Index j = 0; j < m; ++j)
    for (Index i = j; i < m; ++i) full[i + j * m] = full[j + i * m] = static_cast<double>(h_[i + j * m]);
  view.rows.conjugate(full);
  return full;
}

template <class Real>
bool SupportGram<Real>::same_signs(std::span<const Real> w) const {
  constexpr std::size_t stretch = 256;
  for (std::size_t first = 0; first < support_.size(); first += stretch) {
    const std::size_t last = std::min(support_.size(), first + stretch);
    unsigned other = 0;
    for (std::size_t v = first; v < last; ++v) other |= static_cast<unsigned>(sign_of(w[v]) != support_[v]);
    if (other) return false;
  }
  return !support_.empty();
}

std::vector<double> newton_direction(std::vector<double> h, double rho, std::span<const double> r, double epsilon) {
  const auto n = static_cast<Index>(r.size());
  double trace = 0;
  for (Index i = 0; i < n; ++i) trace += h[i + i * n];
  linalg::Operations<double>& ops = linalg::cpu_backend();
  std::vector<double> d(r.begin(), r.end());
  double ridge = rho;
  for (int attempt = 0; attempt < 8; ++attempt) {
    std::vector<double> l = h;
    for (Index i = 0; i < n; ++i) l[i + i * n] += ridge;
    if (ops.cholesky(n, l.data())) {
      ops.cholesky_solve(n, l.data(), d.data());
      break;
    }
    ridge = std::max(10 * ridge, 4 * static_cast<double>(n) * epsilon * trace);
  }
  for (double& v : d) v *= -rho;
  return d;
}

template class SupportGram<float>;
template class SupportGram<double>;

}  // namespace sturm::batch
