// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/places.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace sturm {
namespace {

Places of_a_study() {
  Places out;
  out.add_folder("/home/al ice/secret/study");
  out.add_folder("/home");  // what lies there is somebody's
  return out;
}

TEST(Places, PathsAreToldFromTheirFolder) {
  const Places places = of_a_study();
  EXPECT_EQ(places.without("/home/al ice/secret/study/volumes/1.nii.gz: is odd."), "volumes/1.nii.gz: is odd.");
  EXPECT_EQ(places.without("'/home/al ice/secret/study/volumes/1.nii.gz'"), "'volumes/1.nii.gz'");
}

TEST(Places, OtherPathsAreToldByTheirLastPart) {
  const Places places = of_a_study();
  EXPECT_EQ(places.without("sturm cv --mask /data/bob/mask.nii --outer 10"), "sturm cv --mask mask.nii --outer 10");
  EXPECT_EQ(places.without("the journal (/scratch/bob/out.work/journal-1.bin) is torn."),
            "the journal (journal-1.bin) is torn.");
  EXPECT_EQ(places.without("see ~bob/x/y.txt."), "see y.txt.");
  EXPECT_EQ(places.without("`mask` is \"/data/my own/mask.nii\"."), "`mask` is \"mask.nii\".");
  EXPECT_EQ(places.without("/home/bob/x.nii, /home/bob/y.nii"), "x.nii, y.nii");
}

TEST(Places, WhatIsNoPathStays) {
  const Places places = of_a_study();
  for (const char* text : {"n/a", "and/or", "2 / 3", "1/254 of the largest", "https://example.org/a/b", "sub-01/x.nii",
                           "mm/s", "</script>", "a < b / c", "", "/", "~ 3", "N(0, 1/2)"})
    EXPECT_EQ(places.without(text), text);
}

TEST(Places, TextsThatArePathsAreFoundInOthers) {
  nlohmann::ordered_json study = {
      {"command", "sturm cv --samples '/home/al ice/my study/samples.tsv' --mask /home/al/m.nii"},
      {"facts", {"/home/al ice/my study/samples.tsv"}},
      {"warnings",
       {"1 file: /home/al ice/my study/samples.tsv is odd.", "/home/al ice/my study/data/b.nii: has no space."}},
      {"files", {"/home/al ice/my study/data/a.nii", "/home/al ice/my study/data/b.nii"}}};
  Places places;
  places.leave_out_of(study, {"/home/al ice/my study/data/a.nii", "/home/al ice/my study/data/b.nii"});
  const std::string text = study.dump();
  for (const char* never : {"home", "ice", "my study", "/m.nii"})
    EXPECT_EQ(text.find(never), std::string::npos) << text;
  EXPECT_EQ(study["command"], "sturm cv --samples 'samples.tsv' --mask m.nii");
  EXPECT_EQ(study["files"], (std::vector<std::string>{"a.nii", "b.nii"}));
  EXPECT_EQ(study["warnings"][1], "b.nii: has no space.");
}

TEST(Places, ADataSetIsCalledLikeItsFolderUnlessThatIsAHome) {
  EXPECT_EQ(data_set_name("/data/oasis/samples.tsv", false, ""), "oasis");
  EXPECT_EQ(data_set_name("/data/oasis/derivatives/prep", true, ""), "oasis");
  EXPECT_EQ(data_set_name("/data/oasis/derivatives", true, ""), "oasis");
  EXPECT_EQ(data_set_name("/data/oasis/", true, ""), "oasis");
  for (const char* at_home : {"/home/alice/samples.tsv", "/Users/alice/samples.tsv", "/samples.tsv", "/tmp/samples.tsv",
                              "/srv/people/alice/samples.tsv"})
    EXPECT_EQ(data_set_name(at_home, false, "/srv/people/alice"), "") << at_home;
}

}  // namespace
}  // namespace sturm
