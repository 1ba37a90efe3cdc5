// SPDX-License-Identifier: BSD-3-Clause
// What is already done: a file of finished tasks in a work folder, one a part of the study, to which records are only
// ever appended. A run that is killed, or whose machine is, loses the task it was at and no other.
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/study/lock.h"
#include "sturm/study/record.h"

namespace sturm {

/// All records of all parts of a study.
struct StudyRecords {
  std::vector<Record> records;     ///< each task once, in the order of the files' names and then of writing
  std::vector<std::string> notes;  ///< a sentence for each file whose last record was cut short, for the user
};

/// Reads every journal of a work folder without changing one: other processes may be writing. Records of one task are
/// taken once where their bytes are equal. Throws where they differ, where a file is damaged, foreign or of another
/// version, and, naming what differs, where it is of another study. A folder that is not there holds nothing.
/// Journals of another study that hold nothing yet, and that nobody writes to, are passed over. Whatever a journal says
/// of the keys `any` is taken to be right.
StudyRecords read_journals(const std::filesystem::path& work, const StudyIdentity& study,
                           const std::vector<std::string>& any = {});

/// Removes the journals of a work folder, of whatever study, to begin anew. Throws, and removes none, where a process
/// is writing to one or where a file is none of ours.
void remove_journals(const std::filesystem::path& work);

/// The journal of one part of a study, open for appending and locked against other processes.
class Journal {
 public:
  /// Makes the folder and the file where they are not there; otherwise reads the file, with the errors of
  /// read_journals(), which is called first since it looks at the other parts too. `part` names the file,
  /// journal-<part>.bin: letters, digits and dashes.
  Journal(const std::filesystem::path& work, const std::string& part, const StudyIdentity& study);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::filesystem::path& file() const { return file_; }

  /// Returns when the record is on disk. Where it cannot be written, throws and leaves the journal as it was; the next
  /// call may succeed, when there is space again. Safe to call from many threads.
  void append(std::string_view task, std::string_view payload);

 private:
  void cut();

  std::filesystem::path file_;
  Lock lock_;
  std::string study_;
  std::mutex writing_;
  int handle_ = -1;
  Index good_ = 0;       ///< bytes up to the end of the last whole record
  Index size_ = 0;       ///< bytes of the file as we left it: more than good_ where its tail is torn
  bool failed_ = false;  ///< a sync failed: what is on disk is known only by reading it again
};

/// Writes all of `bytes` with one call unless the system takes fewer at a time, goes on after interruptions, and syncs.
/// `name` is the file, for errors. Throws where the device is full or fails.
void append_and_sync(int handle, std::string_view bytes, const std::string& name);

}  // namespace sturm
