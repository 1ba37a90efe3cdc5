// SPDX-License-Identifier: BSD-3-Clause
// The bytes of a journal: a head, then records, each with a checksum of its own (docs/decisions/011-journal.md).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/core/shape.h"
#include "sturm/study/identity.h"

namespace sturm {

/// What a task left behind. The bytes mean something to whoever ran it.
struct Record {
  std::string task;
  std::string payload;

  bool operator==(const Record&) const = default;
};

/// The head of a journal of a study.
std::string encode_head(const StudyIdentity& study);

/// A record, as it is appended to a journal whose study has this digest(). All checksums are the 128 bits of
/// ContentHash, and those of records begin with the digest: a record copied from another study is not taken for ours.
std::string encode_record(const std::string& study, std::string_view task, std::string_view payload);

/// Whether bytes begin as a journal of any version does.
bool is_journal(std::string_view bytes);

struct JournalContent {
  StudyIdentity study;
  std::vector<Record> records;
  Index good = 0;  ///< bytes up to the end of the last whole record
  Index torn = 0;  ///< bytes behind it: a record that was not written to its end, or whose end was damaged later
};

/// Reads a journal's bytes. Records are synced one by one, so only the last can be torn: bytes that make no record and
/// are followed by a whole one are damage, and an error; bytes that none follows are `torn`, and their task is simply
/// not done. `name` is the file, for errors.
JournalContent decode_journal(std::string_view bytes, const std::string& name);

}  // namespace sturm
