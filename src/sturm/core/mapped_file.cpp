// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "sturm/core/error.h"
#include "sturm/core/files.h"

namespace sturm {

MappedFile::MappedFile(const std::filesystem::path& file) {
  const auto fail = [&file] {
    throw Error({file.string()},
                std::string("cannot be read (") + std::strerror(errno) + "); check the path and its permissions.");
  };
  require_regular_file(file);
  const int handle = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (handle < 0) fail();
  struct stat facts {};
  void* mapped = MAP_FAILED;
  if (::fstat(handle, &facts) == 0 && facts.st_size > 0)
    mapped = ::mmap(nullptr, static_cast<std::size_t>(facts.st_size), PROT_READ, MAP_PRIVATE, handle, 0);
  ::close(handle);
  if (mapped == MAP_FAILED) fail();
  data_ = static_cast<std::byte*>(mapped);
  size_ = facts.st_size;
}

MappedFile::~MappedFile() { ::munmap(data_, static_cast<std::size_t>(size_)); }

void MappedFile::release(Index begin, Index end) const {
  const Index page = ::sysconf(_SC_PAGESIZE);
  begin = (begin + page - 1) / page * page;
  end = end / page * page;
  if (begin < end) ::madvise(data_ + begin, static_cast<std::size_t>(end - begin), MADV_DONTNEED);
}

}  // namespace sturm
