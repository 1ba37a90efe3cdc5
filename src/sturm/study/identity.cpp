// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/identity.h"

#include <set>
#include <vector>

#include "sturm/core/sentence.h"
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

std::string quoted(const StudyIdentity& study, const std::string& key) {
  const auto found = study.find(key);
  if (found == study.end()) return "none";
  const std::string value = escaped(found->second, false);
  if (value.empty()) return "''";
  return value.size() <= 60 ? value : value.substr(0, 57) + "...";
}

}  // namespace

StudyIdentity identity_of(const StudySettings& settings) {
  const Named<std::string> words = in_words(settings);
  return {words.begin(), words.end()};
}

std::string to_text(const StudyIdentity& study) {
  std::string text;
  for (const auto& [key, value] : study) text += escaped(key, true) + equals + escaped(value, false) + "\n";
  return text;
}

std::string digest(const StudyIdentity& study) { return digest_of_text(to_text(study)); }

std::string digest_of_text(const std::string& text) {
  ContentHash hash;
  hash.add(text);
  return hash.text();
}

StudyIdentity parse_identity(const std::string& text) {
  StudyIdentity study;
  for (const std::string& line : split(text, '\n')) {
    const std::size_t at = line.find(equals);
    if (at != std::string::npos) study[unescaped(line.substr(0, at))] = unescaped(line.substr(at + equals.size()));
  }
  return study;
}

std::string difference(const StudyIdentity& then, const StudyIdentity& now) {
  std::set<std::string> keys;
  for (const auto* study : {&then, &now})
    for (const auto& [key, value] : *study) keys.insert(key);
  std::string out;
  std::size_t differ = 0;
  for (const std::string& key : keys) {
    const auto before = then.find(key), after = now.find(key);
    if (before != then.end() && after != now.end() && before->second == after->second) continue;
    const std::string name = key.find(' ') == std::string::npos ? option_name(key) : key;
    if (++differ <= 3) out += (out.empty() ? "" : "; ") + name + " " + quoted(then, key) + ", now " + quoted(now, key);
  }
  if (differ > 3) out += "; and " + std::to_string(differ - 3) + " more";
  return out;
}

}  // namespace sturm
