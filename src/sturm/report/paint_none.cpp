// SPDX-License-Identifier: BSD-3-Clause
// In the place of paint_cairo.cpp, where cairo was not found.
#include <stdexcept>

#include "sturm/report/paint.h"

namespace sturm {

bool can_paint() { return false; }

std::string pdf_file(const Drawing&, const std::string&) { throw std::logic_error("pdf_file: there is no cairo"); }

Image painted(const Drawing&, int) { throw std::logic_error("painted: there is no cairo"); }

}  // namespace sturm
