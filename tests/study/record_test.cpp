// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/record.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/core/error.h"

namespace sturm {
namespace {

const StudyIdentity settings = {{"inner", "9"}};
const std::vector<Record> written = {
    {"task/1", "one"}, {"task/2", ""}, {"", std::string("\0\nrecord\n\xff", 10)}, {"task/4", "four"}};

std::string journal(std::size_t records) {
  std::string bytes = encode_head(settings);
  for (std::size_t r = 0; r < records; ++r)
    bytes += encode_record(digest(settings), written[r].task, written[r].payload);
  return bytes;
}

/// How many of the written records some bytes still hold; -1 where they are refused. Any other content fails the test.
int records_in(const std::string& bytes) {
  try {
    const JournalContent content = decode_journal(bytes, "journal-1.bin");
    EXPECT_EQ(content.study, settings);
    EXPECT_EQ(content.good + content.torn, static_cast<Index>(bytes.size()));
    EXPECT_LE(content.records.size(), written.size());
    for (std::size_t r = 0; r < content.records.size(); ++r) EXPECT_EQ(content.records[r], written[r]);
    return static_cast<int>(content.records.size());
  } catch (const Error&) {
    return -1;
  }
}

TEST(Record, ComesBack) {
  for (std::size_t records = 0; records <= written.size(); ++records)
    EXPECT_EQ(records_in(journal(records)), static_cast<int>(records));
  EXPECT_EQ(decode_journal(journal(4), "x").torn, 0);
}

TEST(Record, EveryCutLeavesTheWholeRecordsBeforeIt) {
  const std::string whole = journal(4);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    int expected = -1;
    for (std::size_t records = 0; records < 4; ++records)
      if (length >= journal(records).size()) expected = static_cast<int>(records);
    EXPECT_EQ(records_in(whole.substr(0, length)), expected) << length << " bytes";
  }
}

TEST(Record, EveryFlippedBitIsFoundOrCostsTheLastRecordAlone) {
  const std::string whole = journal(4);
  const std::size_t last = journal(3).size();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << bit));
      EXPECT_EQ(records_in(bytes), at < last ? -1 : 3) << "bit " << bit << " of byte " << at;
    }
}

// What a file system may leave of an append whose data never reached the disk.
TEST(Record, ATailOfZerosIsTorn) {
  const JournalContent content = decode_journal(journal(2) + std::string(500, '\0'), "x");
  EXPECT_EQ(content.records.size(), 2U);
  EXPECT_EQ(content.torn, 500);
}

TEST(Record, LostAndForeignPieces) {
  std::string hole = journal(4);
  hole.erase(journal(1).size() + 3, 20);
  EXPECT_EQ(records_in(hole), -1);
  const std::string other = encode_record(digest({{"inner", "5"}}), "task/1", "one");
  EXPECT_EQ(records_in(journal(2) + other), 2) << "a record of another study is not ours";
}

TEST(Record, SaysWhatIsWrong) {
  EXPECT_SAYS(decode_journal("", "w/journal-1.bin"), "w/journal-1.bin", "not a journal", "`work`");
  EXPECT_SAYS(decode_journal("PK\3\4 something else", "x"), "not a journal");
  std::string bytes = journal(4);
  bytes[14] = 1;
  EXPECT_SAYS(decode_journal(bytes, "x"), "format 1", "reads 3", "finish the study with the version that began it");
  bytes = journal(4);
  bytes[25] ^= 1;
  EXPECT_SAYS(decode_journal(bytes, "x"), "head", "damaged", "remove it");
  bytes = journal(4);
  bytes[journal(2).size() + 15] ^= 1;
  EXPECT_SAYS(decode_journal(bytes, "x"), "damaged at byte " + std::to_string(journal(2).size()), "after record 2");
}

}  // namespace
}  // namespace sturm
