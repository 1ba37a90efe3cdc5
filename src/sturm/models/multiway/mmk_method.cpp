// SPDX-License-Identifier: BSD-3-Clause
// A volume's decomposition depends on that volume alone, so that one serves all tasks of a rank, in the training set or
// not. (With Normalize::voxel the volume depends on the training set, and there is one for each.)
#include "sturm/models/multiway/mmk_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>

#include "sturm/core/memory.h"
#include "sturm/core/sentence.h"
#include "sturm/models/kernel/svm.h"
#include "sturm/models/model.h"
#include "sturm/models/multiway/prepared_volumes.h"

namespace sturm {
namespace {

/// What the tasks of one recipe share.
struct Factorised {
  CpRecipe recipe;
  std::vector<CpFeatures> features;
};

/// The support volume's terms come first in the sums, as for new volumes: k(x, y) and k(y, x) round differently.
std::vector<double> values_of(const SvmKernel& kernel, const SvmSolution& svm) {
  std::vector<double> out(kernel.samples(), svm.intercept);
  for (Index j = 0; j < kernel.samples(); ++j)
    if (svm.beta[j] != 0)
      for (Index i = 0; i < kernel.samples(); ++i) out[i] += kernel.row(i)[j] * svm.beta[j];
  return out;
}

MmkModel model_of(const Factorised& base, const SvmSolution& svm, double sigma) {
  MmkModel out{base.recipe, {}, {}, sigma, svm.intercept};
  for (std::size_t i = 0; i < svm.beta.size(); ++i) {
    if (svm.beta[i] == 0) continue;
    out.support.push_back(base.features[i]);
    out.coef.push_back(svm.beta[i]);
  }
  return out;
}

void require_setting(const std::vector<double>& setting) {
  const double rank = setting[0], sigma = setting[1], c = setting[2];
  if (!(rank >= 1 && rank <= 1000 && rank == std::floor(rank)))
    throw UsageError("`rank` must be a whole number from 1 to 1000, and is " + std::to_string(rank));
  if (!(sigma > 0 && std::isfinite(sigma)))
    throw UsageError("`sigma` must be positive and finite, and is " + std::to_string(sigma));
  if (!(c > 0 && std::isfinite(c))) throw UsageError("`C` must be positive and finite, and is " + std::to_string(c));
}

/// The distances between all terms of all volumes, and the kernel matrix beside them.
void require_memory(Index samples, Index rank, Index memory) {
  const Index bytes = checked_product(checked_product(samples, samples), 8 * (rank * rank + 2));
  if (memory > 0 && bytes > memory)
    throw Error(option_name("rank", std::to_string(rank)) + " needs " + format_bytes(bytes) +
                " for the distances between the terms of " + std::to_string(samples) + " volumes, and there are " +
                format_bytes(memory) + "; take a smaller rank, or more `memory`");
}

template <class Real>
class Mmk : public Method<Real> {
 public:
  Mmk(std::string name, double width, double cut) : name_(std::move(name)), width_(width), cut_(cut) {}

  std::string name() const override { return name_; }
  std::string title() const override {
    return width_ > 0 ? "Kernelised CP vectors, structure-preserving kernel, support vector machine"
                      : "CP vectors, structure-preserving kernel, support vector machine";
  }
  std::string reference() const override {
    return width_ > 0 ? "He, Lu, Ding, Wang, Shen, Yu and Ragin (2017), Multi-way multi-level kernel modeling for "
                        "neuroimaging classification, CVPR"
                      : "He, Kong, Yu, Yang, Ragin and Hao (2014), DuSK: a dual structure-preserving kernel for "
                        "supervised tensor learning with applications to neuroimages, SDM";
  }
  std::vector<Parameter> parameters() const override {
    return {{"rank", "terms of the CP decomposition of a volume"},
            {"sigma", "width of the kernel between the vectors of two volumes"},
            {"C", "weight of the errors", 1}};
  }

  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override;
  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override;

