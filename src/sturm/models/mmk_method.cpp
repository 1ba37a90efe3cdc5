// SPDX-License-Identifier: BSD-3-Clause
// A volume's decomposition depends on that volume alone, so that one serves all tasks of a rank, in the training set or
// not. (With Normalize::voxel the volume depends on the training set, and there is one for each.)
#include "sturm/models/mmk_method.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>

#include "sturm/core/parallel.h"
#include "sturm/models/kernel_svm.h"
#include "sturm/models/mmk_kernel.h"
#include "sturm/models/prepared_volumes.h"

namespace sturm {
namespace {

/// How volumes become features: all that is needed to do the same to new ones.
struct Recipe {
  Shape shape;
  std::vector<std::uint8_t> mask;
  Normalize normalize = Normalize::none;
  VoxelScale scale;
  ModeKernels kernels;
  CpOptions cp;

  /// `prepared` as by prepared_design().
  template <class Real>
  std::vector<CpFeatures> features(const Design<Real>& prepared) const {
    std::vector<CpFeatures> out(prepared.samples());
    parallel_for(prepared.samples(), [&](Index m, int) {
      out[m] = features_of(sturm::cp(volume_of(prepared, m, mask, scale), cp, kernels));
    });
    return out;
  }
};

/// What the tasks of one recipe share.
struct Factorised {
  Recipe recipe;
  std::vector<CpFeatures> features;
};

template <class Real>
class MmkModel : public FittedModel<Real> {
 public:
  MmkModel(std::shared_ptr<const Factorised> base, std::shared_ptr<const std::vector<double>> kernel, KernelSvm svm,
           double sigma)
      : base_(std::move(base)), kernel_(std::move(kernel)), svm_(std::move(svm)), sigma_(sigma) {}

  std::vector<double> decision_values() const override { return values(*kernel_); }

  std::vector<double> decision_values(const Design<Real>& x) const override {
    const Recipe& recipe = base_->recipe;
    if (x.shape() != recipe.shape)
      throw Error("the model is for volumes of " + to_string(recipe.shape) + " and these are " + to_string(x.shape()));
    const auto features = recipe.features(prepared_design(x, recipe.mask, recipe.normalize));
    const auto samples = static_cast<Index>(base_->features.size());
    return values(
        structure_kernel(term_distances(base_->features, features), samples, x.samples(), recipe.cp.rank, sigma_));
  }

 private:
  /// `kernel` holds a column of values with every sample of the design for each volume.
  std::vector<double> values(const std::vector<double>& kernel) const {
    const std::size_t samples = base_->features.size();
    std::vector<double> out(kernel.size() / samples);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = svm_({kernel.data() + i * samples, samples});
    return out;
  }

  std::shared_ptr<const Factorised> base_;
  std::shared_ptr<const std::vector<double>> kernel_;
  KernelSvm svm_;
  double sigma_;
};

void require_setting(const std::vector<double>& setting) {
  const double rank = setting[0], sigma = setting[1], c = setting[2];
  if (!(rank >= 1 && rank <= 1000 && rank == std::floor(rank)))
    throw UsageError("--rank must be a whole number from 1 to 1000, and is " + std::to_string(rank));
  if (!(sigma > 0 && std::isfinite(sigma)))
    throw UsageError("--sigma must be positive and finite, and is " + std::to_string(sigma));
  if (!(c > 0 && std::isfinite(c))) throw UsageError("--C must be positive and finite, and is " + std::to_string(c));
}

template <class Real>
class Mmk : public Method<Real> {
 public:
  Mmk(std::string name, double width, double cut) : name_(std::move(name)), width_(width), cut_(cut) {}

