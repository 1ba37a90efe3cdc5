// SPDX-License-Identifier: BSD-3-Clause
// What people and programs write into tables and paths, and how it is shown to others: UTF-8, spellings, terminals.
#pragma once

#include <string>
#include <string_view>

namespace sturm {

/// The position of the first byte that is not part of a character in UTF-8; npos where there is none.
std::size_t first_not_utf8(std::string_view text);

/// A text as it may go to a terminal: whatever would move the cursor, colour or hide what follows (control characters,
/// escape sequences, marks that turn the direction of writing, bytes that are not UTF-8) is written out, as \x1b. Tabs
/// become spaces. A line end stays where it begins the next entry of a list, which is indented by two spaces.
std::string printable(std::string_view text);

/// A text for a sentence, cut short where it is very long; and the same between quotes.
std::string clipped(std::string_view text);
std::string in_quotes(std::string_view text);

/// What spellings of one word have in common: no capitals (of Latin, Greek and Cyrillic letters) and no spaces, visible
/// or not. "Pat ", "pat" and "PAT" have the same.
std::string folded(std::string_view text);

/// Whether a cell of a table says that there is no value: nothing, NA, N/A, NaN or null, in capitals or not.
bool means_missing(std::string_view text);

}  // namespace sturm
