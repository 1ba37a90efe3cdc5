// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace sturm {
namespace {

std::string nested(int depth, const std::string& inside) {
  return std::string(depth, '[') + inside + std::string(depth, ']');
}

TEST(JsonText, KeepsWhatIsShallow) {
  EXPECT_EQ(parse_json(R"({"a": [1, {"b": "]]"}]})")["a"][1]["b"], "]]");
  EXPECT_EQ(parse_json(nested(64, "1")).dump(), nested(64, "1"));
  EXPECT_TRUE(parse_json("[1").is_discarded());
  EXPECT_TRUE(parse_json("").is_discarded());
}

TEST(JsonText, BracketsInATextAreNoLists) {
  const std::string text = '"' + std::string(1000, '[') + "\\\"" + std::string(1000, '{') + "\\\\\"";
  EXPECT_TRUE(is_shallow_json(text));
  EXPECT_TRUE(parse_json(text).is_string());
  EXPECT_FALSE(is_shallow_json(text + nested(65, "")));
}

// A million lists inside each other would exhaust the stack of whoever copies or writes the value.
TEST(JsonText, LeavesOutWhatIsDeep) {
  for (const int depth : {65, 1000, 1000000}) EXPECT_TRUE(parse_json(nested(depth, "")).is_discarded()) << depth;
  EXPECT_TRUE(parse_json(std::string(1000000, '{')).is_discarded());
  EXPECT_TRUE(parse_json<nlohmann::ordered_json>(R"({"a":)" + nested(64, "") + "}").is_discarded());
}

}  // namespace
}  // namespace sturm
