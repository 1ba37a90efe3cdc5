// SPDX-License-Identifier: BSD-3-Clause
// Noise with a signal in a few voxels, for the tests of nested cross-validation.
#pragma once

#include "sturm/core/rng.h"
#include "sturm/eval/nested.h"
#include "sturm/models/model.h"

namespace sturm::test {

inline const Shape study_shape{4, 5, 3};

/// Two classes that alternate, with `effect` in eight voxels that follow their label; or more, in turn, each with
/// `effect` in eight voxels of its own.
inline NestedStudy<double> small_study(Index samples, double effect, std::uint64_t seed, Index classes = 2) {
  const Tensor noise = random_normal({samples, study_shape.size(), 1}, seed);
  AlignedVector<double> x(noise.flat().begin(), noise.flat().end());
  NestedStudy<double> study;
  for (Index m = 0; m < samples; ++m) {
    const Index label = m % classes, first = classes == 2 ? 20 : 8 * label;
    study.keys.ids.push_back("s" + std::to_string(1000 + m));
    study.keys.y.push_back(classes == 2 ? 1.0 - 2.0 * static_cast<double>(label) : static_cast<double>(label));
    for (Index v = first; v < first + 8; ++v) x[m + samples * v] += effect * (classes == 2 ? study.keys.y.back() : 1);
  }
  study.keys.classification = true;
  study.keys.several = classes == 2 ? 0 : classes;
  study.resolutions.push_back({1, Design<double>::owning(study_shape, samples, std::move(x))});
  study.backend = &linalg::cpu_backend();
  study.options.inner = {FoldKind::count, 3, "", "inner"};
  return study;
}

}  // namespace sturm::test
