// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/suggest.h"

#include <gtest/gtest.h>

namespace sturm {
namespace {

TEST(Suggest, CountsLetters) {
  EXPECT_EQ(letters_apart("fit", "fit"), 0U);
  EXPECT_EQ(letters_apart("", "fit"), 3U);
  EXPECT_EQ(letters_apart("ftt", "fit"), 1U);
  EXPECT_EQ(letters_apart("fti", "fit"), 1U) << "two that changed places";
  EXPECT_EQ(letters_apart("Fit", "fit"), 0U);
  EXPECT_EQ(letters_apart("kitten", "sitting"), 3U);
  EXPECT_EQ(letters_apart("predict", "report"), letters_apart("report", "predict"));
}

TEST(Suggest, FindsWhatIsMeantOrNothing) {
  const std::vector<std::string> commands = {"check", "cv", "fit", "predict", "report", "phantom", "info"};
  EXPECT_EQ(nearest_word("perdict", commands), "predict");
  EXPECT_EQ(nearest_word("fti", commands), "fit");
  EXPECT_EQ(nearest_word("FIT", commands), "fit");
  EXPECT_EQ(nearest_word("phan", commands), "phantom") << "the beginning of one alone";
  for (const char* word : {"", "x", "train", "crossvalidate", "qqqqqq"})
    EXPECT_EQ(nearest_word(word, commands), "") << word;
  EXPECT_EQ(nearest_word("--permutation", {"--precision", "--permutations"}), "--permutations");
  EXPECT_EQ(did_you_mean("fti", commands), " (did you mean fit?)");
  EXPECT_EQ(did_you_mean("train", commands), "");
  EXPECT_EQ(nearest_word(std::string(100000, 'f'), commands), "") << "no time is spent on what is no word";
}

}  // namespace
}  // namespace sturm
