// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/core.h>

#include <cstdint>  // toml++ uses it and does not say so
#include <sstream>
#include <stdexcept>

// The names of its parts end differently in 3.3 and 3.4 (cmake/Findtomlplusplus.cmake).
// toml++ 3.3 assumes of some files what is not so ("[=]"). Here it says so in every build, and the file is refused. And
// what it does with a letter beyond ASCII outside quotes is undefined, unless its table of blanks ends as it should.
#undef NDEBUG
namespace {
[[noreturn]] void not_as_assumed() { throw std::logic_error("toml++ assumes what is not so"); }
}  // namespace
#define TOML_ASSERT(holds) ((holds) ? void() : not_as_assumed())
#include STURM_TOML_PREPROCESSOR
#pragma push_macro("TOML_UNREACHABLE")
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE return false
#include STURM_TOML_UNICODE
#pragma pop_macro("TOML_UNREACHABLE")
#include <toml++/toml.h>

#include "sturm/cli/config_file.h"
#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm::cli {
namespace {

std::int64_t line_of(const toml::node& node) { return static_cast<std::int64_t>(node.source().begin.line); }

/// One value as one would type it.
std::string word_of(const std::string& file, const std::string& key, const toml::node& node) {
  if (const auto* const text = node.as_string()) return text->get();
  if (const auto* const whole = node.as_integer()) return std::to_string(whole->get());
  if (const auto* const number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* const yes = node.as_boolean()) return yes->get() ? "true" : "false";
  if (node.is_date() || node.is_time() || node.is_date_time()) {
    std::ostringstream text;
    node.visit([&text](const auto& value) {
      if constexpr (toml::is_chronological<decltype(value)>) text << value.get();
    });
    return text.str();
  }
  throw Error({file, line_of(node)}, "key '" + key + "' is a " + (node.is_array() ? "list" : "table") +
                                         " where one value is needed; write it as 'a,b' in quotes.");
}

/// The keys of a table; those of its own tables are sections where `section` is empty.
void add_keys(const std::string& file, const toml::table& table, const std::string& section,
              std::vector<ConfigKey>& out) {
  for (const auto& [name, node] : table) {
    ConfigKey key{section, std::string(name.str()), "", node.is_boolean(), line_of(node)};
    if (const auto* const inner = node.as_table(); inner != nullptr && section.empty()) {
      add_keys(file, *inner, key.name, out);
      continue;
    }
    if (const auto* const list = node.as_array()) {
      if (list->empty())
        throw Error({file, key.line}, "key '" + key.name + "' is an empty list; fill it, or leave the key out.");
      for (const toml::node& item : *list) {
        const std::string word = word_of(file, key.name, item);
        if (word.find(',') != std::string::npos)
          throw Error({file, key.line}, "key '" + key.name + "': '" + word +
                                            "' holds a comma, which separates the words of a list here.");
        key.value += (key.value.empty() ? "" : ",") + word;
      }
    } else {
      key.value = word_of(file, key.name, node);
    }
    out.push_back(std::move(key));
  }
}

}  // namespace

std::vector<ConfigKey> read_config(const std::string& file) {
  const std::string text = read_file(file);
  std::vector<ConfigKey> out;
  try {
    const toml::table table = toml::parse(text, file);
    add_keys(file, table, "", out);
  } catch (const toml::parse_error& error) {
    throw Error({file, static_cast<std::int64_t>(error.source().begin.line)},
                fmt::format("is not TOML that can be read: {}; see https://toml.io.", error.description()));
  } catch (const std::logic_error&) {
    throw Error({file}, "is not TOML that can be read; see https://toml.io.");
  }
  return out;
}

}  // namespace sturm::cli
