// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/record.h"

#include <bit>
#include <cstring>
#include <optional>

#include "sturm/core/error.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {
namespace {

static_assert(std::endian::native == std::endian::little, "journals are written in this byte order");

constexpr std::string_view magic = "sturm journal\n";
constexpr std::uint32_t version = 3;
constexpr std::string_view mark = "\nrecord\n";
constexpr std::size_t checksum_bytes = 32;

template <class Number>
void put(std::string& out, Number value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string checksum(const std::string& study, std::string_view bytes) {
  ContentHash hash;
  hash.add(study);
  hash.add(bytes.data(), bytes.size());
  return hash.text();
}

/// Takes bytes from the front, as long as there are enough.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : all_(bytes), left_(bytes) {}

  std::optional<std::string_view> take(std::uint64_t count) {
    if (count > left_.size()) return {};
    const std::string_view out = left_.substr(0, count);
    left_.remove_prefix(count);
    return out;
  }
  template <class Number>
  std::optional<Number> number() {
    const auto bytes = take(sizeof(Number));
    if (!bytes) return {};
    Number value{};
    std::memcpy(&value, bytes->data(), sizeof value);
    return value;
  }
  std::size_t taken() const { return all_.size() - left_.size(); }
  std::string_view so_far() const { return all_.substr(0, taken()); }

 private:
  std::string_view all_, left_;
};

struct Found {
  Record record;
  std::size_t bytes = 0;
};

/// The record at the front of some bytes, if it is one and whole.
std::optional<Found> record_at(std::string_view bytes, const std::string& study) {
  Reader reader(bytes);
  if (const auto start = reader.take(mark.size()); !start || *start != mark) return {};
  const auto task_bytes = reader.number<std::uint32_t>();
  const auto payload_bytes = reader.number<std::uint64_t>();
  if (!task_bytes || !payload_bytes) return {};
  const auto task = reader.take(*task_bytes), payload = reader.take(*payload_bytes);
  if (!task || !payload) return {};
  const std::string_view body = reader.so_far();
  const auto sum = reader.take(checksum_bytes);
  if (!sum || *sum != checksum(study, body)) return {};
  return Found{{std::string(*task), std::string(*payload)}, reader.taken()};
}

bool record_follows(std::string_view bytes, const std::string& study) {
  for (std::size_t at = bytes.find(mark); at != std::string_view::npos; at = bytes.find(mark, at + 1))
    if (record_at(bytes.substr(at), study)) return true;
  return false;
}

struct Head {
  std::string text;
  std::size_t bytes = 0;
};

Head read_head(std::string_view bytes, const std::string& name) {
  Reader reader(bytes);
  if (!is_journal(bytes)) throw Error({name}, "is not a journal of sturm; choose another `work`, or remove the file.");
  reader.take(magic.size());
  const auto found = reader.number<std::uint32_t>();
  if (found && *found != version)
    throw Error({name}, "is a journal of format " + std::to_string(*found) + ", and this version of sturm reads " +
                            std::to_string(version) +
                            "; finish the study with the version that began it, or choose another `work`.");
  const auto text_bytes = reader.number<std::uint32_t>();
  const auto text = text_bytes ? reader.take(*text_bytes) : std::nullopt;
  const std::string_view body = reader.so_far();
  const auto sum = reader.take(checksum_bytes);
  if (!text || !sum || *sum != checksum("", body))
    throw Error({name},
                "the head of the journal is damaged; restore the file from a copy, or remove it, and its tasks "
                "are done again.");
  return {std::string(*text), reader.taken()};
}

}  // namespace

std::string encode_head(const StudyIdentity& study) {
  const std::string text = to_text(study);
  std::string out(magic);
  put(out, version);
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
  return out + checksum("", out);
}

std::string encode_record(const std::string& study, std::string_view task, std::string_view payload) {
  std::string out(mark);
  out.reserve(mark.size() + 12 + task.size() + payload.size() + checksum_bytes);
  put(out, static_cast<std::uint32_t>(task.size()));
  put(out, static_cast<std::uint64_t>(payload.size()));
  out += task;
  out += payload;
  return out += checksum(study, out);
}

bool is_journal(std::string_view bytes) { return bytes.starts_with(magic); }

JournalContent decode_journal(std::string_view bytes, const std::string& name) {
  const Head head = read_head(bytes, name);
  const std::string study = digest_of_text(head.text);
  JournalContent content;
  content.study = parse_identity(head.text);
  std::size_t at = head.bytes;
  while (const auto found = record_at(bytes.substr(at), study)) {
    content.records.push_back(found->record);
    at += found->bytes;
  }
  if (record_follows(bytes.substr(at), study))
    throw Error({name}, "is damaged at byte " + std::to_string(at) + ", after record " +
                            std::to_string(content.records.size()) +
                            "; restore the file from a copy, or remove it, and its tasks are done again.");
  content.good = static_cast<Index>(at);
  content.torn = static_cast<Index>(bytes.size() - at);
  return content;
}

}  // namespace sturm
