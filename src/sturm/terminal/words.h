// SPDX-License-Identifier: BSD-3-Clause
// The library's sentences in the words of the command line: `nan zero` is --nan zero (core/sentence.h).
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sturm::cli {

/// For a terminal: see printable() in core/text.h.
std::string in_flags(std::string_view sentence);
/// The same for a text of ours with lines of its own.
std::string with_flags(std::string_view text);

/// The same in every text of a JSON value.
nlohmann::ordered_json json_in_flags(nlohmann::ordered_json value);

/// A table on stdout: as it is to a file, and to a terminal without what that would obey.
void print_data(std::string_view table);

}  // namespace sturm::cli
