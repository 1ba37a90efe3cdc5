// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/given_words.h"

#include <gtest/gtest.h>

#include "message.h"
#include "text/a_program.h"

namespace sturm {
namespace {

GivenWords check(const std::vector<std::string>& words) { return check_words(test::a_program(), words); }
std::string complaint(const std::vector<std::string>& words) {
  return test::message_of([&] { check(words); });
}

TEST(GivenWords, RightOnesPass) {
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"fit"},
                                             {"fit", "--tau", "0.5", "-o", "out"},
                                             {"fit", "--tau=0.5", "-oout"},
                                             {"fit", "--tau", "-1"},
                                             {"fit", "-qv"},
                                             {"fit", "-q", "-v", "-q"},
                                             {"fit", "-qo", "out"},
                                             {"fit", "-o", "--", "--tau", "1"},
                                             {"report", "results"},
                                             {"report", "--", "-results"}})
    EXPECT_EQ(complaint(words), "no error") << words.back();
  EXPECT_EQ(check({"fit", "-q"}).command, "fit");
  EXPECT_FALSE(check({"fit", "-q"}).help);
}

TEST(GivenWords, HelpIsGivenWhateverElseIsWrong) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {}, {"--help"}, {"-h"}, {"fit", "--help"}, {"fit", "--tau", "x", "-h"}, {"report", "-h"}})
    EXPECT_TRUE(check(words).help);
  EXPECT_EQ(check({"fit", "-h"}).command, "fit");
  EXPECT_TRUE(check({"--version"}).version);
}

TEST(GivenWords, WrongOnesAreNamedWithTheWayOut) {
  EXPECT_SAYS(check({"fti"}), "prog has no command 'fti' (did you mean fit?)", "fit, report");
  EXPECT_SAYS(check({"nonsense"}), "no command 'nonsense'; there are");
  EXPECT_SAYS(check({""}), "no command ''");
  EXPECT_SAYS(check({"--tau", "1"}), "prog has no flag --tau", "come after it", "prog help");
  EXPECT_SAYS(check({"fit", "--tua", "1"}), "prog fit has no flag --tua (did you mean --tau?)", "prog help fit");
  EXPECT_SAYS(check({"fit", "-x"}), "no flag -x");
  EXPECT_SAYS(check({"fit", "-qx"}), "no flag -x");
  EXPECT_SAYS(check({"fit", "--tau"}), "--tau needs a value (NUMBER), and nothing follows");
  EXPECT_SAYS(check({"fit", "--tau", "--output", "out"}), "--tau needs a value", "--output follows");
  EXPECT_SAYS(check({"fit", "--tau", "1", "--tau=2"}), "--tau is given twice");
  EXPECT_SAYS(check({"fit", "-o", "a", "--output", "b"}), "--output is given twice");
  EXPECT_SAYS(check({"fit", "--quiet=5"}), "--quiet takes no value, and '5'");
  EXPECT_SAYS(check({"fit", "--tau=", "1"}), "--tau is empty");
  EXPECT_SAYS(check({"fit", "word"}), "'word'", "prog help fit");
  EXPECT_SAYS(check({"fit", "tau", "1"}), "'tau' (did you mean --tau?)");
  EXPECT_SAYS(check({"fit", "-1"}), "'-1'");
  EXPECT_SAYS(check({"report"}), "prog report needs DIR: of results");
  EXPECT_SAYS(check({"report", "a", "b"}), "'b'");
}

}  // namespace
}  // namespace sturm
