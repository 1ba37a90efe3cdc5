// SPDX-License-Identifier: BSD-3-Clause
// Other people's text on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace sturm {

/// The text in one line and without what a terminal would take for a command: line breaks become \n, other control
/// characters \x1b and the like.
std::string printable(std::string_view text);

}  // namespace sturm
