// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/bibtex.h"

#include <gtest/gtest.h>

#include "sturm/models/registry.h"

namespace sturm {
namespace {

TEST(Bibtex, AnArticleHasItsJournalVolumeAndPages) {
  const std::string text = bibtex_of({"McNemar (1947), Note on this, that & more, Psychometrika 12:153-157"}, "1.2");
  EXPECT_NE(text.find("@misc{sturm,"), std::string::npos);
  EXPECT_NE(text.find("version 1.2"), std::string::npos);
  EXPECT_NE(text.find("@article{mcnemar1947,\n  author = {McNemar},\n  title = {{Note on this, that \\& more}},\n"
                      "  year = {1947},\n  journal = {Psychometrika},\n  volume = {12},\n  pages = {153--157}\n}"),
            std::string::npos)
      << text;
}

TEST(Bibtex, AuthorsAreJoinedAndKeysDiffer) {
  const std::string text = bibtex_of({"Li, Lou and Lu (2018), One thing, arXiv:1812.01496",
                                      "Li (2018), Another, AAAI; Li (2018), A third, Machine Learning 1:2"},
                                     "1");
  EXPECT_NE(text.find("@misc{li2018,\n  author = {Li and Lou and Lu}"), std::string::npos) << text;
  EXPECT_NE(text.find("eprint = {1812.01496}"), std::string::npos);
  EXPECT_NE(text.find("@inproceedings{li2018b,"), std::string::npos);
  EXPECT_NE(text.find("@article{li2018c,"), std::string::npos);
}

// A hostile text may not end a field or an entry.
TEST(Bibtex, BracesStayInPairs) {
  const std::string text = bibtex_of({"A}} (2000), b{{c\\input, Journal 1:2"}, "}");
  int depth = 0;
  for (const char c : text) {
    depth += c == '{' ? 1 : c == '}' ? -1 : 0;
    ASSERT_GE(depth, 0);
  }
  EXPECT_EQ(depth, 0);
  EXPECT_EQ(text.find("\\input"), std::string::npos);
}

// Every method can be cited: no reference is lost on the way.
TEST(Bibtex, EveryReferenceOfAMethodIsUnderstood) {
  for (const auto& method : methods<double>()) {
    if (method->is_baseline()) continue;
    const std::string text = bibtex_of({method->reference()}, "1");
    std::size_t entries = 0, parts = 1;
    for (std::size_t at = text.find("\n@"); at != std::string::npos; at = text.find("\n@", at + 1)) ++entries;
    for (const char c : method->reference()) parts += c == ';' ? 1 : 0;
    EXPECT_EQ(entries, parts) << method->reference();
  }
}

}  // namespace
}  // namespace sturm
