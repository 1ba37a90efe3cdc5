// SPDX-License-Identifier: BSD-3-Clause
// A cross-validation from its study to a folder of results, by way of a journal: started again it goes on where it was.
#pragma once

#include <string>
#include <vector>

#include "sturm/app/cv_study.h"
#include "sturm/app/events.h"

namespace sturm {

struct CvRequest {
  InputOptions input;
  CvOptions options;
  RunSettings run;
  std::string output;
  std::string work;  ///< folder of the journal
  std::string shard = "1/1";
  bool force = false;
  bool report = true;
  std::string command;  ///< as one would type it, for the report
};

enum class CvEnd {
  was_there,  ///< the output folder held the results of this study already
  part,       ///< this part is done, and other parts are not
  written,
};

struct CvDone {
  CvEnd end = CvEnd::written;
  Index missing = 0;               ///< tasks of other parts
  std::vector<std::string> files;  ///< that were written
  std::string table;               ///< table.md
  std::string results;             ///< results.json
};

/// Throws, before anything is read, where the folders of a request cannot be written or lie in each other's way.
void check_places(const CvRequest& request);

/// How many tasks are not in the journals yet.
template <class Real>
Index tasks_to_do(const CvRequest& request, const CvStudy<Real>& study);

/// Runs the tasks of this part that are not in the journal, and writes the results where the study is whole then.
template <class Real>
CvDone run_cv(const CvRequest& request, const CvStudy<Real>& study, Events& events);

}  // namespace sturm
