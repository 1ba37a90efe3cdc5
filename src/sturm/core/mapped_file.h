// SPDX-License-Identifier: BSD-3-Clause
// A file seen as memory: pages are read when they are touched and can be given up again.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sturm/core/shape.h"

namespace sturm {

/// The whole file, for reading. It must not be cut short while it is mapped: the system ends a program that reads
/// pages which are gone.
class MappedFile {
 public:
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  const std::byte* data() const { return data_; }
  Index size() const { return size_; }

  /// Takes the whole pages of [begin, end) out of this process's memory again; reading them later is allowed.
  void release(Index begin, Index end) const;

 private:
  std::byte* data_ = nullptr;
  Index size_ = 0;
};

}  // namespace sturm
