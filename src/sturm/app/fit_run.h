// SPDX-License-Identifier: BSD-3-Clause
// One model on all samples: from the files that name them to a folder of results.
#pragma once

#include <string>
#include <vector>

#include "sturm/app/events.h"
#include "sturm/app/fit_files.h"
#include "sturm/app/run_settings.h"
#include "sturm/core/output_folder.h"

namespace sturm {

struct FitRequest {
  InputOptions input;
  RunSettings run;
  FitOptions model;
  ChooseOptions choosing;
  std::string confounds;  ///< columns that are regressed out of the volumes, with commas
  std::string method = "sturm";
  std::vector<double> setting;  ///< the parameters of the method; NaN where they are relative; none where it is chosen
  double tube = 0.1;
  bool balanced = false;
  bool probabilities = false;
  bool proof = false;  ///< write proof.safetensors
  bool report = true;
  std::string command;  ///< as one would type it, for the report
};

struct FitDone {
  FitOutcome outcome;
  FitResults facts;                ///< fit.json
  std::vector<std::string> files;  ///< that were written
};

/// Every file that run_fit may write.
std::vector<std::string> fit_file_names();

/// Reads, fits, writes and publishes `output`.
template <class Real>
FitDone run_fit(const FitRequest& request, OutputFolder& output, Events& events);

}  // namespace sturm
