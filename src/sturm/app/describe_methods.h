// SPDX-License-Identifier: BSD-3-Clause
// What every method is, in the words of the methods themselves.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace sturm {

/// Name, title, parameters and reference of each.
nlohmann::ordered_json describe_methods();

/// The same as lines of a table.
std::string table_of_methods(const nlohmann::ordered_json& methods);

}  // namespace sturm
