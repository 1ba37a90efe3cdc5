// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/glob.h"

#include <gtest/gtest.h>

#include <fstream>

#include "temporary.h"

namespace sturm {
namespace {

TEST(Pattern, StarsAndQuestionMarks) {
  for (const auto& [name, pattern] : std::vector<std::pair<const char*, const char*>>{{"", ""},
                                                                                      {"", "*"},
                                                                                      {"abc", "abc"},
                                                                                      {"abc", "a*"},
                                                                                      {"abc", "*c"},
                                                                                      {"abc", "a?c"},
                                                                                      {"aXbXc", "a*b*c"},
                                                                                      {"aab", "*ab"},
                                                                                      {"abab", "*ab"},
                                                                                      {"[x]", "[x]"}})
    EXPECT_TRUE(fits_pattern(name, pattern)) << name << " " << pattern;
  for (const auto& [name, pattern] : std::vector<std::pair<const char*, const char*>>{
           {"", "?"}, {"abc", "ab"}, {"abc", "?abc"}, {"abc", "a*d"}, {"ab", "a?b"}, {"abc", "b*"}})
    EXPECT_FALSE(fits_pattern(name, pattern)) << name << " " << pattern;
  // As many stars as one likes take no longer than names are long: nothing is tried again and again.
  EXPECT_FALSE(fits_pattern(std::string(2000, 'a'), "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b"));
}

TEST(Pattern, FindsFilesFolderByFolder) {
  const test::TemporaryFolder folder;
  for (const char* name : {"a/x.nii", "a/y.nii", "b/x.nii", "b/.x.nii", "c"}) {
    std::filesystem::create_directories((folder / name).parent_path());
    std::ofstream(folder / name) << "x";
  }
  const auto found = [&](const char* pattern) {
    std::vector<std::string> out;
    for (const auto& file : files_that_fit(folder / pattern))
      out.push_back(file.lexically_relative(folder / "").string());
    return out;
  };
  EXPECT_EQ(found("*/x.nii"), (std::vector<std::string>{"a/x.nii", "b/x.nii"}));
  EXPECT_EQ(found("?/*.nii"), (std::vector<std::string>{"a/x.nii", "a/y.nii", "b/x.nii"}));
  EXPECT_EQ(found("b/.*"), (std::vector<std::string>{"b/.x.nii"}));
  EXPECT_TRUE(found("c/*").empty()) << "a file is no folder";
  EXPECT_TRUE(found("none/*").empty());
}

}  // namespace
}  // namespace sturm
