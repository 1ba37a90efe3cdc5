// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/coverage.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/eval/folds.h"
#include "sturm/eval/permutation.h"
#include "sturm/linalg/host.h"

namespace sturm {
namespace {

constexpr Index first_permutations = 199, most_permutations = 4999;
constexpr double enough_p = 0.05;
constexpr double most_work = 2e9;  ///< products of samples x samples, for all permutations together
constexpr Index least_samples = 6, most_samples = 3000, least_groups = 3;
constexpr int most_folds = 10;
constexpr double clear_p = 0.001, small_p = 0.01;
constexpr double clear_auc = 0.8, clear_correlation = 0.5, large_auc = 0.9, large_correlation = 0.8;
constexpr double clear_deviations = 5;

using Matrix = std::vector<double>;  ///< samples x samples, column by column

/// From squared distances D to inner products about the mean: -1/2 J D J, with J = 1 - 1 1'/n.
Matrix centred_kernel(std::span<const double> squared, Index n) {
  std::vector<double> mean(static_cast<std::size_t>(n));
  for (Index b = 0; b < n; ++b)
    for (Index a = 0; a < n; ++a) mean[b] += squared[a + n * b] / static_cast<double>(n);
  const double all = std::accumulate(mean.begin(), mean.end(), 0.0) / static_cast<double>(n);
  Matrix out(squared.size());
  for (Index b = 0; b < n; ++b)
    for (Index a = 0; a < n; ++a) out[a + n * b] = -0.5 * (squared[a + n * b] - mean[a] - mean[b] + all);
  return out;
}

/// K - P K - K P + P K P, with P the mean over the group of a sample.
void centre_groups(Matrix& k, Index n, const std::vector<std::vector<Index>>& groups) {
  for (int side = 0; side < 2; ++side) {
    for (Index b = 0; b < n; ++b)
      for (const std::vector<Index>& group : groups) {
        double mean = 0;
        for (const Index a : group) mean += k[a + n * b] / static_cast<double>(group.size());
        for (const Index a : group) k[a + n * b] -= mean;
      }
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a < b; ++a) std::swap(k[a + n * b], k[b + n * a]);
  }
}

/// Groups that have the same samples of each class, and more than one class.
bool balanced_groups(const SampleKeys& keys, const std::vector<std::vector<Index>>& groups) {
  if (!keys.classification) return false;
  std::map<double, Index> first;
  for (const std::vector<Index>& group : groups) {
    std::map<double, Index> counts;
    for (const Index row : group) ++counts[keys.y[row]];
    if (first.empty()) first = counts;
    if (counts != first || counts.size() < 2) return false;
  }
  return true;
}

/// S with S y the predictions of samples left out: ridge in each training set, everything about its mean. The rows of S
/// add up to 0, so that the mean of y does not matter.
Matrix predictor(const Matrix& k, Index n, const Folds& folds) {
  Matrix out(k.size());
  std::vector<double> diagonal;
  for (Index m = 0; m < n; ++m) diagonal.push_back(k[m + n * m]);
  std::ranges::nth_element(diagonal, diagonal.begin() + n / 2);
  const double ridge = std::max(diagonal[n / 2], 1e-3);  // about what one sample has: voxels count as whole numbers
  for (int fold = 0; fold < folds.count(); ++fold) {
    const std::vector<Index> train = folds.train(fold), test = folds.test(fold);
    const auto t = static_cast<Index>(train.size());
    const auto size = static_cast<double>(t);
    std::vector<double> mean(static_cast<std::size_t>(n));  // of each sample's products with the training set
    for (Index m = 0; m < n; ++m)
      for (const Index j : train) mean[m] += k[m + n * j] / size;
    double all = 0;
    for (const Index j : train) all += mean[j] / size;
    const auto about = [&](Index a, Index b) { return k[a + n * b] - mean[a] - mean[b] + all; };
    Matrix lower(static_cast<std::size_t>(t * t));
    for (Index j = 0; j < t; ++j)
      for (Index i = j; i < t; ++i) lower[i + t * j] = about(train[i], train[j]) + (i == j ? ridge : 0);
    if (!linalg::host::cholesky(t, lower.data())) continue;  // not with a ridge; predictions would be 0
    for (const Index m : test) {
      std::vector<double> row;
      for (const Index j : train) row.push_back(about(m, j));
      linalg::host::cholesky_solve(t, lower.data(), row.data());
      for (Index j = 0; j < t; ++j) out[m + n * train[j]] = row[j];
    }
  }
  return out;
}

std::vector<double> times(const Matrix& s, const std::vector<double>& y) {
  const std::size_t n = y.size();
  std::vector<double> out(n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t m = 0; m < n; ++m) out[m] += s[m + n * j] * y[j];
  return out;
}

/// Of each class against the rest, or of the numbers; NaN where nothing is told.
std::vector<double> values_of(const Matrix& s, const std::vector<double>& y, const std::vector<double>& classes) {
  std::vector<double> out;
  if (classes.empty()) {
    const double r = pearson(y, times(s, y));
    return {std::isnan(r) ? 0 : r};
  }
  for (std::size_t c = classes.size() == 2 ? 1 : 0; c < classes.size(); ++c) {
    std::vector<double> one;
    one.reserve(y.size());
    for (const double label : y) one.push_back(label == classes[c] ? 1 : -1);
    out.push_back(auc(one, times(s, one)));
  }
  return out;
}

}  // namespace

