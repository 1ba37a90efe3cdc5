// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/training_set.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/core/parallel.h"
#include "sturm/core/sentence.h"
#include "sturm/linalg/host.h"
#include "sturm/linalg/voxels.h"
#include "sturm/models/preparation.h"

namespace sturm {
namespace {

/// What labels differ by that is less than this, relative to the largest, is the rounding of their mean.
constexpr double rounding_of_labels = 1e-13;

}  // namespace

template <class Real>
TrainingSets<Real>::TrainingSets(FitData<Real> data, CommonPart common) : data_(std::move(data)), common_(common) {}

template <class Real>
TrainingSets<Real>::~TrainingSets() = default;

template <class Real>
const Design<Real>& TrainingSets<Real>::design() const {
  return design_.get([this] { return prepared(data_.design, data_.normalize); });
}

template <class Real>
const Design<Real>& TrainingSets<Real>::shared_design() const {
  if (common_ != CommonPart::of_all || !centres()) return design();
  return shared_.get([this] { return subtract_common_part(design(), training_weights({}, data_.design.samples())); });
}

template <class Real>
const SampleStatistics& TrainingSets<Real>::samples() const {
  return samples_.get([this] { return sample_statistics(data_.design, data_.normalize); });
}

template <class Real>
std::span<const double> TrainingSets<Real>::gram() const {
  return gram_.get([this] {
    const Design<Real>& x = shared_design();
    return linalg::host::gram<Real>(x.samples(), x.voxels(), x.x().data(), nullptr, nullptr);
  });
}

template <class Real>
std::span<const double> TrainingSets<Real>::gram_of_scale(const std::vector<Real>& scale) const {
  if (scale.empty()) return gram();
  if (data_.normalize == Normalize::voxel) return {};  // no two sets have the same deviations
  const Scaled& first = scaled_gram_.get([&] {
    const Design<Real>& x = shared_design();
    return Scaled{scale, linalg::host::gram<Real>(x.samples(), x.voxels(), x.x().data(), scale.data(), nullptr)};
  });
  return first.scale == scale ? std::span<const double>(first.gram) : std::span<const double>{};
}

template <class Real>
const TrainingSet<Real>& TrainingSets<Real>::of(std::span<const double> weights) const {
  std::vector<double> key = training_weights(weights, data_.design.samples());
  const std::lock_guard lock(finding_);
  std::unique_ptr<const TrainingSet<Real>>& set = sets_[std::move(key)];
  if (!set) set = std::make_unique<const TrainingSet<Real>>(*this, weights);
  return *set;
}

template <class Real>
TrainingSet<Real>::TrainingSet(const TrainingSets<Real>& study, std::span<const double> weights)
    : study_(study), rows_(training_weights(weights, study.data().design.samples()), study.centres()) {}

template <class Real>
Index TrainingSet<Real>::samples() const {
  return std::ranges::count_if(weights(), [](double w) { return w > 0; });
}

template <class Real>
std::vector<double> TrainingSet<Real>::labels(std::span<const double> y) const {
  if (!data().intercept) return RowMap({weights().begin(), weights().end()}, false).apply(y);
  std::vector<double> out = rows_.apply(y);
  double largest = 0, rest = 0;
  for (std::size_t m = 0; m < y.size(); ++m) {
    largest = std::max(largest, std::sqrt(weights()[m]) * std::abs(y[m]));
    rest = std::max(rest, std::abs(out[m]));
  }
  if (rest <= rounding_of_labels * largest) out.assign(y.size(), 0);
  return out;
}

template <class Real>
double TrainingSet<Real>::deviation(std::span<const double> y) const {
  double total = 0, mean = 0, variance = 0, largest = 0;
  for (const double w : weights()) total += w;
  for (std::size_t i = 0; i < y.size(); ++i)
    if (weights()[i] > 0) mean += weights()[i] / total * y[i];
  for (std::size_t i = 0; i < y.size(); ++i)
    if (weights()[i] > 0) {
      variance += weights()[i] / total * (y[i] - mean) * (y[i] - mean);
      largest = std::max(largest, std::abs(y[i]));
    }
  const double deviation = std::sqrt(variance);
  return deviation > rounding_of_labels * largest ? deviation : 1;
}

template <class Real>
const Design<Real>& TrainingSet<Real>::design() const {
  if (study_.common_ == CommonPart::of_all || !study_.centres()) return study_.shared_design();
  return design_.get([this] { return subtract_common_part(study_.design(), weights()); });
}

template <class Real>
const std::vector<Real>& TrainingSet<Real>::scale() const {
  return scale_.get([this] {
    std::vector<Real> out;
    if (data().normalize == Normalize::voxel) {
      out.reserve(data().design.voxels());
      for (const double deviation : voxel_statistics(study_.design(), weights()).deviation)
        out.push_back(static_cast<Real>(inverse_deviation(deviation)));
    } else if (study_.centres()) {
      const std::vector<std::uint8_t> constant = constant_voxels(study_.design(), weights());
      out.resize(constant.size());
      std::ranges::transform(constant, out.begin(), [](std::uint8_t is) { return is ? Real{0} : Real{1}; });
    }
    return out;
  });
}

template <class Real>
std::span<const double> TrainingSet<Real>::shared_gram() const {
  if (design().x().data() != study_.shared_design().x().data()) return {};
  return study_.gram_of_scale(scale());
}

template <class Real>
std::span<const double> TrainingSet<Real>::gram() const {
  if (const std::span<const double> shared = shared_gram(); !shared.empty()) return shared;
  return gram_.get([this] {
    const Design<Real>& x = design();
    return linalg::host::gram(x.samples(), x.voxels(), x.x().data(), scale().empty() ? nullptr : scale().data(),
                              nullptr);
  });
}

template <class Real>
const std::shared_ptr<const View<Real>>& TrainingSet<Real>::view() const {
  return view_.get([this] {
    std::vector<std::uint8_t> searched;
    if (data().normalize == Normalize::voxel && std::ranges::find(scale(), Real{0}) != scale().end()) {
      searched.resize(scale().size());
      std::ranges::transform(scale(), searched.begin(), [](Real s) { return s > 0; });
    }
    return std::make_shared<const View<Real>>(design(), rows_, scale(), std::move(searched), shared_gram());
  });
}

template <class Real>
VoxelSpace TrainingSet<Real>::space() const {
  std::vector<Index> all(data().design.voxels());
  std::iota(all.begin(), all.end(), Index{0});
  return space(std::move(all));
}

template <class Real>
VoxelSpace TrainingSet<Real>::space(std::vector<Index> columns) const {
  VoxelSpace out{std::move(columns), {}, data().normalize};
  if (data().normalize != Normalize::voxel) return out;
  const std::vector<double> deviation = voxel_statistics(data().design, out.voxels, weights()).deviation;
  std::vector<Index> kept;
  for (std::size_t k = 0; k < deviation.size(); ++k) {
    if (deviation[k] == 0) continue;
    kept.push_back(out.voxels[k]);
    out.scale.push_back(1 / deviation[k]);
  }
  if (kept.empty()) throw Error("every voxel is constant over the samples: there is nothing to learn from");
  out.voxels = std::move(kept);
  return out;
}

template <class Real>
VoxelScale TrainingSet<Real>::voxel_scale() const {
  if (data().normalize != Normalize::voxel) return {};
  VoxelStatistics found = voxel_statistics(study_.design(), weights());
  std::ranges::transform(found.deviation, found.deviation.begin(), inverse_deviation);
  return {std::move(found.mean), std::move(found.deviation)};
}

template <class Real>
std::shared_ptr<const ProofPoint> TrainingSet<Real>::proof(std::span<const double> theta, double factor,
                                                           std::vector<Tensor> split) const {
  auto out = std::make_shared<ProofPoint>();
  for (std::size_t m = 0; m < theta.size(); ++m) out->theta.push_back(factor * std::sqrt(weights()[m]) * theta[m]);
  for (Tensor& part : split)
    for (double& v : part.flat()) v *= factor;
  out->split = std::move(split);
  // A scale of 0 without `voxel` says no more than that centring makes the voxel 0.
  if (data().normalize == Normalize::voxel) out->scale.assign(scale().begin(), scale().end());
  return out;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> TrainingSet<Real>::model(const BasicTensor<Real>& w,
                                                            std::span<const double> y) const {
  const std::vector<double> on_scale(w.flat().begin(), w.flat().end());
  std::vector<double> coef = on_scale;
  // A scale of 0 without `voxel` says that centring makes the voxel 0: its coefficient, which may be what lowers a
  // low-rank penalty, stays.
  if (data().normalize == Normalize::voxel)
    for (std::size_t v = 0; v < coef.size(); ++v) coef[v] *= static_cast<double>(scale()[v]);
  auto out = model_of_scaled(std::move(coef), y);
  // Counted on the solver's scale: a coefficient may be too small for its own.
  set_sparsity(out->report, study_.design().region(), on_scale);
  return out;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> TrainingSet<Real>::model(std::span<const Index> voxels,
                                                            std::span<const double> values,
                                                            std::span<const double> y) const {
  const Design<Real>& x = study_.design();
  std::vector<double> coef(x.voxels()), products(x.samples());
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Index v = voxels[i];
    coef[v] = values[i] * (scale().empty() ? 1.0 : static_cast<double>(scale()[v]));
    linalg::voxel_kernel<Real>().add(x.column(v), coef[v], products.data(), products.size());
  }
  return folded_back(std::move(coef), std::move(products), y);
}

template <class Real>
std::unique_ptr<FittedModel<Real>> TrainingSet<Real>::model_of_scaled(std::vector<double> coef,
                                                                      std::span<const double> y) const {
  const Design<Real>& x = study_.design();
  std::vector<double> products = linalg::host::product(x.samples(), x.x().data(), coef);
  return folded_back(std::move(coef), std::move(products), y);
}

template <class Real>
std::unique_ptr<FittedModel<Real>> TrainingSet<Real>::folded_back(std::vector<double> coef,
                                                                  std::vector<double> products,
                                                                  std::span<const double> y) const {
  double intercept = data().intercept ? rows_.mean(y) : 0;
  // <x - mean, w> = <x, w> - the mean over the training rows of <x, w>.
  if (study_.centres()) intercept -= rows_.mean(products);
  for (double& v : products) v += intercept;
  auto out =
      fitted_map<Real>(study_.design().region(), std::move(coef), intercept, data().normalize, std::move(products));
  out->report.samples = samples();
  return out;
}

template <class Real>
void for_each_set(
    const TrainingSets<Real>& study, std::span<const FitTask> tasks, Index memory,
    const std::function<void(const TrainingSet<Real>& set, std::span<const Index> tasks, int worker)>& body) {
  std::map<std::vector<double>, std::size_t> known;
  std::vector<std::vector<Index>> groups;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto [at, fresh] = known.try_emplace(tasks[t].weights, groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(static_cast<Index>(t));
  }
  // A set may have its own copy of the design, and has Gram matrices and eigenvectors.
  const Design<Real>& x = study.design();
  const Index bytes = static_cast<Index>(x.x().size_bytes()) +
                      checked_product(4 * x.samples(), x.samples()) * static_cast<Index>(sizeof(double));
  const auto count = static_cast<Index>(groups.size());
  const Index together = memory > 0 ? std::clamp<Index>(memory / bytes, 1, count) : count;
  for (Index first = 0; first < count; first += together)
    parallel_for(std::min(together, count - first), [&](Index g, int worker) {
      const std::vector<Index>& group = groups[first + g];
      body(TrainingSet<Real>(study, tasks[group.front()].weights), group, worker);
    });
}

template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task) {
  const auto samples = static_cast<std::size_t>(data.design.samples());
  if (task.y.size() != samples)
    throw Error("there are " + std::to_string(samples) + " volumes and " + std::to_string(task.y.size()) + " labels");
  const RowMap rows(training_weights(task.weights, data.design.samples()), false);  // throws where they are none
  const std::vector<double> y = counted_labels(task);
  for (std::size_t m = 0; m < samples; ++m)
    if (!std::isfinite(y[m]))
      throw Error("the label of sample " + std::to_string(m + 1) + " is not a finite number; drop that row");
}

template <class Real>
void require_tasks(const Method<Real>& method, const FitData<Real>& data, std::span<const FitTask> tasks) {
  const std::vector<Parameter> parameters = method.parameters();
  for (const FitTask& task : tasks) {
    require_task(data, task);
    if (task.setting.size() != parameters.size())
      throw Error(method.name() + " has " + std::to_string(parameters.size()) +
                  (parameters.size() == 1 ? " parameter" : " parameters") + ", and a task gives " +
                  std::to_string(task.setting.size()));
    for (std::size_t p = 0; p < parameters.size(); ++p)
      if (!(task.setting[p] >= 0 && std::isfinite(task.setting[p])))
        throw UsageError(option_name(parameters[p].name) + " must be finite and not negative, and is " +
                         std::to_string(task.setting[p]));
  }
}

std::vector<double> counted_labels(const FitTask& task) {
  std::vector<double> out = task.y;
  for (std::size_t m = 0; m < std::min(out.size(), task.weights.size()); ++m)
    if (task.weights[m] == 0) out[m] = 0;
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                  \
  template class TrainingSets<Real>;                                                                             \
  template class TrainingSet<Real>;                                                                              \
  template void for_each_set(const TrainingSets<Real>&, std::span<const FitTask>, Index,                         \
                             const std::function<void(const TrainingSet<Real>&, std::span<const Index>, int)>&); \
  template void require_task(const FitData<Real>&, const FitTask&);                                              \
  template void require_tasks(const Method<Real>&, const FitData<Real>&, std::span<const FitTask>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
