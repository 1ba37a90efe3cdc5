// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/coverage.h"

#include <algorithm>
#include <array>
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

/// How many permutations there are, and how small p must be for as many as that to follow: a p that is far from small
/// after few of them stays so.
struct Stage {
  Index permutations;
  double p;
};
constexpr Stage stages[] = {{199, 1}, {4999, 0.05}, {49999, 0.002}};
constexpr Index fewest_at_most = 999;  ///< however large the study is
constexpr double most_work = 2e10;     ///< products of samples x samples, for all permutations together
constexpr Index least_samples = 6, most_samples = 3000, least_groups = 3;
constexpr int most_folds = 10;
constexpr double clear_p = 3e-4, small_p = 0.001, least_p = 0.01;
constexpr double clear_auc = 0.65, clear_correlation = 0.25, large_auc = 0.95, large_correlation = 0.9;
constexpr double clear_deviations = 5;
constexpr Index samples_per_direction = 8;
constexpr double least_share = 0.05;  ///< of what varies, for a direction to be a leading one

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
  const double ridge = std::max(diagonal[n / 2], 1e-9);  // about what one sample has
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

/// The few directions that most of what differs lies in, each with the same length: a slab that some volumes lack is
/// one of them, however much more others vary. They know nothing of the targets.
Matrix leading(const Matrix& k, Index n) {
  Matrix vectors = k;
  std::vector<double> values(static_cast<std::size_t>(n));
  linalg::host::eigh(n, vectors.data(), values.data());
  double sum = 0;
  for (const double value : values) sum += std::max(value, 0.0);
  Matrix out(k.size());
  const Index most = std::max<Index>(1, n / samples_per_direction);
  for (Index i = n; i-- > std::max<Index>(0, n - most);) {
    if (i < n - 1 && values[i] < least_share * sum) break;
    const double* v = vectors.data() + n * i;
    for (Index b = 0; b < n; ++b)
      for (Index a = 0; a < n; ++a) out[a + n * b] += v[a] * v[b];
  }
  return out;
}

/// Targets in several orders at once, sample by sample.
constexpr Index lanes = 16;
using Orders = std::vector<std::array<double, lanes>>;
constexpr std::size_t kernels = 2;  ///< of all that differs, and of its leading directions

Orders times(const Matrix& s, const Orders& y) {
  const std::size_t n = y.size();
  Orders out(n, std::array<double, lanes>{});
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t m = 0; m < n; ++m)
      for (std::size_t lane = 0; lane < lanes; ++lane) out[m][lane] += s[m + n * j] * y[j][lane];
  return out;
}

/// What is computed from the targets in one order, for each of the kernels.
struct Told {
  std::array<std::vector<double>, kernels>
      by_class;  ///< each class against the rest: AUC of samples left out; or their correlation
  std::array<double, kernels>
      shared{};  ///< y'K y / y'y about the mean, of several classes the largest: what coverage and target share

  double best(std::size_t kernel) const { return *std::ranges::max_element(by_class[kernel]); }
};

/// The statistics of targets in up to `lanes` orders. `classes` is empty for a regression.
class Statistics {
 public:
  Statistics(std::array<Matrix, kernels> of, Index n, const Folds& folds, std::vector<double> classes)
      : kernel_(std::move(of)), classes_(std::move(classes)) {
    for (std::size_t i = 0; i < kernels; ++i) predictor_[i] = predictor(kernel_[i], n, folds);
  }

  std::size_t count() const { return classes_.size() <= 2 ? 1 : classes_.size(); }

  std::vector<Told> operator()(std::span<const std::vector<double>> orders) const {
    std::vector<Told> out(orders.size());
    const std::size_t n = orders[0].size();
    for (std::size_t c = classes_.size() == 2 ? 1 : 0; c < std::max<std::size_t>(classes_.size(), 1); ++c) {
      Orders y(n, std::array<double, lanes>{});
      for (std::size_t lane = 0; lane < orders.size(); ++lane) {
        double mean = 0;
        for (std::size_t m = 0; m < n; ++m) {
          y[m][lane] = classes_.empty() ? orders[lane][m] : orders[lane][m] == classes_[c] ? 1 : -1;
          mean += y[m][lane] / static_cast<double>(n);
        }
        for (std::size_t m = 0; m < n; ++m) y[m][lane] -= mean;
      }
      for (std::size_t i = 0; i < kernels; ++i) add(i, y, out);
    }
    return out;
  }