std::optional<CoverageLeak> coverage_leak(std::span<const double> differences, const SampleKeys& keys,
                                          std::uint64_t seed) {
  const Index n = keys.rows();
  const std::vector<std::vector<Index>> groups = rows_of_groups(keys);
  const std::vector<double> values = classes_of(keys.y);
  if (n < least_samples || n > most_samples || std::ssize(groups) < least_groups || values.size() < 2) return {};
  if (std::ranges::all_of(differences, [](double d) { return d == 0; })) return {};
  Matrix k = centred_kernel(differences, n);
  if (!keys.groups.empty() && balanced_groups(keys, groups)) centre_groups(k, n, groups);

  SampleKeys blind = keys;  // folds that know nothing of the targets
  blind.classification = false;
  std::ranges::fill(blind.y, 0.0);
  const int count = static_cast<int>(std::min<Index>(most_folds, std::ssize(groups)));
  const Folds folds =
      make_folds(blind, {FoldKind::count, count, "", "folds of the coverage"}, seed, stream_of("coverage/folds"));
  const Matrix s = predictor(k, n, folds);

  const std::vector<double> classes = keys.classification ? values : std::vector<double>();
  CoverageLeak out;
  out.measure = keys.classification ? Measure::auc : Measure::correlation;
  out.chance = keys.classification ? 0.5 : 0;
  const std::vector<double> observed = values_of(s, keys.y, classes);
  out.value = *std::ranges::max_element(observed);
  if (classes.size() > 2) out.by_class = observed;
  const double work = static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(observed.size());
  out.permutations = std::min(most_permutations, std::max<Index>(999, static_cast<Index>(most_work / work)));
  const Exchange exchange = exchangeability(keys, out.permutations).exchange;
  std::vector<double> permuted;
  const auto permute = [&](Index until) {
    const auto from = std::ssize(permuted);
    permuted.resize(static_cast<std::size_t>(until));
    parallel_for(
        until - from,
        [&](Index i, int) {
          const std::vector<double> one = values_of(s, permuted_targets(keys, exchange, seed, from + i), classes);
          permuted[from + i] = *std::ranges::max_element(one);
        },
        work * static_cast<double>(until - from));
    out.p = permutation_p(out.value, permuted);
  };
  // A p that is far from small after few permutations stays so: the others are for those that may be a leak.
  permute(first_permutations);
  if (out.p < enough_p) permute(out.permutations);
  out.permutations = std::ssize(permuted);
  // One clean study in a thousand has a p that small, and of many studies some. So the value has to be one that
  // matters, too, or to lie further out than any permutation of a clean study does: a weak leak of a large study.
  const double mean = std::accumulate(permuted.begin(), permuted.end(), 0.0) / static_cast<double>(permuted.size());
  double squares = 0;
  for (const double value : permuted) squares += (value - mean) * (value - mean);
  const double deviations = (out.value - mean) / std::sqrt(squares / static_cast<double>(permuted.size()));
  const double matters = keys.classification ? clear_auc : clear_correlation;
  const double large = keys.classification ? large_auc : large_correlation;
  out.clear = (out.p <= clear_p && (out.value >= matters || deviations >= clear_deviations)) ||
              (out.p <= small_p && out.value >= large);
  return out;
}

}  // namespace sturm
