// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <vector>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "sturm/study/outcome_record.h"
#include "sturm/study/record.h"
#include "targets.h"

namespace sturm::fuzz {
namespace {

/// The bytes of an input one after the other, then zeros.
class Dice {
 public:
  explicit Dice(std::string_view bytes) : left_(bytes) {}

  std::size_t below(std::size_t count) { return count == 0 ? 0 : (byte() + 256 * byte()) % count; }
  std::string piece() {
    const std::size_t size = std::min(byte() % 32, left_.size());
    const std::string out(left_.substr(0, size));
    left_.remove_prefix(size);
    return out;
  }

 private:
  std::size_t byte() {
    if (left_.empty()) return 0;
    const auto out = static_cast<unsigned char>(left_.front());
    left_.remove_prefix(1);
    return out;
  }

  std::string_view left_;
};

/// Any bytes as a journal: an answer or an Error.
void decode_anything(std::string_view bytes) {
  try {
    const JournalContent content = decode_journal(bytes, "a");
    require(content.good + content.torn == static_cast<Index>(bytes.size()));
    require(parse_identity(to_text(content.study)) == content.study);
  } catch (const Error&) {
  }
}

/// Any bytes as the record of a task, which a checksum protects in a journal.
void decode_payload(std::string_view bytes) {
  try {
    const std::vector<FoldOutcome> outcomes = decode(bytes, "a");
    const std::string again = encode(outcomes);
    require(encode(decode(again, "a")) == again);
  } catch (const Error&) {
  }
}

std::vector<Record> first(const std::vector<Record>& records, std::size_t count) {
  return {records.begin(), records.begin() + static_cast<std::ptrdiff_t>(count)};
}

/// Records of any names and contents come back. Of a journal whose end is missing those come back that are whole, and a
/// changed bit is noticed wherever it is: it costs the last record, or the journal is refused.
void damage_a_journal(std::string_view bytes) {
  Dice dice(bytes);
  const std::size_t cut = dice.below(1 << 16), flipped = dice.below(1 << 16), bit = dice.below(8);
  StudyIdentity study{{"part of", "a fuzzer"}};
  for (std::size_t n = dice.below(3); n > 0; --n) {
    const std::string key = dice.piece();
    study[key] = dice.piece();
  }
  require(parse_identity(to_text(study)) == study && difference(study, study).empty());

  std::string journal = encode_head(study);
  std::vector<Record> records;
  std::vector<std::size_t> ends{journal.size()};
  for (std::size_t n = 1 + dice.below(4); n > 0; --n) {
    const std::string task = dice.piece();
    records.push_back({task, dice.piece()});
    journal += encode_record(digest(study), task, records.back().payload);
    ends.push_back(journal.size());
  }
  const JournalContent whole = decode_journal(journal, "a");
  require(whole.study == study && whole.records == records && whole.torn == 0);

  const std::size_t left = cut % journal.size();
  try {
    const JournalContent torn = decode_journal(std::string_view(journal).substr(0, left), "a");
    const auto kept = static_cast<std::size_t>(std::ranges::upper_bound(ends, left) - ends.begin());
    require(kept > 0 && torn.records == first(records, kept - 1));
    require(torn.good + torn.torn == static_cast<Index>(left));
  } catch (const Error&) {
    require(left < ends.front());
  }

  const std::size_t at = flipped % journal.size();
  journal[at] = static_cast<char>(journal[at] ^ (1 << bit));
  try {
    const JournalContent damaged = decode_journal(journal, "a");
    require(at >= ends[ends.size() - 2] && damaged.records == first(records, records.size() - 1));
  } catch (const Error&) {
    require(at < ends[ends.size() - 2]);
  }
}

}  // namespace

void journal(std::string_view bytes) {
  decode_anything(bytes);
  decode_payload(bytes);
  damage_a_journal(bytes);
}

}  // namespace sturm::fuzz
