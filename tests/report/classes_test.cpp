// SPDX-License-Identifier: BSD-3-Clause
// Reports of several classes, told apart one against the rest.
#include <gtest/gtest.h>

#include "message.h"
#include "report/class_study.h"
#include "sturm/report/figures.h"
#include "sturm/report/report.h"
#include "sturm/report/words.h"
#include "sturm/results/json.h"
#include "temporary.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;
using test::has;

const std::vector<std::string> four = {"face", "house", "a/b <cat>", "shoe"};
const Shape box{20, 18, 16};

class ClassStudy : public testing::Test {
 protected:
  Report report() const { return make_report({.folder = folder_.path(), .title = "objects"}); }
  test::TemporaryFolder folder_;
};

TEST_F(ClassStudy, IsNoRegressionAndHasNoPositiveClass) {
  test::write_class_cv(folder_.path(), four, 10, box);
  const ordered_json study = to_json(report().study);
  EXPECT_EQ(study["target"]["classes"], four);
  EXPECT_TRUE(study["target"]["positive"].is_null());
  EXPECT_EQ(study["counts"]["classes"], (std::vector<int>{10, 10, 10, 10}));
  EXPECT_FALSE(study["methods"][0]["scores"].contains("sensitivity"));
  EXPECT_EQ(study["methods"][1]["confusion"]["matrix"][3], (std::vector<int>{1, 0, 0, 9}));
  EXPECT_EQ(study["methods"][0]["final"]["setting"], (ordered_json{{"C", 1.0}}));
}

TEST_F(ClassStudy, TheVerdictHasChanceAndTheTextSaysHow) {
  test::write_class_cv(folder_.path(), four, 10, box);
  const ordered_json study = to_json(report().study);
  const auto verdict = study["verdict"].get<std::string>(), text = study["text"]["methods"].get<std::string>();
  EXPECT_TRUE(has(verdict, "sturm is right for 90.0 % of 40 samples of 4 classes", "chance is 25.0 %",
                  "largest class is right for 25.0 %"))
      << verdict;
  EXPECT_TRUE(has(text, "into 4 classes: face (10 samples), house (10)", "one against the rest",
                  "largest decision value", "by accuracy over all 4 classes", "Clopper"))
      << text;
  EXPECT_FALSE(has(text, "were used to predict"));
}

TEST_F(ClassStudy, EveryClassHasItsMapItsClustersAndItsMosaic) {
  test::write_class_cv(folder_.path(), four, 10, box);
  const Report made = report();
  const ordered_json told = to_json(made.study);
  std::vector<std::string> maps;
  for (const ReportVolume& volume : made.volumes)
    if (volume.kind == VolumeKind::map && volume.method == "sturm") {
      EXPECT_EQ(volume.of_class, four[maps.size()]);
      EXPECT_EQ(*facts_of(volume).of_class, volume.of_class);
      maps.push_back(volume.label);
    }
  EXPECT_EQ(maps, (std::vector<std::string>{"sturm: face", "sturm: house", "sturm: a/b <cat>", "sturm: shoe"}));
  // Each map is that of its class: the weights of class c are c + 1 times those of the first, about a place of its own.
  const ordered_json& lists = told["methods"][1]["class_clusters"];
  ASSERT_EQ(lists.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_EQ(lists[c]["class"], four[c]);
    ASSERT_EQ(lists[c]["clusters"].size(), 2U);
    EXPECT_NEAR(lists[c]["clusters"][0]["peak_weight"].get<double>(), static_cast<double>(c + 1),
                0.2 * static_cast<double>(c + 1));
    EXPECT_LT(lists[c]["clusters"][1]["peak_weight"].get<double>(), 0);
  }
  EXPECT_NE(lists[0]["clusters"][0]["peak"], lists[1]["clusters"][0]["peak"]);
  EXPECT_TRUE(told["methods"][1]["clusters"].empty());
  std::vector<std::string> names;
  std::string confusion;
  for (const Figure& figure : figures_of(made)) {
    names.push_back(figure.name);
    EXPECT_EQ(figure.name.find('/'), std::string::npos);
    if (figure.name == "confusion.svg") confusion = figure.bytes;
  }
  for (const char* name : {"map_sturm_1_face.png", "map_svm_3_a_b__cat_.png", "comparison.svg"})
    EXPECT_NE(std::ranges::find(names, name), names.end()) << name;
  for (const char* name : {"roc.svg", "scatter.svg"}) EXPECT_EQ(std::ranges::find(names, name), names.end()) << name;
  EXPECT_TRUE(has(confusion, ">house<", ">9<", ">a/b &lt;cat&gt;<")) << confusion;
}

TEST_F(ClassStudy, MapsOfArraysAreRead) {
  test::write_class_cv(folder_.path(), four, 10, box, false);
  const std::vector<BrainMap> expected = test::class_maps(4, box, false),
                              maps = find_series(folder_.path(), "map_sturm");
  ASSERT_EQ(maps.size(), 4U);
  for (std::size_t c = 0; c < 4; ++c) {
    ASSERT_EQ(maps[c].values.shape(), box);
    EXPECT_TRUE(std::ranges::equal(maps[c].values.flat(), expected[c].values.flat())) << c;
  }
  EXPECT_FALSE(report().volumes.front().map.in_world);
}

