// SPDX-License-Identifier: BSD-3-Clause
// From a folder of results to a report: the study that the page shows, and its volumes.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/report/brain_pictures.h"
#include "sturm/report/places.h"
#include "sturm/report/report_volumes.h"
#include "sturm/report/result_folder.h"
#include "sturm/report/study.h"

namespace sturm {

/// What a report is made of beside the folder.
struct ReportRequest {
  std::filesystem::path folder;
  std::string title;                          ///< empty: what was asked
  std::filesystem::path atlas, atlas_labels;  ///< names of regions; empty: none
  std::string background;                     ///< what maps lie over: a file, mean or mni; empty: see report/anatomy.h
  std::filesystem::path truth;                ///< what was planted; empty: the folder's own
  std::vector<std::string> missing;           ///< what an unfinished study lacks, one sentence for each
  std::string name;                           ///< what the folder is called; empty: as it is
  std::filesystem::path work;                 ///< of an unfinished study: its work folder
  OrNull<StudyProgress> progress;             ///< of one that is under way
};

struct Report {
  Study study;  ///< without volumes and left_out, which report_page() knows
  std::vector<ReportVolume> volumes;
  std::vector<BrainPicture> pictures;
  Places places;  ///< what no page says
};

/// Reads the folder. Throws where it holds no results, or files that are not sound.
Report make_report(const ReportRequest& request);

/// The most bytes of a page: what a mail takes along.
inline constexpr Index page_limit = 8'000'000;

/// The page filled with a report, of at most `limit` bytes: volumes that do not fit are left out and named. The same
/// report gives the same bytes.
std::string report_page(std::string_view page, Report report, Index limit = page_limit);

/// The parts of the study that do not need a map or a trace.
Study study_of_cv(const ResultFolder& folder);
Study study_of_fit(const ResultFolder& folder);

/// Target and classes, from the column and the labels of results.
StudyTarget target_of(const std::string& column, const std::optional<std::vector<std::string>>& labels);

/// The rows of a trace, thinned where there are very many.
std::vector<TraceRow> thinned(std::vector<TraceRow> trace);

}  // namespace sturm
