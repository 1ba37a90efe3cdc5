// SPDX-License-Identifier: BSD-3-Clause
// What is in memory as a whole, by libdeflate. gzip_zlib.cpp stands in where libdeflate is not there.
#include <libdeflate.h>

#include <memory>
#include <new>

#include "sturm/imaging/gzip.h"

namespace sturm {

bool inflate_bytes(std::string_view gzip, std::span<std::byte> out) {
  std::span<const std::byte> in = std::as_bytes(std::span(gzip));
  const std::unique_ptr<libdeflate_decompressor, decltype(&libdeflate_free_decompressor)> inflater(
      ::libdeflate_alloc_decompressor(), &libdeflate_free_decompressor);
  if (!inflater) throw std::bad_alloc();
  while (!in.empty()) {
    std::size_t used = 0, made = 0;
    const auto code =
        ::libdeflate_gzip_decompress_ex(inflater.get(), in.data(), in.size(), out.data(), out.size(), &used, &made);
    if (code != LIBDEFLATE_SUCCESS) return false;
    in = in.subspan(used);
    out = out.subspan(made);
  }
  return out.empty();
}

std::string gzip_compress(std::string_view bytes) {
  constexpr int level = 6;
  const std::unique_ptr<libdeflate_compressor, decltype(&libdeflate_free_compressor)> deflater(
      ::libdeflate_alloc_compressor(level), &libdeflate_free_compressor);
  if (!deflater) throw std::bad_alloc();
  std::string out(::libdeflate_gzip_compress_bound(deflater.get(), bytes.size()), '\0');
  out.resize(::libdeflate_gzip_compress(deflater.get(), bytes.data(), bytes.size(), out.data(), out.size()));
  return out;
}

}  // namespace sturm
