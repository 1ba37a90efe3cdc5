// SPDX-License-Identifier: BSD-3-Clause
// References as the program writes them, "Authors (year), title, where volume:pages, doi:...", turned into BibTeX.
#pragma once

#include <string>
#include <vector>

namespace sturm {

/// One entry for each reference, semicolons apart, and one for the program. Keys are the first author and the year.
std::string bibtex_of(const std::vector<std::string>& references, const std::string& version);

}  // namespace sturm
