// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/map_words.h"

#include <algorithm>

namespace sturm {

void explain_maps(Study& study, const std::vector<ReportVolume>& volumes) {
  const auto shows = [&](VolumeKind kind) {
    return std::ranges::find(volumes, kind, &ReportVolume::kind) != volumes.end();
  };
  const auto any = [&](const auto& has) { return std::ranges::any_of(study.methods, has); };
  StudySentences& out = study.sentences;
  if (any([](const StudyMethod& m) { return m.readable.has_value(); }))
    out.readable =
        "The readable map is that of the sparsest setting whose mean score in the inner folds is within one standard "
        "error of the best: it predicts about as well with fewer voxels. The standard error is that of the best score "
        "over the inner folds.";
  if (any([](const StudyMethod& m) { return !m.path.empty(); }))
    out.path =
        "Each point is a setting: its mean score in the inner folds of all samples, against the share of the mask that "
        "is zero. Larger points are the best of those with about as many voxels. The setting was chosen by these "
        "scores, so that they are a little too good: the scores to report are those of the outer folds.";
  if (shows(VolumeKind::stability))
    out.stability =
        "Stability is how far the outer folds agree on the sign of a weight: the share of folds in which it is "
        "positive less the share in which it is negative, without its sign. At 100 % every fold gives the voxel the "
        "same sign; where signs change from fold to fold it is near 0, however dense the map.";
  if (shows(VolumeKind::pattern))
    out.pattern =
        "A weight is not an activation: it says how the model uses a voxel, and a voxel that measures nothing of "
        "interest gets one where it helps to cancel the noise of others. The forward pattern (Haufe et al. 2014) says "
        "how much each voxel changes with the model's decision value.";
  if (any([](const StudyMethod& m) { return !m.learning.empty(); }))
    out.learning =
        "Scores of models that were trained on a part of each training set, with whole groups and with the classes in "
        "proportion; the setting was chosen inside that part. Bars are 95 % intervals of all predictions together.";
}

}  // namespace sturm
