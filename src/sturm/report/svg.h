// SPDX-License-Identifier: BSD-3-Clause
// A drawing as SVG, in which text is always inert.
#pragma once

#include <string>

#include "sturm/report/drawing.h"

namespace sturm {

/// Control characters become spaces, and bytes that are not UTF-8 are replaced.
std::string sound_text(const std::string& text);

/// The same with <, >, &, " and ' as entities.
std::string xml_text(const std::string& text);

/// The file, with a title for those who cannot see it.
std::string svg_file(const Drawing& drawing, const std::string& title);

}  // namespace sturm
