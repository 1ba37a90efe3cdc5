// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/problems.h"

#include <gtest/gtest.h>

#include "message.h"

namespace sturm {
namespace {

TEST(Problems, EqualOnesAreCounted) {
  std::vector<std::string> sentences;
  for (int i = 1; i <= 45; ++i) sentences.push_back("s" + std::to_string(i) + ".nii: is the same everywhere.");
  sentences.insert(sentences.begin() + 1, "x.nii: holds no number.");
  EXPECT_EQ(counted(sentences),
            (std::vector<std::string>{
                "45 files: is the same everywhere (s1.nii, s2.nii, s3.nii, s4.nii, s5.nii and 40 more).",
                "x.nii: holds no number."}));
}

TEST(Problems, NumbersAtTheBeginningBecomeARange) {
  EXPECT_EQ(counted({"a.nii: 17 voxels are NaN.", "b.nii: 3 voxels are NaN.", "c.nii: 4 voxels are NaN."}),
            (std::vector<std::string>{"3 files: 3 to 17 voxels are NaN (a.nii, b.nii, c.nii)."}));
  EXPECT_EQ(counted({"a.nii: 3 voxels are NaN.", "b.nii: 3 voxels are NaN."}),
            (std::vector<std::string>{"2 files: 3 voxels are NaN (a.nii, b.nii)."}));
}

TEST(Problems, WhatIsNamedInARowBelongsToThePlace) {
  EXPECT_EQ(counted({"t.tsv, line 2, column path: 'a.nii' does not exist.",
                     "t.tsv, line 9, column path: 'b.nii' does not exist."}),
            (std::vector<std::string>{
                "2 rows: does not exist (t.tsv, line 2, column path: 'a.nii', t.tsv, line 9, column path: 'b.nii')."}));
}

TEST(Problems, OtherSentencesStayAsTheyAre) {
  const std::vector<std::string> sentences = {"no place here.", "a: one.", "b: two.", "42", "", "x: "};
  EXPECT_EQ(counted(sentences), sentences);
  EXPECT_EQ(counted({"said twice.", "said twice."}), std::vector<std::string>{"said twice."});
}

TEST(Problems, AreThrownAllAtOnceLineByLine) {
  EXPECT_NO_THROW(require_none({}));
  EXPECT_EQ(test::message_of([] { require_none({"a: one."}); }), "a: one.");
  EXPECT_EQ(test::message_of([] { require_none({"a: one.", "b: two."}); }), "2 problems:\n  a: one.\n  b: two.");
  std::vector<std::string> many;
  for (int i = 0; i < 30; ++i) many.push_back("a: " + std::string(1, static_cast<char>('A' + i)) + " is wrong.");
  EXPECT_SAYS(require_none(many), "30 problems:", "\n  a: A is wrong.", "\n  and 10 more.");
}

}  // namespace
}  // namespace sturm
