// SPDX-License-Identifier: BSD-3-Clause
// What a report needs to know about an unfinished study, beside the journal: study.json in its work folder.
#pragma once

#include "sturm/app/cv_study.h"
#include "sturm/report/study_maps.h"

namespace sturm {

struct WorkStudy {
  CvFacts facts;
  CvPlan plan;
  std::vector<std::optional<Space>> spaces;
  DataFacts data;
  bool masked = false;  ///< as read: resized volumes had a mask, which is not kept
};

/// Writes study.json into a folder that exists. The same study gives the same bytes.
void write_work_study(const std::filesystem::path& work, const WorkStudy& study);

/// Reads it back. Masks of the spaces are not kept. Throws where it is not there or not sound.
WorkStudy read_work_study(const std::filesystem::path& work);

/// Whether a folder holds the journal of a study.
bool is_work_folder(const std::filesystem::path& folder);

struct PartialResults {
  std::vector<std::string> missing;  ///< a sentence for everything
  StudyProgress progress;
};

/// Writes the results of what is done into a folder that exists.
PartialResults write_partial_results(const std::filesystem::path& work, const std::filesystem::path& folder);

}  // namespace sturm
