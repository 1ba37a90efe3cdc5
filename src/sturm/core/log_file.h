// SPDX-License-Identifier: BSD-3-Clause
// A file to which lines of JSON are appended while work goes on. A log is never worth the work: where it cannot be
// written any more, the work goes on without it.
#pragma once

#include <string>
#include <string_view>

namespace sturm {

class LogFile {
 public:
  /// Opens the file, new or to go on with. Throws where it cannot be written, and where there is something in it that
  /// is no log of this program: nothing of another's is ever appended to. `option` names it in errors.
  LogFile(std::string name, std::string_view option);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  /// Appends a line. False once it has failed, and from then on.
  bool append(std::string_view line);
  const std::string& name() const { return name_; }
  int handle() const { return handle_; }

 private:
  std::string name_;
  int handle_ = -1;
  bool failed_ = false;
};

/// The time as UTC to the millisecond, "2026-01-31T12:00:00.000Z", into 24 characters and a zero. Made of nothing but a
/// system call and arithmetic, so that a signal's handler may call it.
void utc_time(char (&text)[25]);

}  // namespace sturm
