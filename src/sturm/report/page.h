// SPDX-License-Identifier: BSD-3-Clause
// The page of a report, as web/ builds it, and how it is filled (docs/decisions/013-report.md).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sturm {

/// The page without a study in it. Throws Error where this copy of the program was built without one. STURM_PAGE in the
/// environment names a file to take in its place, for work on the page.
std::string empty_page();
/// What was embedded; empty: nothing.
std::string_view embedded_page();

/// JSON that no text in it can end: <, >, &, U+2028 and U+2029 are written as escapes. Bytes that are not UTF-8 are
/// replaced.
std::string inert_json(const nlohmann::ordered_json& value);

/// The bytes in letters, digits, + and /.
std::string base64(std::string_view bytes);

/// A volume or a picture of the page: the id of its element without "volume-" or "picture-", which has letters, digits
/// and dashes alone, and its file in base64.
using PageFile = std::pair<std::string, std::string>;

/// Puts a study with its volumes, pictures and figures (elements "figure-ID") at the two places of the page. Throws
/// where it does not have each of them once.
std::string fill_page(std::string_view page, const nlohmann::ordered_json& study, const std::vector<PageFile>& volumes,
                      const std::vector<PageFile>& pictures = {}, const std::vector<PageFile>& figures = {});

}  // namespace sturm
