// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/study_settings.h"

#include <gtest/gtest.h>

#include <map>

namespace sturm {
namespace {

TEST(StudySettings, InWordsByOptionName) {
  StudySettings settings;
  settings.options.choice.one_standard_error = true;
  settings.options.alpha = 0.5;
  settings.seed = 12;
  settings.volumes = "ab";
  const Named<std::string> words = in_words(settings);
  const std::map<std::string, std::string> by_name(words.begin(), words.end());
  EXPECT_EQ(by_name.size(), words.size()) << "each once";
  EXPECT_EQ(by_name.at("one-standard-error"), "yes");
  EXPECT_EQ(by_name.at("alpha"), "0.5");
  EXPECT_EQ(by_name.at("solver"), "certified");
  EXPECT_EQ(by_name.at("seed"), "12");
  EXPECT_EQ(by_name.at("precision"), "f32");
  EXPECT_EQ(by_name.at("the volumes"), "ab");
}

}  // namespace
}  // namespace sturm
