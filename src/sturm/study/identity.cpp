// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/identity.h"

#include <set>
#include <vector>

#include "sturm/core/table.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {
namespace {

const std::string equals = " = ";

/// A line break, a backslash and "=" in a way that a line can be taken apart again.
std::string escaped(const std::string& text, bool key) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\\' || letter == '\n' || (key && letter == '=')) out += '\\';
    out += letter == '\n' ? 'n' : letter;
  }
  return out;
}

std::string unescaped(const std::string& text) {
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\\' && at + 1 < text.size())
      out += text[++at] == 'n' ? '\n' : text[at];
    else
      out += text[at];
  return out;
}

std::string quoted(const StudySettings& settings, const std::string& key) {
  const auto found = settings.find(key);
  if (found == settings.end()) return "none";
  const std::string value = escaped(found->second, false);
  if (value.empty()) return "''";
  return value.size() <= 60 ? value : value.substr(0, 57) + "...";
}

}  // namespace

std::string to_text(const StudySettings& settings) {
  std::string text;
  for (const auto& [key, value] : settings) text += escaped(key, true) + equals + escaped(value, false) + "\n";
  return text;
}

std::string digest(const StudySettings& settings) { return digest_of_text(to_text(settings)); }

std::string digest_of_text(const std::string& text) {
  ContentHash hash;
  hash.add(text);
  return hash.text();
}

StudySettings parse_settings(const std::string& text) {
  StudySettings settings;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t at = line.find(equals);
    if (at != std::string::npos) settings[unescaped(line.substr(0, at))] = unescaped(line.substr(at + equals.size()));
  }
  return settings;
}

std::string difference(const StudySettings& then, const StudySettings& now) {
  std::set<std::string> keys;
  for (const auto* settings : {&then, &now})
    for (const auto& [key, value] : *settings) keys.insert(key);
  std::string out;
  std::size_t differ = 0;
  for (const std::string& key : keys) {
    const auto before = then.find(key), after = now.find(key);
    if (before != then.end() && after != now.end() && before->second == after->second) continue;
    if (++differ <= 3) out += (out.empty() ? "" : "; ") + key + " " + quoted(then, key) + ", now " + quoted(now, key);
  }
  if (differ > 3) out += "; and " + std::to_string(differ - 3) + " more";
  return out;
}

}  // namespace sturm
