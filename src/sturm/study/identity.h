// SPDX-License-Identifier: BSD-3-Clause
// What makes two runs the same study: their settings, in words that an error can quote.
#pragma once

#include <map>
#include <string>

namespace sturm {

/// Everything that results depend on, under the words a user knows it by: {"--inner", "9"}, {"the volumes", "3f2a..."}.
/// What changes no result (threads, the shard, where files are written) does not belong here.
using StudySettings = std::map<std::string, std::string>;

/// "key = value" lines in the order of the keys; the same settings give the same text. A line break is written as \n,
/// and every line ends with one.
std::string to_text(const StudySettings& settings);

/// 32 digits that stand for the settings.
std::string digest(const StudySettings& settings);
std::string digest_of_text(const std::string& text);

/// The settings of to_text(); a line without " = " is passed over.
StudySettings parse_settings(const std::string& text);

/// "--inner 9, now 5; --seed 1, now none" for settings that differ, cut short after three; empty where none does.
std::string difference(const StudySettings& then, const StudySettings& now);

}  // namespace sturm
