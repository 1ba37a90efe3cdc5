// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/problem.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/linalg/host.h"

namespace sturm {

RowMap::RowMap(std::vector<double> weights, bool centre) : weights_(std::move(weights)), centre_(centre) {
  for (std::size_t m = 0; m < weights_.size(); ++m) {
    if (!(weights_[m] >= 0 && std::isfinite(weights_[m])))
      throw Error("the weight of sample " + std::to_string(m + 1) + " is " + std::to_string(weights_[m]) +
                  "; weights must be finite and not negative");
    roots_.push_back(std::sqrt(weights_[m]));
    total_ += weights_[m];
  }
  if (!(total_ > 0)) throw Error("every sample has a weight of 0: there is nothing to learn from");
}

RowMap RowMap::selecting(std::vector<double> weights) {
  RowMap out(std::move(weights), false);
  for (std::size_t m = 0; m < out.weights_.size(); ++m) out.roots_[m] = out.weights_[m] > 0 ? 1 : 0;
  out.folds_weights_ = false;
  return out;
}

double RowMap::mean(std::span<const double> a) const {
  return std::inner_product(weights_.begin(), weights_.end(), a.begin(), 0.0) / total_;
}

std::vector<double> RowMap::apply(std::span<const double> a) const {
  const double centre = centre_ ? mean(a) : 0;
  std::vector<double> out(a.size());
  for (std::size_t m = 0; m < a.size(); ++m) out[m] = roots_[m] * (a[m] - centre);
  return out;
}

std::vector<double> RowMap::adjoint(std::span<const double> theta) const {
  const double sum = centre_ ? std::inner_product(roots_.begin(), roots_.end(), theta.begin(), 0.0) / total_ : 0;
  std::vector<double> out(theta.size());
  for (std::size_t m = 0; m < theta.size(); ++m) out[m] = roots_[m] * theta[m] - weights_[m] * sum;
  return out;
}

void RowMap::conjugate(std::vector<double>& gram) const {
  // R'G R = sqrt(s_i s_j) (G_ij - m_i - m_j + m), with m_i and m the weighted means of row i and of all.
  const std::size_t n = weights_.size();
  std::vector<double> means(n);
  double all = 0;
  if (centre_)
    for (std::size_t j = 0; j < n; ++j) {
      means[j] = mean(std::span(gram).subspan(j * n, n));
      all += weights_[j] * means[j] / total_;
    }
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < n; ++i)
      gram[i + j * n] = roots_[i] * roots_[j] * (gram[i + j * n] - means[i] - means[j] + all);
}

template <class Real>
View<Real>::View(const Design<Real>& x, RowMap row_map, std::vector<Real> voxel_scale,
                 std::vector<std::uint8_t> voxel_mask, std::span<const double> base_gram)
    : rows(std::move(row_map)), scale(std::move(voxel_scale)), mask(std::move(voxel_mask)) {
  if (!mask.empty() && scale.empty()) scale.assign(mask.begin(), mask.end());
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (!mask[v]) scale[v] = 0;
  voxels = mask.empty() ? x.voxels() : std::ranges::count_if(mask, [](std::uint8_t v) { return v != 0; });
  raw_gram = base_gram.empty()
                 ? linalg::host::gram(x.samples(), x.voxels(), x.x().data(), scale.empty() ? nullptr : scale.data(),
                                      mask.empty() ? nullptr : mask.data())
                 : std::vector<double>(base_gram.begin(), base_gram.end());
  std::vector<double> gram = raw_gram;
  rows.conjugate(gram);
  eigenvectors = std::move(gram);
  eigenvalues.resize(x.samples());
  linalg::host::eigh<double>(x.samples(), eigenvectors.data(), eigenvalues.data());
  for (double& v : eigenvalues) v = std::max(v, 0.0);
}

void require_loss(const Loss& loss, const RowMap& rows, const Labels& labels) {
  if (rows.folds_weights() != loss.folds_weights())
    throw Error("the " + loss.name() + " loss needs rows " +
                (loss.folds_weights() ? "that hold weights and centring" : "as they are: see RowMap::selecting"));
  loss.require_labels(labels);
}

template struct View<float>;
template struct View<double>;

}  // namespace sturm
