// SPDX-License-Identifier: BSD-3-Clause
// How much room a text takes on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sturm {

/// The characters of a text in UTF-8: each is taken to be one column wide.
int width_of(std::string_view text);

/// The text where it fits, otherwise its beginning and "...". Never wider than `columns`.
std::string shortened(const std::string& text, int columns);

}  // namespace sturm
