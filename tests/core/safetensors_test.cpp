// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/safetensors.h"

#include <gtest/gtest.h>

#include <cstring>

#include "message.h"
#include "sturm/core/files.h"
#include "sturm/core/rng.h"
#include "temporary.h"

namespace sturm {
namespace {

class SafeTensorsFile : public testing::Test {
 protected:
  /// Reads a file made of a header and some bytes of data, its length stated honestly unless given.
  SafeTensors read(const std::string& header, std::size_t data, std::int64_t length = -1) {
    const std::uint64_t stated = length < 0 ? header.size() : static_cast<std::uint64_t>(length);
    std::string bytes(8, '\0');
    std::memcpy(bytes.data(), &stated, 8);
    write_file(file_, bytes + header + std::string(data, '\1'));
    return read_safetensors(file_);
  }
  test::TemporaryFolder folder_;
  std::filesystem::path file_ = folder_ / "m.safetensors";
};

TEST_F(SafeTensorsFile, RoundTrip) {
  const Tensor a = random_normal({3, 4, 5}, 1);
  SafeTensors content;
  content.arrays["coef"] = stored(a);
  content.arrays["bytes"] = {"U8", {3}, "abc"};  // of odd length: must not push the others off their alignment
  const double intercept = -2.5;
  content.arrays["intercept"] = stored(std::span(&intercept, 1));
  content.metadata = {{"labels", "[\"a\",\"\u00e9\\\"\"]"}, {"empty", ""}};
  write_safetensors(file_, content);
  const SafeTensors back = read_safetensors(file_);
  EXPECT_EQ(to_tensor(back.array("coef"), "coef"), a);
  EXPECT_EQ(to_tensor(back.array("intercept"), "b").data()[0], intercept);
  EXPECT_EQ(back.array("bytes").bytes, "abc");
  EXPECT_EQ(back.metadata, content.metadata);
  EXPECT_EQ(back.word("nothing", "else"), "else");
  EXPECT_SAYS(back.array("nothing"), "m.safetensors", "'nothing'");
}

TEST_F(SafeTensorsFile, TheLastIndexIsFastest) {
  Tensor a({2, 3, 4});
  a(0, 0, 1) = 7;
  double second = 0;
  std::memcpy(&second, stored(a).bytes.data() + 8, 8);
  EXPECT_EQ(second, 7);
}

TEST_F(SafeTensorsFile, BytesKeepTheirVoxels) {
  const Shape shape{2, 3, 2};
  const std::vector<std::uint8_t> mask = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};  // in the order of a Tensor
  const StoredArray array = stored(mask, shape);
  EXPECT_EQ(array.bytes[1], 6) << "(0, 0, 1)";
  EXPECT_EQ(to_bytes(array, shape, "mask"), mask);
  EXPECT_SAYS(to_bytes(array, (Shape{3, 2, 2}), "mask"), "mask", "3x2x2");
}

TEST_F(SafeTensorsFile, WidensFloats) {
  const SafeTensors found = read(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}})", 8);
  float expected = 0;
  std::memcpy(&expected, "\1\1\1\1", 4);
  EXPECT_EQ(to_tensor(found.array("a"), "a")(1, 0, 0), expected);
}

TEST_F(SafeTensorsFile, ReadsAFileWithoutArrays) { EXPECT_TRUE(read("{}", 0).arrays.empty()); }

TEST_F(SafeTensorsFile, RefusesWhatDoesNotAddUp) {
  const auto entry = [](const char* name, const char* type, const char* shape, const char* offsets) {
    return std::string("\"") + name + R"(":{"dtype":)" + type + R"(,"shape":)" + shape + R"(,"data_offsets":)" +
           offsets + "}";
  };
  const auto one = [&](const char* type, const char* shape, const char* offsets) {
    return "{" + entry("a", type, shape, offsets) + "}";
  };
  EXPECT_NO_THROW(read(one("\"F64\"", "[2]", "[0,16]"), 16));
  EXPECT_SAYS(read(one("\"I64\"", "[2]", "[0,16]"), 16), "type I64");
  EXPECT_SAYS(read(one("7", "[2]", "[0,16]"), 16), "type 7");
  EXPECT_SAYS(read(one("\"F64\"", "[3]", "[0,16]"), 16), "needs 24 bytes");
  EXPECT_SAYS(read(one("\"F64\"", "[2]", "[0,16]"), 8), "[0, 16) of 8");
  EXPECT_SAYS(read(one("\"F64\"", "[2]", "[16,0]"), 16), "claims");
  EXPECT_SAYS(read(one("\"F64\"", "[-2]", "[0,16]"), 16), "not a size");
  EXPECT_SAYS(read(one("\"F64\"", "[2.0]", "[0,16]"), 16), "not a size");
  EXPECT_SAYS(read(one("\"F64\"", "[18446744073709551615]", "[0,16]"), 16), "not a size");
  EXPECT_SAYS(read(one("\"F64\"", "[4611686018427387904,4]", "[0,16]"), 16), "does not fit");
  EXPECT_SAYS(read(one("\"F64\"", "2", "[0,16]"), 16), "shape");
  EXPECT_SAYS(read(one("\"F64\"", "[2]", "[0]"), 16), "data_offsets");
  EXPECT_SAYS(read(one("\"F64\"", "[2]", "[0,16]"), 17), "end before the file");
  EXPECT_SAYS(read(one("\"F64\"", "[1]", "[8,16]"), 16), "does not begin where");
  const std::string overlap =
      "{" + entry("a", "\"U8\"", "[8]", "[0,8]") + "," + entry("b", "\"U8\"", "[8]", "[4,12]") + "}";
  EXPECT_SAYS(read(overlap, 12), "does not begin where");
  EXPECT_SAYS(read(R"({"a":{"dtype":"F64"}})", 0), "no field shape");
  const std::string deep = std::string(400000, '[') + std::string(400000, ']');  // would exhaust the stack
  EXPECT_SAYS(read(one(deep.c_str(), "[2]", "[0,16]"), 16), "not a JSON object");
  EXPECT_SAYS(read(R"({"a":3})", 0), "no field dtype");
  EXPECT_SAYS(read(R"({"__metadata__":{"a":1}})", 0), "not a text");
  EXPECT_SAYS(read(R"({"__metadata__":[]})", 0), "not an object");
  EXPECT_SAYS(read("[1,2]", 0), "JSON object");
  EXPECT_SAYS(read("{broken", 0), "JSON object");
  EXPECT_SAYS(read(std::string(100000, '['), 0), "JSON object");
  EXPECT_SAYS(read("{}", 0, 3), "claims 3 bytes");
  EXPECT_SAYS(read("{}", 100, INT64_MAX), "claims 9223372036854775807 bytes");
  EXPECT_SAYS(read_safetensors(folder_ / "absent"), "cannot be opened");
  EXPECT_SAYS(read_safetensors(folder_.path()), "cannot be opened");
}

TEST_F(SafeTensorsFile, EveryPrefixIsRefused) {
  SafeTensors content;
  content.arrays["coef"] = stored(random_normal({2, 2, 2}, 1));
  write_safetensors(file_, content);
  std::string bytes(std::filesystem::file_size(file_), '\0');
  std::FILE* in = std::fopen(file_.c_str(), "rb");
  ASSERT_EQ(std::fread(bytes.data(), 1, bytes.size(), in), bytes.size());
  std::fclose(in);
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
    write_file(file_, bytes.substr(0, cut));
    EXPECT_THROW(read_safetensors(file_), Error) << cut;
  }
}

}  // namespace
}  // namespace sturm