  std::string name() const override { return name_; }
  std::string title() const override {
    return width_ > 0 ? "kernelised CP vectors, structure-preserving kernel, support vector machine"
                      : "CP vectors, structure-preserving kernel, support vector machine";
  }
  std::string reference() const override {
    return width_ > 0
               ? "He, Lu, Ding, Wang, Shen, Yu, Ragin: Multi-way multi-level kernel modeling for neuroimaging "
                 "classification. CVPR 2017"
               : "He, Kong, Yu, Yang, Ragin, Hao: DuSK: a dual structure-preserving kernel for supervised tensor "
                 "learning with applications to neuroimages. SDM 2014";
  }
  std::vector<Parameter> parameters() const override {
    return {{"rank", "terms of the CP decomposition of a volume"},
            {"sigma", "width of the kernel between the vectors of two volumes"},
            {"C", "what a violated margin costs"}};
  }
  bool regression() const override { return false; }

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
    FitTask checked = task;
    checked.setting.assign(3, 1);
    require_task(data, checked, 3);
    const std::vector<double> weights = weights_of(task, data.design.samples());
    const Design<Real> x = prepared_design(data.design, data.mask, data.normalize);
    const VoxelScale scale = voxel_scale_of(data, x, weights);
    double mean = 0, total = 0;
    for (Index m = 0; m < x.samples(); ++m) {
      if (!(weights[m] > 0)) continue;
      double square = 0;
      for (const double v : volume_of(x, m, data.mask, scale).flat()) square += v * v;
      mean += weights[m] * std::sqrt(3.0) * std::pow(square, 1.0 / 6);
      total += weights[m];
    }
    mean = mean > 0 ? mean / total : 1;
    ranks = {1, 2, 4};
    for (const double multiple : {0.125, 0.25, 0.5, 1.0, 2.0}) sigmas.push_back(multiple * mean);
    costs = {0.5, 4, 32};
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
  for (const FitTask& task : tasks) {
    require_task(data, task, 3);
    require_setting(task.setting);
  }
  const Index samples = data.design.samples();
  const Design<Real> x = prepared_design(data.design, data.mask, data.normalize);
  // Tasks by what they share: recipe (rank, and weights where those matter), then sigma.
  std::map<std::pair<std::vector<double>, double>, std::map<double, std::vector<Index>>> groups;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto weights = data.normalize == Normalize::voxel ? weights_of(tasks[t], samples) : std::vector<double>{};
    groups[{weights, tasks[t].setting[0]}][tasks[t].setting[1]].push_back(static_cast<Index>(t));
  }
  const int total = static_cast<int>(tasks.size());
  int done = 0;
  for (const auto& [key, by_sigma] : groups) {
    auto base = std::make_shared<Factorised>();
    Recipe& recipe = base->recipe;
    recipe.shape = x.shape();
    recipe.mask.assign(data.mask.begin(), data.mask.end());
    recipe.normalize = data.normalize;
    recipe.scale = voxel_scale_of(data, x, key.first);
    if (width_ > 0) recipe.kernels = position_kernels(x.shape(), width_, cut_);
    recipe.cp.rank = static_cast<Index>(key.second);
    recipe.cp.seed = options.seed;
    base->features = recipe.features(x);
    const std::vector<double> distances = term_distances(base->features, base->features);
    for (const auto& [sigma, members] : by_sigma) {
      if (options.progress && !options.progress({done, 1, total - done, total})) throw Interrupted();
      const auto kernel = std::make_shared<const std::vector<double>>(
          structure_kernel(distances, samples, samples, recipe.cp.rank, sigma));
      std::vector<std::unique_ptr<FittedModel<Real>>> models(members.size());
      parallel_for(static_cast<Index>(members.size()), [&](Index i, int) {
        const auto start = Clock::now();
        const FitTask& task = tasks[members[i]];
        const std::vector<double> weights = weights_of(task, samples);
        models[i] =
            std::make_unique<MmkModel<Real>>(base, kernel, solve_svm(*kernel, task.y, weights, task.setting[2]), sigma);
        models[i]->report.samples = std::ranges::count_if(weights, [](double w) { return w > 0; });
        models[i]->report.seconds = std::chrono::duration<double>(Clock::now() - start).count();
      });
      for (std::size_t i = 0; i < members.size(); ++i) take(members[i], std::move(models[i]));
      done += static_cast<int>(members.size());
    }
  }
}

}  // namespace

template <class Real>
std::unique_ptr<Method<Real>> make_mmk(double width, double cut) {
  return std::make_unique<Mmk<Real>>(width > 0 ? "mmk" : "dusk", width, cut);
}
template <class Real>
std::unique_ptr<Method<Real>> make_mmk() {
  return make_mmk<Real>(2, 0.05);
}
template <class Real>
std::unique_ptr<Method<Real>> make_dusk() {
  return make_mmk<Real>(0, 0);
}

#define STURM_INSTANTIATE(Real)                                    \
  template std::unique_ptr<Method<Real>> make_mmk(double, double); \
  template std::unique_ptr<Method<Real>> make_mmk();               \
  template std::unique_ptr<Method<Real>> make_dusk();
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
