// SPDX-License-Identifier: BSD-3-Clause
// In the place of the page, where web/ could not be built.
#include "sturm/report/page.h"

namespace sturm {

std::string_view embedded_page() { return {}; }

}  // namespace sturm
