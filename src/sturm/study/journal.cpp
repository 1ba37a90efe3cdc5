// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/journal.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <stdexcept>

#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/imaging/gzip.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

const std::string prefix = "journal-", suffix = ".bin";

const fs::path& made(const fs::path& work) {
  std::error_code failure;
  fs::create_directories(work, failure);
  if (failure)
    throw Error({work.string()}, std::string("cannot be made (") + failure.message() + "); choose another `work`.");
  return work;
}

const std::string& checked(const std::string& part) {
  const auto plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  if (part.empty() || !std::ranges::all_of(part, plain))
    throw std::logic_error("Journal: a part is named by letters, digits and dashes, not '" + part + "'");
  return part;
}

std::string bytes_of(const fs::path& file) {
  if (!fs::is_regular_file(file))
    throw Error({file.string()}, "is not a file; move it away, or choose another `work`.");
  ReadableFile in(file);
  std::string bytes(static_cast<std::size_t>(in.bytes()), '\0');
  bytes.resize(static_cast<std::size_t>(in.read(std::as_writable_bytes(std::span(bytes)))));
  return bytes;
}

fs::path lock_file(const fs::path& work, const std::string& part) { return work / ("lock-" + part); }

std::string lock_name(const fs::path& work) { return "The study in " + work.string(); }

std::vector<fs::path> journals_in(const fs::path& work) {
  std::vector<fs::path> files;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(work, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(prefix) && name.ends_with(suffix)) files.push_back(entry.path());
  }
  if (failure && failure != std::errc::no_such_file_or_directory)
    throw Error({work.string()}, std::string("cannot be read (") + failure.message() + "); choose another `work`.");
  std::ranges::sort(files);
  return files;
}

/// Whether a journal of another study holds nothing yet and is not being written: then it stands in nobody's way.
bool is_idle(const fs::path& file, const JournalContent& content) {
  if (!content.records.empty()) return false;
  const std::string name = file.filename().string();
  const std::string part = name.substr(prefix.size(), name.size() - prefix.size() - suffix.size());
  try {
    const Lock free(lock_file(file.parent_path(), part), lock_name(file.parent_path()));
    return true;
  } catch (const Error&) {
    return false;
  }
}

JournalContent read_journal(const fs::path& file, const StudyIdentity& study) {
  JournalContent content = decode_journal(bytes_of(file), file.string());
  const std::string changed = difference(content.study, study);
  if (!changed.empty())
    throw Error("The study in " + file.parent_path().string() + " was made with " + changed +
                ": use another `work`, or `force` to begin it anew.");
  return content;
}

}  // namespace

void append_and_sync(int handle, std::string_view bytes, const std::string& name) {
  const auto fail = [&name](int reason) {
    throw Error({name}, std::string("cannot be written (") + std::strerror(reason) +
                            "); what was done before is kept, so check free space and limits and start again.");
  };
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(written < 0 ? errno : ENOSPC);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  int result = 0;
  do result = ::fdatasync(handle);
  while (result != 0 && errno == EINTR);
  if (result != 0 && errno != EINVAL && errno != EROFS) fail(errno);  // those two: nothing there can be synced
}

StudyRecords read_journals(const fs::path& work, const StudyIdentity& study, const std::vector<std::string>& any) {
  const std::vector<fs::path> files = journals_in(work);
  StudyRecords all;
  std::map<std::string, std::pair<std::size_t, const fs::path*>> seen;
  for (const fs::path& file : files) {
    JournalContent content = decode_journal(bytes_of(file), file.string());
    StudyIdentity wanted = study;
    for (const std::string& key : any)
      if (content.study.contains(key)) wanted[key] = content.study[key];
    if (content.study != wanted && is_idle(file, content)) continue;
    content = read_journal(file, wanted);
    if (content.torn > 0)
      all.notes.push_back(file.string() + ": the last record was cut short; its task is done again.");
    for (Record& record : content.records) {
      const auto [at, first] = seen.emplace(record.task, std::pair(all.records.size(), &file));
      if (first)
        all.records.push_back(std::move(record));
      else if (all.records[at->second.first] != record)
        throw Error({file.string()},
                    "disagrees about task " + record.task + " with " + at->second.second->string() +
                        "; remove the file from the machine that you trust less, and its tasks are done again.");
    }
  }
  return all;
}

void remove_journals(const fs::path& work) {
  const std::vector<fs::path> files = journals_in(work);
  std::vector<Lock> locks;
  for (const fs::path& file : files) {
    const std::string name = file.filename().string();
    locks.emplace_back(lock_file(work, name.substr(prefix.size(), name.size() - prefix.size() - suffix.size())),
                       lock_name(work));
    if (!is_journal(bytes_of(file)))
      throw Error({file.string()}, "is not a journal of sturm, so `force` does not remove it; choose another `work`.");
  }
  for (const fs::path& file : files) {
    std::error_code failure;
    fs::remove(file, failure);
    if (failure)
      throw Error({file.string()}, std::string("cannot be removed (") + failure.message() + "); check the folder.");
  }
  sync_folder(work);
}

Journal::Journal(const fs::path& work, const std::string& part, const StudyIdentity& study)
    : file_(made(work) / (prefix + checked(part) + suffix)),
      lock_(lock_file(work, part), lock_name(work)),
      study_(digest(study)) {
  const auto of_another = [&] {  // its first task never ended: the lock is ours, so nobody is at it
    const JournalContent there = decode_journal(bytes_of(file_), file_.string());
    return there.records.empty() && there.study != study;
  };
  if (!fs::exists(file_) || of_another()) {
    write_file(file_, encode_head(study));
    sync_folder(work);
    sync_folder(fs::absolute(work).parent_path());
  }
  const JournalContent content = read_journal(file_, study);
  good_ = content.good;
  size_ = content.good + content.torn;
  handle_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (handle_ < 0)
    throw Error({file_.string()},
                std::string("cannot be opened for writing (") + std::strerror(errno) + "); check its permissions.");
}

Journal::~Journal() {
  if (handle_ >= 0) ::close(handle_);
}

void Journal::cut() {
  if (::ftruncate(handle_, good_) == 0) size_ = good_;
}

void Journal::append(std::string_view task, std::string_view payload) {
  const std::string bytes = encode_record(study_, task, payload);
  const std::lock_guard guard(writing_);
  if (failed_) throw Error({file_.string()}, "could not be written before; start again.");
  struct stat now {};
  if (::fstat(handle_, &now) != 0 || now.st_size != size_)
    throw Error({file_.string()},
                "was changed by another process; let one alone work in a `work` folder that locks do "
                "not protect.");
  if (size_ > good_) cut();
  if (size_ > good_)
    throw Error({file_.string()},
                std::string("its torn end cannot be cut off (") + std::strerror(errno) + "); check its permissions.");
  try {
    append_and_sync(handle_, bytes, file_.string());
  } catch (const Error&) {
    // Whatever was written is cut off again; if even that fails, the next reader finds a torn end.
    struct stat after {};
    failed_ = ::fstat(handle_, &after) != 0;
    size_ = after.st_size;
    cut();
    failed_ = failed_ || ::fdatasync(handle_) != 0;
    throw;
  }
  good_ += static_cast<Index>(bytes.size());
  size_ = good_;
}

}  // namespace sturm
