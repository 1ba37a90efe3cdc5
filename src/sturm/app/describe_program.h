// SPDX-License-Identifier: BSD-3-Clause
// What this program is, how it was built, and what it found on this machine.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sturm {

nlohmann::ordered_json describe_program();

/// The same as lines of text.
std::string lines_of_program(const nlohmann::ordered_json& facts);

}  // namespace sturm
