// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/words.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace sturm {
namespace {

using nlohmann::ordered_json;

ordered_json method(const std::string& name, double mean, double p) {
  return {{"name", name},
          {"scores", {{"accuracy", {{"mean", mean}, {"sd", 0.1}, {"pooled", mean}}}}},
          {"interval", {mean - 0.1, mean + 0.1}},
          {"p", {{"permutation", p}, {"binomial", 0.2}}},
          {"null_scores", std::vector<double>(99, 0.5)},
          {"fits", {{"inner", 10}, {"unconverged", 0}, {"worst_gap", 0}}},
          {"chosen", ordered_json::array()}};
}

ordered_json study_of(const std::vector<ordered_json>& methods) {
  return {{"target", {{"column", "group"}, {"classes", {"b", "a"}}, {"positive", "a"}, {"negative", "b"}}},
          {"counts", {{"samples", 60}}},
          {"score", "accuracy"},
          {"chance", 0.5},
          {"majority", 0.55},
          {"permutations", 99},
          {"methods", methods}};
}

TEST(Words, TheVerdictNamesTheBestWithIntervalChanceAndP) {
  const std::string words =
      cv_verdict(study_of({method("svm", 0.7, 0.03), method("sturm", 0.8, 0.01), method("dummy", 0.9, 1)}));
  for (const char* part :
       {"sturm is right for 80.0 % of 60 samples", "70.0 to 90.0 %", "55.0 %", "p = 0.01 by 99 permutations"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
}

TEST(Words, WhatMayBeChanceIsSaidToBe) {
  EXPECT_TRUE(
      cv_verdict(study_of({method("svm", 0.6, 0.3), method("lasso", 0.5, 0.6)})).starts_with("No method is shown"));
  EXPECT_TRUE(cv_verdict(study_of({method("svm", 0.6, 0.3)})).starts_with("svm is not shown"));
  ordered_json few = study_of({method("svm", 0.9, 0.25)});
  few["methods"][0]["null_scores"] = {0.5, 0.5, 0.5};  // p could not have been smaller
  EXPECT_TRUE(cv_verdict(few).starts_with("svm is right"));
  EXPECT_EQ(cv_verdict(study_of({})).find("There is no score"), 0U);
}

TEST(Words, CramersVOfSites) {
  const auto site = [](int n, int positive) { return ordered_json{{"site", "s"}, {"n", n}, {"positive", positive}}; };
  EXPECT_NEAR(site_association({site(20, 10), site(30, 15)}), 0, 1e-12);
  EXPECT_NEAR(site_association({site(20, 20), site(20, 0)}), 1, 1e-12);
  // chi^2 of [[15, 5], [5, 15]] is 10, n is 40.
  EXPECT_NEAR(site_association({site(20, 15), site(20, 5)}), std::sqrt(10.0 / 40), 1e-12);
  EXPECT_TRUE(std::isnan(site_association({site(20, 15)})));
  EXPECT_TRUE(std::isnan(site_association(nullptr)));
}

TEST(Words, WarningsOfAConfoundedSiteImbalanceAndFits) {
  ordered_json study = study_of({method("svm", 0.8, 0.01)});
  study["majority"] = 0.8;
  study["methods"][0]["fits"]["unconverged"] = 3;
  study["methods"][0]["chosen"].push_back({{"status", "iteration_limit"}});
  ResultFolder folder;
  folder.data = {
      {"site_column", "scanner"},
      {"sites", {{{"site", "A"}, {"n", 30}, {"positive", 30}}, {{"site", "B"}, {"n", 30}, {"positive", 5}}}}};
  std::string all;
  for (const std::string& warning : cv_warnings(folder, study)) all += warning + "\n";
  for (const char* part : {"small", "not balanced", "scanner and group are confounded", "one class alone at A",
                           "3 of 10 inner fits", "did not converge in 1 outer fold."})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

TEST(Words, AShellTakesItsWords) {
  EXPECT_EQ(shell_word("a/b.tsv"), "a/b.tsv");
  EXPECT_EQ(shell_word("it's $HOME"), "'it'\\''s $HOME'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Words, WhomToCiteOnce) {
  const auto references = references_of({"sturm", "sturm+svm", "dummy", "no such"}, true, true);
  EXPECT_EQ(references.size(), 4U);  // Sturm's, nested cross-validation, the interval, permutations
}

}  // namespace
}  // namespace sturm
