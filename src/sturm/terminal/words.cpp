// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/terminal/words.h"

#include "sturm/core/sentence.h"

namespace sturm::cli {

std::string in_flags(std::string_view sentence) {
  return with_options(sentence, [](std::string_view name, std::string_view value) {
    std::string flag = "--" + std::string(name);
    return value.empty() ? flag : flag + " " + std::string(value);
  });
}

nlohmann::ordered_json json_in_flags(nlohmann::ordered_json value) {
  if (value.is_string()) return in_flags(value.get_ref<const std::string&>());
  if (value.is_structured())
    for (auto& item : value) item = json_in_flags(std::move(item));
  return value;
}

}  // namespace sturm::cli
