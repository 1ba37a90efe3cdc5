// SPDX-License-Identifier: BSD-3-Clause
// A file that never touches a disk, for readers that want a path.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace sturm::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) : handle_(::memfd_create("fuzz", MFD_CLOEXEC)) {
    if (handle_ < 0 || ::write(handle_, bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  ~MemoryFile() { ::close(handle_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::filesystem::path path() const { return "/proc/self/fd/" + std::to_string(handle_); }

 private:
  int handle_;
};

/// Ends the program where a property does not hold: the fuzzer keeps the input.
inline void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace sturm::fuzz
