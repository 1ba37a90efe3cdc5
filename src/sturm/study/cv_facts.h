// SPDX-License-Identifier: BSD-3-Clause
// What results say about the samples and the study beside the outcomes.
#pragma once

#include <string>
#include <vector>

#include "sturm/core/target.h"
#include "sturm/eval/sample_keys.h"
#include "sturm/results/study_settings.h"

namespace sturm {

struct CvFacts {
  SampleKeys keys;
  std::vector<std::string> participants, paths;  ///< of each sample; empty: none
  std::vector<std::string> sites;                ///< where each was measured; empty: not known
  Target target;                                 ///< y and actual in the order of the keys
  Score score = Score::accuracy;                 ///< by which settings were chosen
  std::vector<double> resize;
  StudySettings settings;
};

}  // namespace sturm