 private:
  void add(std::size_t kernel, const Orders& y, std::vector<Told>& out) const {
    const Orders told = times(predictor_[kernel], y), shared = times(kernel_[kernel], y);
    const std::size_t n = y.size();
    for (std::size_t lane = 0; lane < out.size(); ++lane) {
      std::vector<double> target(n), prediction(n);
      double sum = 0, squares = 0;
      for (std::size_t m = 0; m < n; ++m) {
        target[m] = y[m][lane];
        prediction[m] = told[m][lane];
        sum += y[m][lane] * shared[m][lane];
        squares += y[m][lane] * y[m][lane];
      }
      const double value = classes_.empty() ? pearson(target, prediction) : auc(target, prediction);
      out[lane].by_class[kernel].push_back(std::isnan(value) ? 0 : value);
      out[lane].shared[kernel] = std::max(out[lane].shared[kernel], sum / squares);
    }
  }

  std::array<Matrix, kernels> kernel_, predictor_;
  std::vector<double> classes_;
};

/// For each of the values how many reach it, itself among them.
std::vector<Index> ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::ranges::sort(sorted);
  std::vector<Index> out;
  out.reserve(values.size());
  for (const double value : values) {
    const double reach = value - 1e-12 * std::max(1.0, std::abs(value));  // equal ones, summed in another order
    out.push_back(sorted.end() - std::ranges::lower_bound(sorted, reach));
  }
  return out;
}

/// p of several statistics together, the first value of each being the observed one: how many permutations are as rare
/// by one of them as what was observed is.
double p_of_all(const std::vector<std::vector<double>>& statistics) {
  std::vector<Index> rarest(statistics.front().size(), std::ssize(statistics.front()));
  for (const std::vector<double>& values : statistics) {
    const std::vector<Index> rank = ranks(values);
    for (std::size_t i = 0; i < rank.size(); ++i) rarest[i] = std::min(rarest[i], rank[i]);
  }
  const auto reached = std::ranges::count_if(rarest, [&](Index rank) { return rank <= rarest[0]; });
  return static_cast<double>(reached) / static_cast<double>(rarest.size());
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
  const Statistics statistics({k, leading(k, n)}, n, folds, keys.classification ? values : std::vector<double>());
  CoverageLeak out;
  out.measure = keys.classification ? Measure::auc : Measure::correlation;
  out.chance = keys.classification ? 0.5 : 0;
  const Told observed = statistics({&keys.y, 1}).front();
  const std::size_t best = observed.best(1) > observed.best(0) ? 1 : 0;
  out.value = observed.best(best);
  if (observed.by_class[best].size() > 1) out.by_class = observed.by_class[best];
  const double work =
      2 * kernels * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(statistics.count());
  const Index most = std::max(fewest_at_most, static_cast<Index>(most_work / work));
  const Exchange exchange = exchangeability(keys, most).exchange;
  std::vector<std::vector<double>> found(2 * kernels);  // the observed one first
  const auto note = [&](Index at, const Told& told) {
    for (std::size_t i = 0; i < kernels; ++i) {
      found[2 * i][at] = told.best(i);
      found[2 * i + 1][at] = told.shared[i];
    }
  };
  const auto resize = [&](Index size) {
    for (std::vector<double>& one : found) one.resize(static_cast<std::size_t>(size));
  };
  resize(1);
  note(0, observed);
  for (const Stage& stage : stages) {
    if (out.p > stage.p || out.permutations >= most) break;
    const Index from = out.permutations;
    out.permutations = std::min(stage.permutations, most);
    resize(out.permutations + 1);
    parallel_for((out.permutations - from + lanes - 1) / lanes,
                 [&](Index block, int) {
                   const Index first = from + block * lanes, last = std::min(first + lanes, out.permutations);
                   std::vector<std::vector<double>> orders;
                   for (Index i = first; i < last; ++i) orders.push_back(permuted_targets(keys, exchange, seed, i));
                   const std::vector<Told> told = statistics(orders);
                   for (Index i = first; i < last; ++i) note(i + 1, told[i - first]);
                 },
                 work * static_cast<double>(out.permutations - from));
    out.p = p_of_all(found);
  }
  // p alone does not make a leak: of many clean studies some have a small one. So the value has to be one that matters,
  // or to lie further out than those of permutations do, of which large studies have too few for the smallest p.
  std::vector<double> permuted;  // the better of the two kernels, as was observed
  for (std::size_t i = 1; i < found[0].size(); ++i) permuted.push_back(std::max(found[0][i], found[2][i]));
  const double mean = std::accumulate(permuted.begin(), permuted.end(), 0.0) / static_cast<double>(permuted.size());
  double squares = 0;
  for (const double value : permuted) squares += (value - mean) * (value - mean);
  const double deviations = (out.value - mean) / std::sqrt(squares / static_cast<double>(permuted.size()));
  const double matters = keys.classification ? clear_auc : clear_correlation;
  const double large = keys.classification ? large_auc : large_correlation;
  out.clear = (out.p <= clear_p && out.value >= matters) || (out.p <= small_p && deviations >= clear_deviations) ||
              (out.p <= least_p && out.value >= large);
  return out;
}

}  // namespace sturm
