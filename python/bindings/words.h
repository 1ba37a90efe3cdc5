// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

namespace sturm::python {

/// A sentence of the library with its options as keywords: `nan zero` is nan='zero', and `inner-gap` is inner_gap.
std::string in_python(std::string_view sentence);

}  // namespace sturm::python
