// SPDX-License-Identifier: BSD-3-Clause
// What sturm check finds in a study.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sturm/app/input.h"
#include "sturm/app/run_settings.h"
#include "sturm/imaging/volume_check.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/study_settings.h"

namespace sturm {

struct CheckOptions {
  InputOptions input;
  CvOptions study;    ///< groups, confounds and folds count
  bool folds = true;  ///< whether the samples are to be cut into folds, for a cross-validation
  RunSettings run;
};

enum class Severity { note, warning, error };

struct Finding {
  Severity severity = Severity::note;
  std::string sentence;
};

/// Everything there is to say, for a table, for JSON and for words.
struct StudyCheck {
  Table table;
  std::vector<SampleFile> files;     ///< one per row; none for arrays
  std::vector<VolumeFacts> volumes;  ///< the same
  std::vector<Index> same_as;        ///< the earlier row with the same content; -1: none
  std::vector<Finding> findings;
  nlohmann::ordered_json labels, groups, confounds, resources;
  std::optional<CoverageFacts> coverage;  ///< none: it was not looked at
  bool readable = false;                  ///< what is to be predicted is clear, and is there

  void say(Severity severity, std::string sentence) { findings.push_back({severity, std::move(sentence)}); }
};

/// Reads all that there is. Throws only where there is no table to check.
StudyCheck check_study(const CheckOptions& options, const std::function<void(Index done, Index total)>& progress);

/// The parts that need what the volumes hold, all on one grid: those that stand out, and whether where they have values
/// gives the target away.
void check_values(const CheckOptions& options, const Grid& grid, StudyCheck& study);
/// The same of an array.
void check_values(const CheckOptions& options, const Design<float>& design, StudyCheck& study);

/// The parts that need the table alone: labels, weights, groups, confounds and folds, and what will leak from one into
/// another. What fit or cv would refuse is found by what they call themselves, and said in their words.
void check_columns(const CheckOptions& options, StudyCheck& study);

}  // namespace sturm
