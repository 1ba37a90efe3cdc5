// SPDX-License-Identifier: BSD-3-Clause
// The models of all training samples of a task: what they are fitted on, and what is kept of them.
#pragma once

#include "sturm/eval/nested.h"

namespace sturm {

/// The volumes of a task at one size: the mask and the confounds are those of the training samples.
template <class Real>
struct TaskVolumes {
  Region region;
  ConfoundModel explained;     ///< empty: no confounds
  Design<Real> train, unseen;  ///< without confounds; `unseen` is `train` where nothing is left out
};
template <class Real>
TaskVolumes<Real> volumes_of(const NestedStudy<Real>& study, const NestedTask& task, std::size_t resolution);

/// What a model file holds, and what it says of all samples of the study.
template <class Real>
void keep_model(const NestedStudy<Real>& study, const NestedTask& task, const Method<Real>& method,
                std::vector<SavedPart> parts, const TaskVolumes<Real>& volumes, NestedOutcome& outcome);

/// The coefficients of one of several classes, or of the only part, among those of all.
void put_map(std::span<const double> map, int part, int parts, std::vector<float>& maps);

}  // namespace sturm
