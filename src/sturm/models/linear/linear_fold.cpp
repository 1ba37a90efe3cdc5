// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/linear/linear_fold.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "sturm/core/parallel.h"
#include "sturm/core/sentence.h"
#include "sturm/linalg/host.h"
#include "sturm/linalg/voxels.h"
#include "sturm/models/linear/linear_fitted.h"
#include "sturm/models/linear/preparation.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
template <class Real>
LinearStudy<Real>::LinearStudy(const FitData<Real>& data)
    : data_(data), design_(prepared(data.design, data.normalize)) {}

template <class Real>
std::span<const double> LinearStudy<Real>::gram() const {
  std::call_once(once_, [this] {
    gram_ = linalg::host::gram<Real>(design_.samples(), design_.voxels(), design_.x().data(), nullptr, nullptr);
  });
  return gram_;
}

template <class Real>
LinearFold<Real>::LinearFold(const LinearStudy<Real>& study, std::span<const double> weights)
    : study_(study),
      centre_(study.data().intercept || study.data().normalize == Normalize::voxel),
      rows_(training_weights(weights, study.design().samples()), centre_),
      plain_(training_weights(weights, study.design().samples()), false),
      design_(centre_ ? subtract_common_part(study.design(), rows_) : study.design()) {
  if (study.data().normalize == Normalize::voxel)
    scale_ = voxel_scale(study.design(), rows_);
  else if (centre_)
    scale_ = constant_voxel_scale(study.design(), rows_);
}

template <class Real>
std::vector<double> LinearFold<Real>::labels(std::span<const double> y) const {
  return study_.data().intercept ? mapped_labels(rows_, y) : plain_.apply(y);
}

template <class Real>
std::span<const double> LinearFold<Real>::gram() const {
  if (scale_.empty() && design_.x().data() == study_.design().x().data()) return study_.gram();
  if (gram_.empty())
    gram_ = linalg::host::gram(design_.samples(), design_.voxels(), design_.x().data(),
                               scale_.empty() ? nullptr : scale_.data(), nullptr);
  return gram_;
}

template <class Real>
std::unique_ptr<FittedModel<Real>> LinearFold<Real>::model(std::span<const Index> voxels,
                                                           std::span<const double> values,
                                                           std::span<const double> y) const {
  const FitData<Real>& data = study_.data();
  const Design<Real>& raw = study_.design();
  std::vector<double> all(raw.voxels()), products(raw.samples());
  for (std::size_t i = 0; i < voxels.size(); ++i) {
    const Index v = voxels[i];
    all[v] = values[i] * (scale_.empty() ? 1.0 : static_cast<double>(scale_[v]));
    linalg::voxel_kernel<Real>().add(raw.column(v), all[v], products.data(), products.size());
  }
  FitReport report;
  if (data.intercept) report.intercept = rows_.mean(y);
  if (centre_) report.intercept -= rows_.mean(products);  // <x - mean, w> = <x, w> - the mean over the rows of <x, w>
  for (double& v : products) v += report.intercept;
  report.samples = std::ranges::count_if(rows_.weights(), [](double w) { return w > 0; });
  set_sparsity(report, raw.region(), all);
  auto out = std::make_unique<LinearFitted<Real>>(raw.region(), std::move(all), report.intercept, data.normalize,
                                                  std::move(products));
  out->report = std::move(report);
  return out;
}

template <class Real>
void for_each_fold(
    const LinearStudy<Real>& study, std::span<const FitTask> tasks, Index memory,
    const std::function<void(const LinearFold<Real>& fold, std::span<const Index> tasks, int worker)>& body) {
  std::map<std::vector<double>, std::size_t> known;
  std::vector<std::vector<Index>> groups;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const auto [at, fresh] = known.try_emplace(tasks[t].weights, groups.size());
    if (fresh) groups.emplace_back();
    groups[at->second].push_back(static_cast<Index>(t));
  }
  // A fold may have its own copy of the design, and has Gram matrices and eigenvectors.
  const Design<Real>& x = study.design();
  const Index bytes = static_cast<Index>(x.x().size_bytes()) +
                      checked_product(4 * x.samples(), x.samples()) * static_cast<Index>(sizeof(double));
  const auto count = static_cast<Index>(groups.size());
  const Index together = memory > 0 ? std::clamp<Index>(memory / bytes, 1, count) : count;
  for (Index first = 0; first < count; first += together)
    parallel_for(std::min(together, count - first), [&](Index g, int worker) {
      const std::vector<Index>& group = groups[first + g];
      body(LinearFold<Real>(study, tasks[group.front()].weights), group, worker);
    });
}

std::vector<double> counted_labels(const FitTask& task) {
  std::vector<double> out = task.y;
  for (std::size_t m = 0; m < std::min(out.size(), task.weights.size()); ++m)
    if (task.weights[m] == 0) out[m] = 0;
  return out;
}

template <class Real>
void require_task(const FitData<Real>& data, const FitTask& task, const std::vector<Parameter>& parameters) {
  require_sizes<Real>(data.design, counted_labels(task), task.weights);
  if (task.setting.size() != parameters.size())
    throw Error("the method has " + std::to_string(parameters.size()) + " parameters and was given " +
                std::to_string(task.setting.size()));
  for (std::size_t p = 0; p < parameters.size(); ++p)
    if (!(task.setting[p] >= 0 && std::isfinite(task.setting[p])))
      throw UsageError(option_name(parameters[p].name) + " must be finite and not negative, and is " +
                       std::to_string(task.setting[p]));
}

std::vector<double> paper_values() {
  std::vector<double> out;
  for (int power = -3; power <= 2; ++power)
    for (const double digit : {1.0, 5.0}) out.push_back(digit * std::pow(10.0, power));
  out.push_back(1e3);
  return out;
}

#define STURM_INSTANTIATE(Real)                                                                                  \
  template class LinearStudy<Real>;                                                                              \
  template class LinearFold<Real>;                                                                               \
  template void for_each_fold(const LinearStudy<Real>&, std::span<const FitTask>, Index,                         \
                              const std::function<void(const LinearFold<Real>&, std::span<const Index>, int)>&); \
  template void require_task(const FitData<Real>&, const FitTask&, const std::vector<Parameter>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
