// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/words.h"

#include <algorithm>

#include "sturm/core/sentence.h"

namespace sturm::python {

std::string in_python(std::string_view sentence) {
  return with_options(sentence, [](std::string_view name, std::string_view value) {
    std::string out(name);
    std::ranges::replace(out, '-', '_');
    if (!value.empty()) out += "='" + std::string(value) + "'";
    return out;
  });
}

}  // namespace sturm::python
