// SPDX-License-Identifier: BSD-3-Clause
// What makes two runs the same study: their settings, as text that a journal keeps and an error can quote.
#pragma once

#include <map>
#include <string>

#include "sturm/results/study_settings.h"

namespace sturm {

/// Everything that results depend on, in words: {"inner", "9"}, {"the volumes", "3f2a..."}. A key without a space is
/// the name of an option.
using StudyIdentity = std::map<std::string, std::string>;

StudyIdentity identity_of(const StudySettings& settings);

/// "key = value" lines in the order of the keys; the same study gives the same text. A line break is written as \n,
/// and every line ends with one.
std::string to_text(const StudyIdentity& study);

/// 32 digits that stand for the study.
std::string digest(const StudyIdentity& study);
std::string digest_of_text(const std::string& text);

/// The study of to_text(); a line without " = " is passed over.
StudyIdentity parse_identity(const std::string& text);

/// "`inner` 9, now 5; `seed` 1, now none" for what differs, cut short after three; empty where nothing does.
std::string difference(const StudyIdentity& then, const StudyIdentity& now);

}  // namespace sturm