 private:
  std::string name_;
  double width_, cut_;
};

/// The paper's grid is absolute (R 1..12, sigma 2^-4..2^9, C 2^-5..2^9). The path's sigma are multiples of
/// sqrt(3) |X|^(1/3), the length of the three vectors of a volume that is one term, in the mean over the training set.
template <class Real>
std::vector<std::vector<double>> Mmk<Real>::grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const {
  std::vector<double> ranks, sigmas, costs;
  if (kind == GridKind::paper) {
    for (int r = 1; r <= 12; ++r) ranks.push_back(r);
    for (int e = -4; e <= 9; ++e) sigmas.push_back(std::ldexp(1.0, e));
    for (int e = -5; e <= 9; ++e) costs.push_back(std::ldexp(1.0, e));
  } else {
    require_task(data, task);
    const TrainingSets<Real> study(data);
    const TrainingSet<Real>& set = study.of(task.weights);
    const std::span<const double> weights = set.weights();
    const Design<Real>& x = study.design();
    const VoxelScale scale = set.voxel_scale();
    double mean = 0, total = 0;
    for (Index m = 0; m < x.samples(); ++m) {
      if (!(weights[m] > 0)) continue;
      const Tensor volume = volume_of(x, m, scale);
      double square = 0;
      for (const double v : volume.flat()) square += v * v;
      mean += weights[m] * std::sqrt(3.0) * std::pow(square, 1.0 / 6);
      total += weights[m];
    }
    mean = mean > 0 ? mean / total : 1;
    ranks = {1, 2, 4};
    for (const double multiple : {0.125, 0.25, 0.5, 1.0, 2.0}) sigmas.push_back(multiple * mean);
    for (const double c : {0.5, 4.0, 32.0}) costs.push_back(c * target_scale(set, task.y));
  }
  std::vector<std::vector<double>> out;
  for (const double r : ranks)
    for (const double s : sigmas)
      for (const double c : costs) out.push_back({r, s, c});
  return out;
}

template <class Real>
void Mmk<Real>::fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
                    const typename Method<Real>::Take& take) const {
  using Clock = std::chrono::steady_clock;
  require_intercept(data.intercept, name());
  require_tasks(*this, data, tasks);
  for (const FitTask& task : tasks) {
    require_setting(task.setting);
    require_memory(data.design.samples(), static_cast<Index>(task.setting[0]), options.memory);
  }
  const Index samples = data.design.samples();
  const TrainingSets<Real> study(data);
  const Design<Real>& x = study.design();
  // Tasks by what they share: recipe (rank, and weights where those matter), then sigma.
  std::map<std::pair<std::vector<double>, double>, std::map<double, std::vector<Index>>> groups;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto weights =
        data.normalize == Normalize::voxel ? training_weights(tasks[t].weights, samples) : std::vector<double>{};
    groups[{weights, tasks[t].setting[0]}][tasks[t].setting[1]].push_back(static_cast<Index>(t));
  }
  for (const auto& [key, by_sigma] : groups) {
    auto base = std::make_shared<Factorised>();
    CpRecipe& recipe = base->recipe;
    recipe.region = x.region();
    recipe.normalize = data.normalize;
    recipe.scale = study.of(key.first).voxel_scale();
    recipe.width = width_;
    recipe.cut = cut_;
    recipe.cp.rank = static_cast<Index>(key.second);
    recipe.cp.seed = options.seed;
    base->features = recipe.features(x);
    const std::vector<double> distances = term_distances(base->features, base->features);
    for (const auto& [sigma, members] : by_sigma) {
      std::vector<double> similar = structure_kernel(distances, samples, samples, recipe.cp.rank, sigma);
      if (options.given_setting)
        require_contrast(similar, samples, "sigma", sigma,
                         "take a width near the distances between the vectors of two volumes.");
      const SvmKernel kernel(std::move(similar), samples);
      fit_side_by_side<Real>(members, options, take, [&, width = sigma](Index t) {
        const auto start = Clock::now();
        const SvmProblem problem = problem_of(study.of(tasks[t].weights), tasks[t], tasks[t].setting[2]);
        SvmSolution solution = solve_svm(kernel, problem);
        FitReport report = svm_report(solution, problem);
        report.sparsity = report.sparsity_in_mask = std::numeric_limits<double>::quiet_NaN();
        std::vector<double> values = values_of(kernel, solution);
        auto model = std::make_unique<FittedModel<Real>>(
            std::move(values), std::vector<double>(),
            [base, width, svm = std::move(solution)](auto) { return Model<Real>(model_of(*base, svm, width)); });
        model->report = std::move(report);
        model->report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
        return model;
      });
    }
  }
}

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_mmk() {
  return std::make_unique<Mmk<Real>>("mmk", 2, 0.05);
}
template <class Real>
std::unique_ptr<Method<Real>> make_dusk() {
  return std::make_unique<Mmk<Real>>("dusk", 0, 0);
}

#define STURM_INSTANTIATE(Real)                      \
  template std::unique_ptr<Method<Real>> make_mmk(); \
  template std::unique_ptr<Method<Real>> make_dusk();
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
