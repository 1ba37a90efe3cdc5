// SPDX-License-Identifier: BSD-3-Clause
// JSON of files from anywhere.
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

namespace sturm {

/// Whether lists and objects lie at most 64 deep inside each other; ours lie 10 deep. Whoever copies or writes a value
/// follows it down the stack, which a file with a million of them inside each other would exhaust.
bool is_shallow_json(std::string_view text);

/// The value of a text, or one that is_discarded() where it is not JSON or is too deep.
template <class Json = nlohmann::json>
Json parse_json(std::string_view text) {
  return is_shallow_json(text) ? Json::parse(text, nullptr, false) : Json(Json::value_t::discarded);
}

}  // namespace sturm
