// SPDX-License-Identifier: BSD-3-Clause
// What stands at the head of a report: the question, whether it worked, and whether it can be believed.
#include "sturm/report/answers.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/report/report.h"
#include "sturm/report/trust.h"
#include "sturm/report/words.h"

namespace sturm {
namespace {

using test::has;

StudyMethod method(const std::string& name, double mean, double p) {
  StudyMethod out;
  out.name = name;
  out.scores[Measure::accuracy] = {mean, 0.1, mean, {}, {}};
  out.interval.emplace() = {mean - 0.1, mean + 0.1};
  out.p = {p, 0.2, not_known};
  out.null_scores.assign(999, 0.5);
  out.fits = {10, 0, 1e-3};
  return out;
}

Study study_of(const std::vector<StudyMethod>& methods) {
  Study out;
  out.target = target_of("group", {{"control", "patient"}});
  out.counts.samples = 60;
  out.counts.positive = 30;
  out.chance = 0.5;
  out.majority = 0.55;
  out.permutations = 999;
  out.methods = methods;
  return out;
}

TEST(Question, NamesWhatWasAsked) {
  Study study = study_of({});
  EXPECT_EQ(question_of(study, "oasis", true), "patient or control? 60 volumes of oasis");
  EXPECT_EQ(question_of(study, "", false), "patient or control? 60 samples");
  study.target = target_of("kind", {{"face", "house", "cat"}});
  EXPECT_EQ(question_of(study, "haxby", true), "face, house or cat? 60 volumes of haxby");
  study.target = target_of("kind", {{"a", "b", "c", "d", "e"}});
  EXPECT_EQ(question_of(study, "haxby", true), "Which of 5 values of kind? 60 volumes of haxby");
  study.target = target_of("age", {});
  study.counts.samples = 1;
  EXPECT_EQ(question_of(study, "oasis", true), "age from 1 volume of oasis");
}

TEST(Answers, YesWithTheBaseline) {
  const StudyAnswers found = answers_of_cv(study_of({method("svm", 0.7, 0.001), method("lasso", 0.85, 0.001)}), {});
  EXPECT_EQ(found.worked, Worked::yes);
  EXPECT_TRUE(has(found.sentence, "lasso is right for 85.0 % of 60 samples",
                  "always naming the larger class is right for 55.0 %", "p = 0.002, corrected for the choice among 2"))
      << found.sentence;
}

TEST(Answers, NoWhereItMayBeChance) {
  const StudyAnswers found = answers_of_cv(study_of({method("svm", 0.6, 0.3)}), {});
  EXPECT_EQ(found.worked, Worked::no);
  EXPECT_TRUE(has(found.sentence, "svm is not shown to be better than guessing: it is right for 60.0 %", "p = 0.3"))
      << found.sentence;
}

TEST(Answers, NoWhereNamingTheLargestClassIsAsGood) {
  const StudyAnswers found = answers_of_cv(study_of({method("svm", 0.5, 0.001), method("lasso", 0.4, 0.001)}), {});
  EXPECT_EQ(found.worked, Worked::no);
  EXPECT_TRUE(
      has(found.sentence, "No method is right more often than always naming the largest class", "50.0 %", "55.0 %"))
      << found.sentence;
}

TEST(Answers, UnclearWithTooFewPermutations) {
  Study study = study_of({method("svm", 0.9, 0.25)});
  study.methods[0].null_scores = {0.5, 0.5, 0.5};
  study.permutations = 3;
  const StudyAnswers found = answers_of_cv(study, {});
  EXPECT_EQ(found.worked, Worked::unclear);
  EXPECT_TRUE(has(found.sentence, "With 3 permutations p cannot be below 0.25", "call it better than guessing"))
      << found.sentence;
  EXPECT_EQ(answers_of_cv(study_of({}), {}).worked, Worked::unclear);
  EXPECT_EQ(answers_of_fit({}).worked, Worked::unclear);
}

// An AUC is compared with 0.5 and a regression with the mean, and the words say that all predictions are taken
// together.
TEST(Answers, EveryScoreHasItsBaseline) {
  StudyMethod svm = method("svm", 0.8, 0.001);
  svm.scores[Measure::auc] = {0.75, 0.1, 0.7, {}, {}};
  Study study = study_of({svm});
  study.score = Measure::auc;
  EXPECT_TRUE(has(answers_of_cv(study, {}).sentence, "an AUC of 0.700 over all predictions together",
                  "guessing reaches 0.500"));
  svm.scores[Measure::r2] = {0.3, 0.1, 0.25, {}, {}};
  study = study_of({svm});
  study.target = target_of("age", {});
  study.chance = not_known;
  study.score = Measure::r2;
  EXPECT_TRUE(has(answers_of_cv(study, {}).sentence, "of 0.250", "predicting the mean reaches 0"))
      << answers_of_cv(study, {}).sentence;
}

const TrustCheck& check(const std::vector<TrustCheck>& list, const std::string& name) {
  for (const TrustCheck& one : list)
    if (one.name.starts_with(name)) return one;
  ADD_FAILURE() << "no " << name;
  return list.front();
}

StudyPrediction prediction(const std::string& person, const std::string& fold) {
  return {"svm", person, "x.nii", fold, "control", "control", 0};
}

TEST(Trust, PeopleAreCountedInThePredictions) {
  Study study = study_of({method("svm", 0.8, 0.001)});
  study.predictions = {prediction("a", "1"), prediction("a", "1"), prediction("b", "2"), prediction("b", "2")};
  EXPECT_EQ(check(trust_in_cv(study, {}, {}), "People").answer, Tick::yes);
  study.predictions[1].fold = "2";
  const TrustCheck torn = check(trust_in_cv(study, {}, {}), "People");
  EXPECT_EQ(torn.answer, Tick::no);
  EXPECT_TRUE(has(torn.sentence, "1 of 2 people")) << torn.sentence;
  study.predictions[1].participant = "";
  EXPECT_EQ(check(trust_in_cv(study, {}, {}), "People").answer, Tick::unknown);
}

TEST(Trust, SitesAndCoverage) {
  const Study study = study_of({method("svm", 0.8, 0.001)});
  DataFacts data;
  EXPECT_EQ(check(trust_in_cv(study, {}, data), "Site").answer, Tick::unknown);
  EXPECT_EQ(check(trust_in_cv(study, {}, data), "Coverage").answer, Tick::unknown);
  const auto site = [](const char* name, Index positive) {
    SiteCount out;
    out.site = name;
    out.n = 30;
    out.positive = positive;
    return out;
  };
  data.site_column = "scanner";
  data.sites = {site("A", 15), site("B", 15)};
  data.coverage.emplace();
  EXPECT_EQ(check(trust_in_cv(study, {}, data), "Site").answer, Tick::yes);
  EXPECT_EQ(check(trust_in_cv(study, {}, data), "Coverage").answer, Tick::yes);
  data.sites = {site("A", 27), site("B", 3)};
  data.coverage = {.varying = 5, .varying_in_mask = 5, .leak = true, .sentence = "COVERAGE LEAK"};
  data.coverage->volumes = CoverageScore{.value = 0.97, .chance = 0.5, .p = 0.001};
  const std::vector<TrustCheck> list = trust_in_cv(study, {}, data);
  const std::vector<std::string> warnings = cv_warnings(data, study);
  for (const char* name : {"Site", "Coverage"}) {
    const TrustCheck& found = check(list, name);
    EXPECT_EQ(found.answer, Tick::no) << name;
    ASSERT_TRUE(found.warning) << name;  // and it leads to its own warning
    EXPECT_TRUE(has(warnings[static_cast<std::size_t>(*found.warning)], name[0] == 'S' ? "confounded" : "COVERAGE"));
  }
}

TEST(Trust, PermutationsFitsBalanceAndChoice) {
  Study study = study_of({method("svm", 0.8, 0.001), method("lasso", 0.7, 0.01)});
  std::vector<TrustCheck> list = trust_in_cv(study, {}, {});
  for (const char* name : {"Labels", "Classes", "Every fit", "Settings", "Choice"})
    EXPECT_EQ(check(list, name).answer, Tick::yes) << name << ": " << check(list, name).sentence;
  EXPECT_TRUE(has(check(list, "Every fit").sentence, "1.0e-03"));
  EXPECT_TRUE(has(check(list, "Choice").sentence, "2 methods", "0.002"));
  study.permutations = 9;
  study.counts.positive = 50;
  study.majority = 0.83;
  study.methods[1].fits.unconverged = 2;
  list = trust_in_cv(study, {}, {});
  for (const char* name : {"Labels", "Classes", "Every fit"}) {
    EXPECT_EQ(check(list, name).answer, Tick::no) << name;
    EXPECT_TRUE(check(list, name).warning) << name;
  }
  study.permutations = 0;
  EXPECT_TRUE(has(check(trust_in_cv(study, {}, {}), "Labels").sentence, "No labels were permuted"));
  study.target = target_of("age", {});
  for (const TrustCheck& one : trust_in_cv(study, {}, {})) EXPECT_FALSE(one.name.starts_with("Classes"));
}

TEST(Trust, AFitHasSeenEverything) {
  Study study = study_of({method("sturm", not_known, not_known)});
  const std::vector<TrustCheck> list = trust_in_fit(study, {}, {});
  EXPECT_EQ(check(list, "Tested").answer, Tick::no);
  EXPECT_EQ(check(list, "Every fit").answer, Tick::yes);
}

}  // namespace
}  // namespace sturm
