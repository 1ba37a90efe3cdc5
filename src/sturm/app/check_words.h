// SPDX-License-Identifier: BSD-3-Clause
// What sturm check found, as a table and as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sturm/app/check_study.h"

namespace sturm {

/// One row per volume; empty for arrays.
std::string check_table(const StudyCheck& study);

/// All of it.
nlohmann::ordered_json check_json(const StudyCheck& study);

}  // namespace sturm
