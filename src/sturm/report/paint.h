// SPDX-License-Identifier: BSD-3-Clause
// A drawing as PDF and as pixels, by cairo. A build without cairo has neither, and says so.
#pragma once

#include <string>

#include "sturm/report/drawing.h"

namespace sturm {

/// Whether this build can: the other two throw where it cannot.
bool can_paint();

/// One page of the drawing's size. Text stays text, in fonts that are embedded, and pictures stay pixels. There is no
/// time in it: the same drawing gives the same bytes.
std::string pdf_file(const Drawing& drawing, const std::string& title);

/// So many pixels wide.
Image painted(const Drawing& drawing, int width);

}  // namespace sturm
