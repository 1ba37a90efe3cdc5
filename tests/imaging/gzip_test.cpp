// SPDX-License-Identifier: BSD-3-Clause
// gzip in memory as a whole: the same answers whether libdeflate or zlib gives them (CMake builds one of the two).
#include "sturm/imaging/gzip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <random>
#include <vector>

namespace sturm {
namespace {

/// Bytes of which one half is noise and the other repeats itself.
std::string some_bytes(std::size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::string bytes(count, 'a');
  for (std::size_t i = 0; i < count / 2; ++i) bytes[i] = static_cast<char>(random());
  return bytes;
}

/// What comes out where there is room for `room` bytes; "refused" where it is refused.
std::string inflated(std::string_view gzip, std::size_t room) {
  std::vector<std::byte> out(room);
  if (!inflate_bytes(gzip, out)) return "refused";
  return {reinterpret_cast<const char*>(out.data()), out.size()};
}

TEST(Gzip, WhatWasCompressedComesBack) {
  for (const std::size_t count : {0, 1, 2, 255, 65536, 3000000}) {
    const std::string bytes = some_bytes(count);
    EXPECT_EQ(inflated(gzip_compress(bytes), count), bytes) << count;
  }
}

TEST(Gzip, HasNeitherNameNorTime) {
  const std::string made = gzip_compress("the same bytes");
  EXPECT_EQ(made.substr(0, 8), std::string("\x1f\x8b\x08\0\0\0\0\0", 8));
  EXPECT_EQ(made, gzip_compress("the same bytes"));
}

TEST(Gzip, MembersAreOneStream) {
  const std::string a = some_bytes(1000), b = some_bytes(70000);
  EXPECT_EQ(inflated(gzip_compress(a) + gzip_compress("") + gzip_compress(b), 71000), a + b);
  EXPECT_EQ(inflated("", 0), "");
}

TEST(Gzip, OnlySoundDataOfThatLengthAreTaken) {
  const std::string bytes = some_bytes(5000), good = gzip_compress(bytes);
  ASSERT_EQ(inflated(good, 5000), bytes);
  EXPECT_EQ(inflated(good, 4999), "refused");
  EXPECT_EQ(inflated(good, 5001), "refused");
  EXPECT_EQ(inflated(good, 0), "refused");
  EXPECT_EQ(inflated("", 1), "refused");
  EXPECT_EQ(inflated(good + "more", 5000), "refused");
  EXPECT_EQ(inflated(good + std::string(8, '\0'), 5000), "refused");
  for (std::size_t length = 1; length < good.size(); length += 97)
    EXPECT_EQ(inflated(good.substr(0, length), 5000), "refused");
  for (const std::size_t from_end : {1, 4, 5, 8}) {  // length and checksum
    std::string damaged = good;
    damaged[good.size() - from_end] ^= 1;
    EXPECT_EQ(inflated(damaged, 5000), "refused") << from_end;
  }
}

TEST(Gzip, ZlibReadsIt) {
  const std::string bytes = some_bytes(100000), made = gzip_compress(bytes);
  std::string out(bytes.size(), '\0');
  z_stream z{};
  ASSERT_EQ(::inflateInit2(&z, 15 + 16), Z_OK);
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(made.data()));
  z.avail_in = static_cast<uInt>(made.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(::inflate(&z, Z_FINISH), Z_STREAM_END);
  ::inflateEnd(&z);
  EXPECT_EQ(out, bytes);
}

}  // namespace
}  // namespace sturm
