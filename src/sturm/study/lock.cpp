// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <utility>

#include "sturm/core/error.h"
#include "sturm/core/host.h"

namespace sturm {
namespace {

/// "process 4711 on host node12 since 2026-01-31 12:00:00 UTC"
std::string holder() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> since{};
  std::strftime(since.data(), since.size(), "%Y-%m-%d %H:%M:%S UTC", &utc);
  return "process " + std::to_string(::getpid()) + " on host " + host_name() + " since " + since.data();
}

std::string held_by(int handle) {
  std::array<char, 512> text{};
  const ssize_t bytes = ::pread(handle, text.data(), text.size() - 1, 0);
  const std::string line(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  return line.empty() ? "another process" : line.substr(0, line.find('\n'));
}

/// Locks of an open file description, not of a process: those of POSIX proper are lost as soon as any part of the
/// process closes the file.
bool lock(int handle, int command) {
  struct flock whole {};
  whole.l_type = F_WRLCK;
  whole.l_whence = SEEK_SET;
  int result = 0;
  do result = ::fcntl(handle, command, &whole);
  while (result != 0 && errno == EINTR);
  return result == 0;
}

}  // namespace

Lock::Lock(const std::filesystem::path& file, const std::string& what,
           const std::function<void(const std::string& holder)>& waits)
    : handle_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (handle_ < 0)
    throw Error({file.string()},
                std::string("cannot be opened for writing (") + std::strerror(errno) + "); check the folder.");
  bool locked = lock(handle_, F_OFD_SETLK);
  const auto busy = [] { return errno == EAGAIN || errno == EACCES; };
  if (!locked && busy() && waits) {
    waits(held_by(handle_));
    locked = lock(handle_, F_OFD_SETLKW);
  }
  if (!locked) {
    const int reason = errno;
    const std::string by = held_by(handle_);
    ::close(handle_);
    errno = reason;
    if (busy())
      throw Error(what + " is being worked on by " + by + "; wait for it, stop it, or choose another `work`.");
    throw Error({file.string()}, std::string("cannot be locked (") + std::strerror(reason) +
                                     "); choose a `work` on a file system with locks.");
  }
  const std::string line = holder() + "\n";
  // A line for people: the lock holds without it.
  if (::ftruncate(handle_, 0) == 0 && ::pwrite(handle_, line.data(), line.size(), 0) < 0) errno = 0;
}

Lock::~Lock() {
  if (handle_ >= 0) ::close(handle_);
}

Lock::Lock(Lock&& other) noexcept : handle_(std::exchange(other.handle_, -1)) {}

}  // namespace sturm
