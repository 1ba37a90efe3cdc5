// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <nlohmann/json.hpp>

#include "sturm/core/error.h"
#include "sturm/core/sentence.h"

namespace sturm {
namespace {

/// Whether the first line of a file is one of ours, as far as its beginning tells.
bool begins_as_a_log(int handle) {
  std::array<char, 1 << 16> start{};
  const ssize_t count = ::pread(handle, start.data(), start.size(), 0);
  if (count < 0) return false;
  const std::string_view text(start.data(), static_cast<std::size_t>(count));
  const auto line = nlohmann::json::parse(text.substr(0, text.find('\n')), nullptr, false);
  return line.is_object() && line.contains("event");
}

}  // namespace

LogFile::LogFile(std::string name, std::string_view option) : name_(std::move(name)) {
  const auto fail = [&](const std::string& why) { throw Error({name_}, why); };
  // Without O_NONBLOCK a pipe that nobody reads would be waited for without end.
  handle_ = ::open(name_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644);
  if (handle_ < 0) handle_ = ::open(name_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (handle_ < 0)
    fail(std::string("cannot be written (") + std::strerror(errno) + "); check the path given to " +
         option_name(option) + ".");
  struct stat facts {};
  const bool known = ::fstat(handle_, &facts) == 0;
  if (known && S_ISFIFO(facts.st_mode)) {
    ::close(handle_);
    fail("is a pipe, and a log is a file; give " + option_name(option) + " the name of a new file.");
  }
  if (known && S_ISREG(facts.st_mode) && facts.st_size > 0 && !begins_as_a_log(handle_)) {
    ::close(handle_);
    fail("is there already and is no log of sturm, so nothing is appended to it; give " + option_name(option) +
         " the name of a new file.");
  }
}

LogFile::~LogFile() { ::close(handle_); }

bool LogFile::append(std::string_view line) {
  while (!failed_ && !line.empty()) {
    const ssize_t written = ::write(handle_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    failed_ = written <= 0;
    if (!failed_) line.remove_prefix(static_cast<std::size_t>(written));
  }
  return !failed_;
}

void utc_time(char (&text)[25]) {
  std::timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::int64_t rest = now.tv_sec % 86400;
  std::int64_t day = now.tv_sec / 86400, year = 1970, month = 1;  // day of the year, then of the month, from 0
  const auto leap = [&year] { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); };
  const auto days_of_month = [&] {
    return month == 2 ? (leap() ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31;
  };
  for (; day >= (leap() ? 366 : 365); ++year) day -= leap() ? 366 : 365;
  for (; day >= days_of_month(); ++month) day -= days_of_month();
  const auto put = [&text](int at, int digits, std::int64_t value) {
    for (int n = digits - 1; n >= 0; --n, value /= 10) text[at + n] = static_cast<char>('0' + value % 10);
  };
  std::memcpy(text, "0000-00-00T00:00:00.000Z", 25);
  put(0, 4, year);
  put(5, 2, month);
  put(8, 2, day + 1);
  put(11, 2, rest / 3600);
  put(14, 2, rest / 60 % 60);
  put(17, 2, rest % 60);
  put(20, 3, now.tv_nsec / 1000000);
}

}  // namespace sturm
