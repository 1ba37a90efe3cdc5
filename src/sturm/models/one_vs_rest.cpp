// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/one_vs_rest.h"

#include <algorithm>

namespace sturm {
namespace {

std::vector<int> largest(const std::vector<std::vector<double>>& values) {
  std::vector<int> out(values.front().size());
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t c = 1; c < values.size(); ++c)
      if (values[c][i] > values[out[i]][i]) out[i] = static_cast<int>(c);
  return out;
}

int count_classes(const ClassTask& task) {
  if (!task.weights.empty() && task.weights.size() != task.label.size())
    throw Error("there are " + std::to_string(task.label.size()) + " labels and " +
                std::to_string(task.weights.size()) + " weights");
  int classes = 0;
  for (const int label : task.label) {
    if (label < 0) throw Error("classes are counted from 0, and one is " + std::to_string(label));
    classes = std::max(classes, label + 1);
  }
  if (classes < 2) throw Error("there is one class alone: nothing to tell apart");
  std::vector<bool> seen(classes);
  for (std::size_t i = 0; i < task.label.size(); ++i)
    if (task.weights.empty() || task.weights[i] > 0) seen[task.label[i]] = true;
  const auto missing = std::ranges::find(seen, false);
  if (missing != seen.end())
    throw Error("no training sample belongs to class " + std::to_string(missing - seen.begin()) +
                "; use fewer folds, or leave that class out");
  return classes;
}

}  // namespace

template <class Real>
std::vector<int> OneVsRestModel<Real>::predicted() const {
  std::vector<std::vector<double>> values;
  for (const auto& model : models_) values.push_back(model->decision_values());
  return largest(values);
}

template <class Real>
std::vector<int> OneVsRestModel<Real>::predicted(const Design<Real>& x) const {
  std::vector<std::vector<double>> values;
  for (const auto& model : models_) values.push_back(model->decision_values(x));
  return largest(values);
}

template <class Real>
void fit_one_vs_rest(const Method<Real>& method, const FitData<Real>& data, std::span<const ClassTask> tasks,
                     const MethodOptions& options,
                     const std::function<void(Index task, std::unique_ptr<OneVsRestModel<Real>> model)>& take) {
  struct Place {
    Index task;
    int label;
  };
  std::vector<FitTask> parts;
  std::vector<Place> places;
  std::vector<std::vector<std::unique_ptr<FittedModel<Real>>>> models(tasks.size());
  std::vector<int> missing;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const int classes = count_classes(tasks[t]);
    models[t].resize(classes);
    missing.push_back(classes);
    for (int c = 0; c < classes; ++c) {
      FitTask part{{}, tasks[t].weights, tasks[t].setting};
      for (const int label : tasks[t].label) part.y.push_back(label == c ? 1 : -1);
      parts.push_back(std::move(part));
      places.push_back({static_cast<Index>(t), c});
    }
  }
  method.fit(data, parts, options, [&](Index p, std::unique_ptr<FittedModel<Real>> model) {
    const auto [task, label] = places[p];
    models[task][label] = std::move(model);
    if (--missing[task] == 0) take(task, std::make_unique<OneVsRestModel<Real>>(std::move(models[task])));
  });
}

#define STURM_INSTANTIATE(Real)                                                                        \
  template class OneVsRestModel<Real>;                                                                 \
  template void fit_one_vs_rest(const Method<Real>&, const FitData<Real>&, std::span<const ClassTask>, \
                                const MethodOptions&,                                                  \
                                const std::function<void(Index, std::unique_ptr<OneVsRestModel<Real>>)>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
