// SPDX-License-Identifier: BSD-3-Clause
// Files that may be gzip, told by their content and not by their name: as a stream, as a whole, and written.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sturm/core/shape.h"

namespace sturm {

/// The most bytes that a gzip file of `compressed` bytes can hold: DEFLATE says 258 bytes in 2 bits at best.
Index most_inflated(Index compressed);

/// A regular file, open for reading. Pipes and devices are refused before they can block.
class ReadableFile {
 public:
  explicit ReadableFile(const std::filesystem::path& file);
  ~ReadableFile();
  ReadableFile(const ReadableFile&) = delete;
  ReadableFile& operator=(const ReadableFile&) = delete;

  const std::string& name() const { return name_; }
  Index bytes() const { return bytes_; }
  /// Reads on until `to` is full or the file ends.
  Index read(std::span<std::byte> to);
  /// Goes on by `count` bytes, or to the end; by how many it went.
  Index skip(Index count);
  void rewind();

 private:
  std::string name_;
  int handle_ = -1;
  Index bytes_ = 0;
};

/// The bytes of a file from its beginning, inflated where it is gzip. Errors name the file. Members that follow each
/// other are one stream, as for gzip itself; zeros after the last (tapes, block devices) are passed over, and anything
/// else there is an error. Each member's checksum and length are verified when its end is reached.
class ByteStream {
 public:
  explicit ByteStream(const std::filesystem::path& file);
  ~ByteStream();
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  bool gzip() const { return gzip_; }
  Index file_bytes() const { return file_.bytes(); }  ///< as they lie on the disk
  /// The most bytes that can come out of it.
  Index most_bytes() const { return gzip_ ? most_inflated(file_.bytes()) : file_.bytes(); }
  /// Whether the end was reached and zeros stand behind the last member.
  bool padded() const { return padded_; }

  /// Fills `to` as far as there are bytes; fewer come back at the end alone.
  Index read(std::span<std::byte> to);
  /// Passes over `count` bytes; fewer at the end alone.
  Index skip(Index count);

 private:
  struct Inflater;
  Index inflate_some(std::span<std::byte> to);
  void refill();
  bool next_member();

  ReadableFile file_;
  bool gzip_ = false, padded_ = false, ended_ = false;
  std::unique_ptr<Inflater> inflater_;
};

/// Inflates a whole gzip file of sound members without anything behind them that gives exactly `out.size()` bytes,
/// two to six times as fast as ByteStream. False in every other case: ByteStream then tells what the matter is.
bool inflate_whole(const std::filesystem::path& file, std::span<std::byte> out);

/// The same for what is in memory.
bool inflate_bytes(std::string_view gzip, std::span<std::byte> out);

/// One gzip member without a name or a time: the same bytes give the same file.
std::string gzip_compress(std::string_view bytes);

}  // namespace sturm
