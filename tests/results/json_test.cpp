// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/results/json.h"

#include <gtest/gtest.h>

#include "message.h"
#include "sturm/results/cv_results.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/fit_results.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

CvResults results() {
  CvResults out;
  out.version = "1";
  out.score = Score::balanced_accuracy;
  out.permuted = Exchange::within_groups;
  MethodResults method;
  method.scores[Measure::auc] = {0.5, not_known, 0.75, Range{0.5, 0.875}};
  method.confusion.emplace().matrix = {{1, 2}, {3, 4}};
  method.chosen = {{0.5, {{"tau", 1.5}}}};
  method.all_samples.emplace().chosen = {1, {{"tau", 2}, {"gamma", 3}}};
  method.all_samples->status = Status::zero_solution;
  out.methods = {{"sturm", method}};
  return out;
}

TEST(Json, SaysWhatAMemberIs) {
  const ordered_json json = to_json(results());
  EXPECT_EQ(json["score"], "balanced-accuracy");
  EXPECT_EQ(json["permuted"], "within groups");
  EXPECT_FALSE(json.contains("labels")) << "there are none";
  const ordered_json& method = json["methods"]["sturm"];
  EXPECT_EQ(method["auc"], 0.5);
  EXPECT_TRUE(method["auc_sd"].is_null()) << "no number";
  EXPECT_EQ(method["pooled_auc"], 0.75);
  EXPECT_EQ(method["pooled_auc_interval"].dump(), "[0.5,0.875]");
  EXPECT_FALSE(method.contains("accuracy"));
  EXPECT_EQ(method["chosen"][0].dump(), R"({"resize":0.5,"tau":1.5})");
  EXPECT_EQ(method["all_samples"]["gamma"], 3.0);
  EXPECT_EQ(method["all_samples"]["status"], "zero_solution");
}

TEST(Json, ComesBack) {
  const ordered_json json = to_json(results());
  CvResults back;
  from_json(json, back, "");
  EXPECT_EQ(to_json(back).dump(), json.dump());
  EXPECT_EQ(back.methods[0].second.all_samples->chosen.parameters.size(), 2U);
  FitResults fit, fit_back;
  fit.labels = std::vector<std::string>{"a", "b"};
  fit.sigmoid.emplace();
  fit.grid.emplace().affine[1][3] = -2.5;
  from_json(to_json(fit), fit_back, "");
  EXPECT_EQ(to_json(fit_back).dump(), to_json(fit).dump());
  EXPECT_TRUE(to_json(fit)["sigmoid"].is_null());
}

TEST(Json, NamesThePlaceOfWhatIsWrong) {
  ordered_json json = to_json(results());
  json["methods"]["sturm"]["pooled_auc"] = "high";
  CvResults back;
  EXPECT_SAYS(from_json(json, back, ""), "methods.sturm.pooled_auc is not a number");
  json = to_json(results());
  json["methods"]["sturm"]["all_samples"] = {1};
  EXPECT_SAYS(from_json(json, back, ""), "methods.sturm.all_samples is not an object");
  json = to_json(results());
  json["score"] = "luck";
  EXPECT_SAYS(from_json(json, back, ""), "score is not a word that is known there");
  json.erase("score");
  EXPECT_SAYS(from_json(json, back, ""), "score is not there");
  json = to_json(results());
  json["methods"]["sturm"]["pooled_accuracy_interval"] = {1, 2, 3};
  EXPECT_SAYS(from_json(json, back, ""), "pooled_accuracy_interval is not a list of that length");
}

TEST(Json, SettingsOfAnotherBuildAreNotTaken) {
  ordered_json json = to_json(StudySettings());
  EXPECT_TRUE(has_every_key<StudySettings>(json));
  json.erase("inner-gap");
  EXPECT_FALSE(has_every_key<StudySettings>(json));
  EXPECT_FALSE(has_every_key<StudySettings>(ordered_json(3)));
}

TEST(Json, TextKeepsItsOrderAndReplacesWhatIsNoText) {
  EXPECT_EQ(json_text({{"b", 1}, {"a", "\xff"}}), "{\n  \"b\": 1,\n  \"a\": \"\xef\xbf\xbd\"\n}");
}

}  // namespace
}  // namespace sturm
