// SPDX-License-Identifier: BSD-3-Clause
// The library's sentences in the words of the command line: `nan zero` is --nan zero (core/sentence.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sturm::cli {

std::string in_flags(std::string_view sentence);

/// The same in every text of a JSON value.
nlohmann::ordered_json json_in_flags(nlohmann::ordered_json value);

}  // namespace sturm::cli
