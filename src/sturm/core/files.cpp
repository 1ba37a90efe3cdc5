// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sturm/core/error.h"
#include "sturm/core/host.h"

namespace sturm {
namespace {

/// A file descriptor that closes itself and, unless kept, removes its file.
class Draft {
 public:
  explicit Draft(std::string name)
      : name_(std::move(name)), handle_(::open(name_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    if (handle_ >= 0) ::close(handle_);
    if (!kept_) ::unlink(name_.c_str());
  }
  int handle() const { return handle_; }
  bool close_and_rename(const char* target) {
    const int handle = handle_;
    handle_ = -1;
    kept_ = ::close(handle) == 0 && ::rename(name_.c_str(), target) == 0;
    return kept_;
  }

 private:
  std::string name_;
  int handle_;
  bool kept_ = false;
};

}  // namespace

void write_file(const std::filesystem::path& file, std::string_view bytes) {
  write_file(file, std::span<const std::string_view>(&bytes, 1));
}

void write_file(const std::filesystem::path& file, std::span<const std::string_view> parts) {
  const auto fail = [&file] {
    throw Error({file.string()},
                std::string("cannot be written (") + std::strerror(errno) + "); check the folder and free space.");
  };
  Draft draft(file.string() + ".part-" + host_name() + "-" + std::to_string(::getpid()));
  if (draft.handle() < 0) fail();
  for (std::string_view bytes : parts)
    while (!bytes.empty()) {
      const ssize_t written = ::write(draft.handle(), bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) fail();
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  if (::fsync(draft.handle()) != 0 || !draft.close_and_rename(file.c_str())) fail();
}

void sync_folder(const std::filesystem::path& folder) {
  const int handle = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (handle < 0) return;  // some file systems do not let folders be opened: nothing more can be done there
  ::fsync(handle);
  ::close(handle);
}

}  // namespace sturm
