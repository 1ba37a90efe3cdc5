// SPDX-License-Identifier: BSD-3-Clause
// What is in memory as a whole, by zlib alone: the same as gzip_libdeflate.cpp, in more time.
#include <zlib.h>

#include <algorithm>
#include <memory>
#include <new>

#include "sturm/imaging/gzip.h"

namespace sturm {
namespace {

constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits
constexpr int gzip_window = 15 + 16;                        // the largest window, and gzip's header and checksum

/// Gives zlib the next part of its input and of the room for its output.
void next_parts(z_stream& z, std::span<const std::byte>& in, std::span<std::byte>& out) {
  if (z.avail_in == 0) {
    const auto part = in.first(std::min(in.size(), most_at_once));
    // zlib's interface is older than const; it does not write there.
    z.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(part.data()));
    z.avail_in = static_cast<uInt>(part.size());
    in = in.subspan(part.size());
  }
  if (z.avail_out == 0 && !out.empty()) {
    const auto part = out.first(std::min(out.size(), most_at_once));
    z.next_out = reinterpret_cast<Bytef*>(part.data());
    z.avail_out = static_cast<uInt>(part.size());
    out = out.subspan(part.size());
  }
}

}  // namespace

bool inflate_bytes(std::string_view gzip, std::span<std::byte> out) {
  std::span<const std::byte> in = std::as_bytes(std::span(gzip));
  if (in.empty()) return out.empty();
  z_stream z{};
  if (::inflateInit2(&z, gzip_window) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::inflateEnd)> ending(&z, &::inflateEnd);
  std::byte none{};  // zlib wants an address even where there is no room left
  z.next_out = reinterpret_cast<Bytef*>(&none);
  for (;;) {
    next_parts(z, in, out);
    const int code = ::inflate(&z, Z_NO_FLUSH);
    if (code == Z_MEM_ERROR) throw std::bad_alloc();
    if (code == Z_STREAM_END) {  // of one member; another one may follow
      if (z.avail_in == 0 && in.empty()) return z.avail_out == 0 && out.empty();
      ::inflateReset(&z);
    } else if (code != Z_OK) {  // damage, an early end, or more than there is room for
      return false;
    }
  }
}

std::string gzip_compress(std::string_view bytes) {
  constexpr int level = 6, memory = 8;
  z_stream z{};
  if (::deflateInit2(&z, level, Z_DEFLATED, gzip_window, memory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  const std::unique_ptr<z_stream, decltype(&::deflateEnd)> ending(&z, &::deflateEnd);
  std::string made(::deflateBound(&z, static_cast<uLong>(bytes.size())), '\0');
  std::span<const std::byte> in = std::as_bytes(std::span(bytes));
  std::span<std::byte> out = std::as_writable_bytes(std::span(made));
  int code = Z_OK;
  while (code == Z_OK) {
    next_parts(z, in, out);
    code = ::deflate(&z, in.empty() ? Z_FINISH : Z_NO_FLUSH);
  }
  if (code != Z_STREAM_END) throw std::bad_alloc();
  made.resize(z.total_out);
  return made;
}

}  // namespace sturm
