// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/sentence.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

std::string as_flags(std::string_view sentence) {
  return with_options(sentence, [](std::string_view name, std::string_view value) {
    return "--" + std::string(name) + (value.empty() ? "" : " " + std::string(value));
  });
}
std::string as_keywords(std::string_view sentence) {
  return with_options(sentence, [](std::string_view name, std::string_view value) {
    return std::string(name) + "=" + (value.empty() ? "" : "'" + std::string(value) + "'");
  });
}

TEST(Sentence, EachFrontDoorWritesOptionsInItsOwnWay) {
  const std::string sentence =
      "repair it, take " + option_name("nan", "zero") + ", or raise " + option_name("memory") + ".";
  EXPECT_EQ(as_flags(sentence), "repair it, take --nan zero, or raise --memory.");
  EXPECT_EQ(as_keywords(sentence), "repair it, take nan='zero', or raise memory=.");
  EXPECT_EQ(as_flags(option_name("positive", "'two words'")), "--positive 'two words'");
}

TEST(Sentence, OtherBackticksStay) {
  for (const std::string text :
       {"", "no option", "one ` alone", "`", "``", "a `` b", "`/data/a.nii` and `1e5`", "` x`"})
    EXPECT_EQ(as_flags(text), text);
  EXPECT_EQ(as_flags("a`b of `mask`"), "a`b of --mask") << "a stray one does not hide what follows";
}

}  // namespace
}  // namespace sturm