// Coefficients keep their digits and their zeros; counts take a byte.
TEST_F(ClassStudy, ASeriesOfCoefficientsIsNotRounded) {
  std::vector<BrainMap> maps = test::class_maps(3, box, true);
  write_series(folder_.path(), "coef", maps, "");
  const std::vector<BrainMap> back = find_series(folder_.path(), "coef");
  ASSERT_EQ(back.size(), 3U);
  for (std::size_t c = 0; c < 3; ++c)
    EXPECT_TRUE(std::ranges::equal(back[c].values.flat(), maps[c].values.flat())) << c;
}

TEST_F(ClassStudy, MapsOfTheWrongNumberAreRefused) {
  test::write_class_cv(folder_.path(), four, 10, box);
  write_series(folder_.path(), "map_svm", test::class_maps(3, box, true), "");
  EXPECT_SAYS(report(), "map_svm", "3 maps", "4 classes");
}

TEST_F(ClassStudy, AFitSaysWhatItIsWorthClassByClass) {
  test::write_class_fit(folder_.path(), four, 10, box);
  const Report made = report();
  const ordered_json told = to_json(made.study);
  const ordered_json& method = told["methods"][0];
  ASSERT_EQ(method["final"]["classes"].size(), 4U);
  EXPECT_EQ(method["final"]["classes"][3]["status"], "iteration_limit");
  EXPECT_EQ(method["final"]["classes"][1]["dual"], 2.4);
  EXPECT_EQ(told["counts"]["classes"][2], 10);
  std::string warnings;
  for (const auto& warning : told["warnings"]) warnings += warning.get<std::string>() + "\n";
  EXPECT_TRUE(has(warnings, "The fit of shoe against the rest did not converge")) << warnings;
  EXPECT_FALSE(has(warnings, "face against"));
  const auto verdict = told["verdict"].get<std::string>(), text = told["text"]["methods"].get<std::string>();
  EXPECT_TRUE(has(verdict, "40 samples of 4 classes", "at most 2.0e-02", "mean over the classes")) << verdict;
  EXPECT_TRUE(has(text, "4 classes of stimulus apart: face (10 samples)")) << text;
  EXPECT_EQ(std::ranges::count(made.volumes, VolumeKind::map, &ReportVolume::kind), 4);
}

TEST_F(ClassStudy, ThePageHasAVolumeAClass) {
  test::write_class_fit(folder_.path(), four, 10, box);
  const std::string page = report_page("<!--STURM-STUDY--><!--STURM-VOLUMES-->", report());
  for (const char* id : {"volume-map-1-1\"", "volume-map-1-4\""}) EXPECT_TRUE(has(page, id)) << id;
  EXPECT_EQ(page.find("<cat>"), std::string::npos);
}

SiteCount site(const std::vector<Index>& counts) {
  SiteCount out;
  out.site = "s";
  out.n = 1;
  out.class_samples = counts;
  return out;
}

SiteCount site_of_two(Index n, Index positive) {
  SiteCount out;
  out.n = n;
  out.positive = positive;
  return out;
}

TEST(ClassWords, CramersVOfSeveralClasses) {
  EXPECT_NEAR(site_association({site({4, 6, 8}), site({8, 12, 16})}), 0, 1e-7);
  EXPECT_NEAR(site_association({site({9, 0, 0}), site({0, 5, 0}), site({0, 0, 7})}), 1, 1e-12);
  // chi^2 of these: 50 squares of deviations over 20/3 expected in each cell, 7.5; n is 60, and 3 rows and columns.
  EXPECT_NEAR(site_association({site({10, 5, 5}), site({5, 10, 5}), site({5, 5, 10})}), std::sqrt(7.5 / 60 / 2), 1e-12);
  // Of two classes it is what it was for counts of the positive one.
  const std::vector<SiteCount> positive = {site_of_two(20, 15), site_of_two(20, 5)};
  EXPECT_NEAR(site_association({site({5, 15}), site({15, 5})}), site_association(positive), 1e-12);
}

TEST(ClassWords, SitesOfOneClassAndClassesOfUnequalSizeAreNamed) {
  Study study;
  study.target = target_of("stimulus", {{"face", "house", "shoe"}});
  study.counts.samples = 120;
  study.counts.classes = std::vector<Index>{60, 35, 25};
  study.chance = 1.0 / 3;
  study.majority = 0.5;
  DataFacts data;
  data.site_column = "scanner";
  data.sites = {site({60, 0, 0}), site({0, 35, 25})};
  std::string all;
  for (const std::string& warning : cv_warnings(data, study)) all += warning + "\n";
  EXPECT_TRUE(has(all, "face has 60 samples, shoe has 25", "right for 50.0 %", "scanner and stimulus are confounded",
                  "Cramer's V = 1.00", "are of one class, so they cannot tell"))
      << all;
  study.counts.classes = std::vector<Index>{42, 40, 38};
  EXPECT_TRUE(cv_warnings({}, study).empty());
}

}  // namespace
}  // namespace sturm
