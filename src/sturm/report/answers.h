// SPDX-License-Identifier: BSD-3-Clause
// The head of a report: what was asked, and whether it worked.
#pragma once

#include "sturm/report/study.h"

namespace sturm {

/// "patient or control? 60 volumes of oasis": the question as a title. `data_set` may be empty.
std::string question_of(const Study& study, const std::string& data_set, bool volumes);

/// Whether the best method is better than guessing, with what guessing reaches; and whom its interval is over.
StudyAnswers answers_of_cv(const Study& study, const CvResults& results);

/// A fit cannot tell.
StudyAnswers answers_of_fit(const FitResults& fit);

}  // namespace sturm
