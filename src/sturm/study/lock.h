// SPDX-License-Identifier: BSD-3-Clause
// One process at a time.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace sturm {

/// Holds a file locked as long as it lives, and no longer than the process: the kernel lets go of it however the
/// process ends, and on NFS the server does. The file stays, and says who held it last.
class Lock {
 public:
  /// Throws where another process has it, saying which (host, process, since when), or where the file system knows no
  /// locks. `what` is what is locked, for the error: "the study in work/".
  Lock(const std::filesystem::path& file, const std::string& what) : Lock(file, what, {}) {}
  /// Where another process has it, `waits` is called with who that is, once, and the lock is waited for.
  Lock(const std::filesystem::path& file, const std::string& what,
       const std::function<void(const std::string& holder)>& waits);
  ~Lock();
  Lock(Lock&& other) noexcept;
  Lock& operator=(Lock&&) = delete;
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int handle_ = -1;
};

}  // namespace sturm
