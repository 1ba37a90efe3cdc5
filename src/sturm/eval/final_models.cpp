// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/final_models.h"

#include <algorithm>
#include <numeric>

#include "sturm/eval/stored_model.h"

namespace sturm {

template <class Real>
TaskVolumes<Real> volumes_of(const NestedStudy<Real>& study, const NestedTask& task, std::size_t resolution) {
  const auto known = std::ssize(task.train);
  std::vector<Index> rows = task.train;
  rows.insert(rows.end(), task.test.begin(), task.test.end());
  std::vector<Index> first(known), rest(task.test.size());
  std::iota(first.begin(), first.end(), Index{0});
  std::iota(rest.begin(), rest.end(), known);
  Design<Real> both = study.resolutions[resolution].volumes(task.train, rows);
  const Region region = both.region();
  ConfoundModel explained;
  if (!study.confounds.empty()) {
    const Confounds all_of_them = rows_of(study.confounds, rows);
    explained = fit_confounds(both, all_of_them, first);
    both = without_confounds(both, all_of_them, explained, region);
  }
  const Design<Real> train = rows_of(both, first);
  return {region, std::move(explained), train, rest.empty() ? train : rows_of(both, rest)};
}

template <class Real>
void keep_model(const NestedStudy<Real>& study, const NestedTask& task, const Method<Real>& method,
                std::vector<SavedPart> parts, const TaskVolumes<Real>& volumes, NestedOutcome& outcome) {
  const Design<Real> raw = study.resolutions[outcome.resolution].volumes(task.train, {});
  SavedModel model = put_together(std::move(parts), raw.shape(), study.options.normalize, volumes.region.mask());
  model.method = method.name();
  model.confounds = volumes.explained;
  for (Index c = 0; c < study.keys.several; ++c) model.names.push_back(study.keys.class_name(static_cast<double>(c)));
  outcome.fitted = decisions_of(model, raw, study.confounds);
  outcome.model = std::move(model);
}

void put_map(std::span<const double> map, int part, int parts, std::vector<float>& maps) {
  maps.resize(map.size() * parts);
  std::ranges::transform(map, maps.begin() + static_cast<std::ptrdiff_t>(map.size()) * part,
                         [](double v) { return static_cast<float>(v); });
}

#define STURM_INSTANTIATE(Real)                                                                                      \
  template TaskVolumes<Real> volumes_of(const NestedStudy<Real>&, const NestedTask&, std::size_t);                   \
  template void keep_model(const NestedStudy<Real>&, const NestedTask&, const Method<Real>&, std::vector<SavedPart>, \
                           const TaskVolumes<Real>&, NestedOutcome&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
