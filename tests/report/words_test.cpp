// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/words.h"

#include <gtest/gtest.h>

#include <cmath>

#include "sturm/report/report.h"

namespace sturm {
namespace {

StudyMethod method(const std::string& name, double mean, double p) {
  StudyMethod out;
  out.name = name;
  out.scores[Measure::accuracy] = {mean, 0.1, mean, {}, {}};
  out.interval.emplace() = {mean - 0.1, mean + 0.1};
  out.p = {p, 0.2, not_known};
  out.null_scores.assign(99, 0.5);
  out.fits = {10, 0, 0};
  return out;
}

SiteCount site_of(const std::string& name, Index n, Index positive) {
  SiteCount out;
  out.site = name;
  out.n = n;
  out.positive = positive;
  return out;
}

Study study_of(const std::vector<StudyMethod>& methods) {
  Study out;
  out.target = target_of("group", {{"b", "a"}});
  out.counts.samples = 60;
  out.chance = 0.5;
  out.majority = 0.55;
  out.permutations = 99;
  out.methods = methods;
  return out;
}

TEST(Words, TheVerdictNamesTheBestWithIntervalChanceAndP) {
  const std::string words =
      cv_verdict(study_of({method("svm", 0.7, 0.03), method("sturm", 0.8, 0.01), method("dummy", 0.9, 1)}));
  for (const char* part :
       {"sturm is right for 80.0 % of 60 samples", "70.0 to 90.0 %", "55.0 %", "p = 0.01 by 99 permutations"})
    EXPECT_NE(words.find(part), std::string::npos) << words;
}

TEST(Words, WhatMayBeChanceIsSaidToBe) {
  EXPECT_TRUE(cv_verdict(study_of({method("svm", 0.6, 0.3), method("lasso", 0.5, 0.6)}))
                  .starts_with("No method has been shown"));
  EXPECT_TRUE(cv_verdict(study_of({method("svm", 0.6, 0.3)})).starts_with("svm is not shown"));
  Study few = study_of({method("svm", 0.9, 0.25)});
  few.methods[0].null_scores = {0.5, 0.5, 0.5};  // p could not have been smaller
  EXPECT_TRUE(cv_verdict(few).starts_with("svm is right"));
  EXPECT_EQ(cv_verdict(study_of({})).find("There is no score"), 0U);
}

TEST(Words, WhatTheLargestClassReachesIsNoSuccess) {
  Study study = study_of({method("svm", 0.5, 0.01), method("lasso", 0.45, 0.01)});
  EXPECT_TRUE(cv_verdict(study).starts_with("No method is right more often than always naming the largest class"))
      << cv_verdict(study);
}

TEST(Words, PSaysItsSideAndHowSmallItCanBe) {
  Study study = study_of({method("svm", 0.8, 0.01)});
  study.smallest_p = 0.01;
  EXPECT_NE(cv_verdict(study).find("one-sided, and could not be below 0.01"), std::string::npos) << cv_verdict(study);
  study.methods[0].p = {not_known, not_known, 0.003};
  EXPECT_NE(cv_verdict(study).find("one-sided binomial test that counts samples of a group as dependent"),
            std::string::npos)
      << cv_verdict(study);
}

TEST(Words, ForcedChoiceIsSaid) {
  Study study = study_of({method("svm", 0.7, 0.01)});
  study.methods[0].forced_choice.emplace() = {1, 1e-9, {}};
  study.methods[0].forced_choice->interval.emplace() = {0.926, 1};
  EXPECT_NE(
      cv_verdict(study).find(
          "which is which in 100.0 % of cases (95 % interval 92.6 to 100.0 %): forced choice, one-sided p = 1.0e-09"),
      std::string::npos)
      << cv_verdict(study);
}

TEST(Words, AFitSaysTheSparsityOfTheMask) {
  FitResults fit;
  fit.method = "sturm";
  fit.numbers.sparsity = 0.9;
  fit.numbers.sparsity_in_mask = 0.25;
  EXPECT_NE(fit_verdict(fit).find("25.0 % of the coefficients in the mask are 0"), std::string::npos)
      << fit_verdict(fit);
}

TEST(Words, CramersVOfSites) {
  const auto site = [](Index n, Index positive) { return site_of("s", n, positive); };
  EXPECT_NEAR(site_association({site(20, 10), site(30, 15)}), 0, 1e-12);
  EXPECT_NEAR(site_association({site(20, 20), site(20, 0)}), 1, 1e-12);
  // chi^2 of [[15, 5], [5, 15]] is 10, n is 40.
  EXPECT_NEAR(site_association({site(20, 15), site(20, 5)}), std::sqrt(10.0 / 40), 1e-12);
  EXPECT_TRUE(std::isnan(site_association({site(20, 15)})));
  EXPECT_TRUE(std::isnan(site_association({})));
}

TEST(Words, WarningsOfAConfoundedSiteImbalanceAndFits) {
  Study study = study_of({method("svm", 0.8, 0.01)});
  study.majority = 0.8;
  study.methods[0].fits.unconverged = 3;
  study.methods[0].chosen.push_back({"1", 1, {}, 0.5, Status::iteration_limit});
  DataFacts data;
  data.site_column = "scanner";
  data.sites = {site_of("A", 30, 30), site_of("B", 30, 5)};
  std::string all;
  for (const std::string& warning : cv_warnings(data, study)) all += warning + "\n";
  for (const char* part : {"small", "not balanced", "scanner and group are confounded", "scanner A are of one class",
                           "3 of 10 inner fits", "did not converge in 1 outer fold."})
    EXPECT_NE(all.find(part), std::string::npos) << part << " in " << all;
}

// What guessing reaches depends on the score: an AUC of 0.5, however many the classes.
TEST(Words, ChanceIsThatOfTheHeadlineScore) {
  EXPECT_EQ(chance_of(Measure::accuracy, 0.25), 0.25);
  EXPECT_EQ(chance_of(Measure::auc, 0.25), 0.5);
  EXPECT_TRUE(std::isnan(chance_of(Measure::r2, 0.25)));
  StudyMethod svm = method("svm", 0.8, 0.01);
  svm.scores[Measure::auc] = {0.75, 0.1, 0.7, {}, {}};
  svm.interval.reset();
  Study study = study_of({svm});
  study.score = Measure::auc;
  EXPECT_TRUE(cv_verdict(study).starts_with("svm reaches an AUC of 0.750 on average over the folds"))
      << cv_verdict(study);
}

// Without permutations an AUC has no p; forced choice beside it has one, so nobody says that there is none at all.
TEST(Words, OneScoreWithoutPIsNoStudyWithoutP) {
  StudyMethod svm = method("svm", 0.8, not_known);
  svm.p = {not_known, not_known, not_known};
  svm.scores[Measure::auc] = {0.75, 0.1, 0.7, {}, {}};
  svm.forced_choice.emplace() = {0.9, 0.001, {}};
  Study study = study_of({svm});
  study.score = Measure::auc;
  const std::string words = cv_verdict(study);
  EXPECT_EQ(words.find("there is no p"), std::string::npos) << words;
  EXPECT_NE(words.find("the AUC has no p, since no labels were permuted"), std::string::npos) << words;
  EXPECT_NE(words.find("one-sided p = 0.001"), std::string::npos) << words;
  // And of which predictions each of the two AUCs is.
  EXPECT_NE(words.find("0.750 on average over the folds"), std::string::npos) << words;
}

// Twenty methods, of which the best has p = 0.01: after the choice that is 0.2.
TEST(Words, TheChoiceAmongMethodsIsCorrectedFor) {
  std::vector<StudyMethod> methods;
  for (int m = 0; m < 20; ++m) methods.push_back(method("m" + std::to_string(m), m == 3 ? 0.8 : 0.7, 0.01));
  const Study study = study_of(methods);
  EXPECT_NE(cv_warnings({}, study).back().find("its p is 0.2 when corrected for the choice"), std::string::npos)
      << cv_warnings({}, study).back();
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
