// SPDX-License-Identifier: BSD-3-Clause
// Reports of a study that is not finished, once or again and again while it runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "sturm/report/report.h"

namespace sturm {

/// The work folder of a study that is not whole: the folder itself, or the one beside it; empty: none.
std::filesystem::path work_folder(const std::filesystem::path& folder);

/// A folder with the results of what is done, which goes with it.
class UnfinishedResults {
 public:
  explicit UnfinishedResults(const std::filesystem::path& work);
  ~UnfinishedResults();
  UnfinishedResults(const UnfinishedResults&) = delete;
  UnfinishedResults& operator=(const UnfinishedResults&) = delete;

  /// The request, of this folder.
  ReportRequest request(ReportRequest asked) const;
  const std::vector<std::string>& missing() const { return missing_; }
  const StudyProgress& progress() const { return progress_; }

 private:
  std::filesystem::path path_, work_;
  std::vector<std::string> missing_;
  StudyProgress progress_;
};

/// What somebody who watches is told after each page.
using WatchNews = std::function<void(const StudyProgress& progress)>;

/// Writes the page whenever the journal of the study has grown, at most every few seconds, until the study is done.
/// `request.folder` is its work folder, or the folder that its results will be in. Throws Interrupted where `stop` says
/// so. Other people's pages are not replaced unless `force` is given.
void watch_study(const ReportRequest& request, const std::filesystem::path& page, bool force,
                 const std::function<bool()>& stop, const WatchNews& news);

}  // namespace sturm
