// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>
#include <utility>

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

std::string reason_of(const std::error_code& code) {
  if (code == std::errc::no_such_file_or_directory) return "it does not exist";
  if (code == std::errc::not_a_directory) return "a part of the path is a file, not a folder";
  if (code == std::errc::permission_denied) return "permission denied";
  if (code == std::errc::filename_too_long) return "the name is too long";
  if (code == std::errc::too_many_symbolic_link_levels) return "links lead round in a circle";
  if (code == std::errc::read_only_file_system) return "the file system is read-only";
  if (code == std::errc::no_space_on_device) return "no space is left there";
  return code.message();
}

void require_regular_file(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::regular) return;
  const auto refuse = [&file](const std::string& what) {
    throw Error({file.string()}, "cannot be opened: " + what + ".");
  };
  switch (status.type()) {
    case fs::file_type::directory: refuse("it is a folder; name a file"); break;
    case fs::file_type::fifo: refuse("it is a pipe; write what comes out of it to a file, and name that"); break;
    case fs::file_type::socket: refuse("it is a socket; name a file"); break;
    case fs::file_type::block:
    case fs::file_type::character: refuse("it is a device; name a file"); break;
    default:
      refuse(reason_of(failure ? failure : std::make_error_code(std::errc::no_such_file_or_directory)) +
             "; check the path and its permissions");
  }
}

std::string read_file(const std::filesystem::path& file) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  std::ostringstream bytes;
  if (in && in.peek() != std::ifstream::traits_type::eof()) bytes << in.rdbuf();
  if (!in.is_open() || in.bad() || bytes.bad())
    throw Error({file.string()}, "cannot be opened: check the path and its permissions.");
  return std::move(bytes).str();
}

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
