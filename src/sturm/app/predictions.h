// SPDX-License-Identifier: BSD-3-Clause
// A fitted model on other volumes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sturm/app/events.h"
#include "sturm/app/input.h"
#include "sturm/app/run_settings.h"

namespace sturm {

struct PredictRequest {
  InputOptions input;
  RunSettings run;
  std::string model;  ///< folder of a fit, or its model file
};

struct Predictions {
  Index samples = 0;
  std::vector<double> decisions;         ///< one per sample, or one per sample and class, a sample's side by side
  Target target;                         ///< empty where it is not known
  std::string table;                     ///< of predictions.tsv
  std::vector<std::uint8_t> trained_on;  ///< of each sample: the model was trained on this very volume
  std::vector<std::string> scores;       ///< how good they are where the target is known, a sentence each
};

template <class Real>
Predictions predict(const PredictRequest& request, Events& events);

}  // namespace sturm
