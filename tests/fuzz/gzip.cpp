// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/gzip.h"

#include <cstring>
#include <optional>
#include <vector>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "targets.h"

namespace sturm::fuzz {
namespace {

/// All bytes of a stream, in pieces of uneven length; none where it is refused.
std::optional<std::vector<std::byte>> streamed(const MemoryFile& file, Index most) {
  try {
    ByteStream stream(file.path());
    std::vector<std::byte> out;
    for (std::size_t piece = 1; static_cast<Index>(out.size()) < most; piece = piece * 3 + 1) {
      const std::size_t before = out.size(), room = std::min<std::size_t>(piece, 65521);
      out.resize(before + room);
      const auto got = static_cast<std::size_t>(stream.read(std::span(out).subspan(before)));
      out.resize(before + got);
      if (got < room) return out;
    }
    return out;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace

void gzip(std::string_view bytes) {
  constexpr Index most = Index{1} << 22;
  const MemoryFile file(bytes);
  const auto all = streamed(file, most);
  if (all && static_cast<Index>(all->size()) < most) {
    // The fast way refuses, or gives the same.
    require(static_cast<Index>(all->size()) <= ByteStream(file.path()).most_bytes());
    std::vector<std::byte> whole(all->size());
    if (ByteStream(file.path()).gzip() && inflate_whole(file.path(), whole)) require(whole == *all);
  } else if (!all) {
    std::vector<std::byte> whole(1 << 16);
    inflate_whole(file.path(), whole);
  }

  const MemoryFile compressed(gzip_compress(bytes));
  const auto back = streamed(compressed, most);
  require(back.has_value() && back->size() == bytes.size() &&
          (bytes.empty() || std::memcmp(back->data(), bytes.data(), bytes.size()) == 0));
  std::vector<std::byte> whole(bytes.size());
  require(inflate_whole(compressed.path(), whole) && whole == *back);
}

}  // namespace sturm::fuzz
