// SPDX-License-Identifier: BSD-3-Clause
// "Did you mean ...?" for words that are misspelt.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sturm {

/// How many letters must be added, removed, changed or swapped with their neighbour to make one word of another; small
/// and capital letters count as the same.
std::size_t letters_apart(std::string_view a, std::string_view b);

/// The known word that is meant, as far as one can tell; empty where none is near.
std::string nearest_word(std::string_view word, const std::vector<std::string>& known);

/// " (did you mean fit?)", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& known);

}  // namespace sturm
