// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/samples.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "message.h"
#include "sturm/imaging/bids.h"
#include "temporary.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

class Samples : public testing::Test {
 protected:
  void write(const fs::path& name, const std::string& text = "x") {
    fs::create_directories((folder / name).parent_path());
    std::ofstream(folder / name, std::ios::binary) << text;
  }
  SampleList find(const std::string& table) {
    write("study/samples.tsv", table);
    return find_samples({.samples = (folder / "study/samples.tsv").string()});
  }
  test::TemporaryFolder folder;
};

TEST_F(Samples, PathsAreRelativeToTheTable) {
  write("study/a/1.nii");
  write("study/b c.nii");
  // A byte order mark, Windows line ends, a quoted field, a missing volume.
  const SampleList list = find("\xEF\xBB\xBFpath\tvolume\tgroup\r\na/1.nii\tn/a\tx\r\n\"b c.nii\"\t3\ty\r\n");
  ASSERT_TRUE(list.problems.empty()) << list.problems[0].sentence;
  EXPECT_EQ(list.files[0].file, folder / "study/a/1.nii");
  EXPECT_FALSE(list.files[0].volume.has_value());
  EXPECT_EQ(list.files[1].written, "b c.nii");
  EXPECT_EQ(list.files[1].volume, 3);
}

TEST_F(Samples, EveryProblemIsListedWithItsLineAndColumn) {
  write("study/1.nii");
  const SampleList list = find("path\tvolume\n1.nii\t0\nnone.nii\t0\nn/a\t0\n1.nii\t-1\n1.nii\t1.5\n.\t0\n");
  ASSERT_EQ(list.problems.size(), 5);
  const char* const words[5][2] = {{"line 3, column path", "none.nii"},
                                   {"line 4, column path", "no file"},
                                   {"line 5, column volume", "'-1'"},
                                   {"line 6, column volume", "'1.5'"},
                                   {"line 7, column path", "a folder"}};
  std::vector<std::string> sentences;
  for (int p = 0; p < 5; ++p) {
    EXPECT_TRUE(test::has(list.problems[p].sentence, words[p][0], words[p][1])) << list.problems[p].sentence;
    EXPECT_EQ(list.problems[p].row, p + 1);
    sentences.push_back(list.problems[p].sentence);
  }
  EXPECT_SAYS(require_none(sentences), "5 problems", "none.nii", "line 7");
  EXPECT_SAYS(find("file\n1.nii\n"), "'path'", "file");
  EXPECT_SAYS(find("path\n"), "no rows");
}

TEST_F(Samples, StayBelowTheFolderOfTheTable) {
  write("outside.nii");
  write("study/inside.nii");
  fs::create_symlink("../outside.nii", folder / "study/link.nii");
  fs::create_symlink("inside.nii", folder / "study/fine.nii");
  fs::create_directory_symlink("..", folder / "study/up");
  const std::string absolute = (folder / "outside.nii").string();
  const std::string table = "path\n../outside.nii\nlink.nii\nup/outside.nii\n" + absolute +
                            "\n../absent.nii\nfine.nii\ninside.nii\n../study/inside.nii\n";
  const SampleList list = find(table);
  ASSERT_EQ(list.problems.size(), 5);  // the first five
  for (int p = 0; p < 5; ++p) {
    EXPECT_EQ(list.problems[p].row, p);
    EXPECT_TRUE(test::has(list.problems[p].sentence, "leads out", "`allow-outside`")) << list.problems[p].sentence;
  }
  const SampleList all = find_samples({.samples = (folder / "study/samples.tsv").string(), .allow_outside = true});
  ASSERT_EQ(all.problems.size(), 1);
  EXPECT_TRUE(test::has(all.problems[0].sentence, "absent.nii"));
}

TEST_F(Samples, LinksInACircleAreAProblemOfTheirRow) {
  fs::create_directories(folder / "study");
  fs::create_symlink("b.nii", folder / "study/a.nii");
  fs::create_symlink("a.nii", folder / "study/b.nii");
  const SampleList list = find("path\na.nii\n");
  ASSERT_EQ(list.problems.size(), 1);
  EXPECT_TRUE(test::has(list.problems[0].sentence, "line 2", "a.nii")) << list.problems[0].sentence;
}

TEST_F(Samples, APathThatLeadsNowhereSaysSoAndWhatThereIs) {
  write("study/a/One.nii.gz");
  const SampleList list = find("path\nnofolder/x.nii\na/one.nii\n~/x.nii\na\\x.nii\nhttp://x/y.nii\na/two.nii\n");
  ASSERT_EQ(list.problems.size(), 6);
  const char* const words[6] = {"nor does the folder",        "there is a One.nii.gz", "~", "/ between", "fetch",
                                "'a/two.nii' does not exist."};
  for (int p = 0; p < 6; ++p) {
    EXPECT_TRUE(test::has(list.problems[p].sentence, "does not exist", words[p])) << list.problems[p].sentence;
    EXPECT_FALSE(test::has(list.problems[p].sentence, "leads out")) << list.problems[p].sentence;
  }
}

TEST_F(Samples, APathInAMissingFolderIsNotOutside) {
  // A table named without its folder: the paths are relative to where the program runs.
  const fs::path before = fs::current_path();
  fs::create_directories(folder / "study");
  fs::current_path(folder / "study");
  const SampleList list = find("path\nnofolder/x.nii\n../x.nii\n");
  std::ofstream("t.tsv") << "path\nnofolder/x.nii\n../x.nii\n";
  const SampleList relative = find_samples({.samples = "t.tsv"});
  fs::current_path(before);
  for (const SampleList* each : {&list, &relative}) {
    ASSERT_EQ(each->problems.size(), 2);
    EXPECT_TRUE(test::has(each->problems[0].sentence, "does not exist")) << each->problems[0].sentence;
    EXPECT_TRUE(test::has(each->problems[1].sentence, "leads out")) << each->problems[1].sentence;
  }
}

TEST_F(Samples, WithoutAFileAreLeftOutWhereOneSaysSo) {
  write("study/1.nii");
  write("study/samples.tsv", "participant_id\tpath\tgroup\ns1\t1.nii\ta\ns2\tnone.nii\ta\ns3\tn/a\tb\ns4\t1.nii\tb\n");
  const SampleList list = find_samples({.samples = (folder / "study/samples.tsv").string(), .skip_missing = true});
  EXPECT_TRUE(list.problems.empty());
  EXPECT_EQ(list.skipped, (std::vector<std::string>{"s2", "s3"}));
  EXPECT_EQ(list.table.texts(0), (std::vector<std::string>{"s1", "s4"}));
  EXPECT_EQ(list.table.line(1), 5);
  EXPECT_EQ(list.files[1].row, 1);
  ASSERT_EQ(list.notes.size(), 1);
  EXPECT_TRUE(test::has(list.notes[0], "2 of 4 rows", "s2, s3")) << list.notes[0];
  write("study/samples.tsv", "path\nnone.nii\n");
  EXPECT_SAYS(find_samples({.samples = (folder / "study/samples.tsv").string(), .skip_missing = true}), "no row",
              "`skip-missing`");
}

TEST_F(Samples, APatternFindsOneFileOrSeveral) {
  write("participants.tsv", "participant_id\tgroup\nsub-01\ta\nsub-02\tb\nsub-03\tb\n");
  for (const char* name : {"sub-01/ses-1/sub-01_ses-1_run-1_con.nii.gz", "sub-01/ses-1/sub-01_ses-1_run-2_con.nii.gz",
                           "sub-01/ses-2/sub-01_ses-2_run-1_con.nii.gz", "sub-02/ses-1/sub-02_ses-1_run-1_con.nii.gz",
                           "sub-02/ses-1/.hidden_con.nii.gz"})
    write(name);
  SampleSource source{.participants = (folder / "participants.tsv").string(),
                      .images = "sub-{participant_id}/*/sub-*_con.nii.gz"};
  const SampleList one = find_samples(source);
  ASSERT_EQ(one.problems.size(), 2);
  EXPECT_TRUE(test::has(one.problems[0].sentence, "line 2", "run-1", "run-2", "ses-2", "`several`", "`images"))
      << one.problems[0].sentence;
  EXPECT_TRUE(test::has(one.problems[1].sentence, "line 4", "no file is called")) << one.problems[1].sentence;
  EXPECT_EQ(one.files[1].written, "sub-02/ses-1/sub-02_ses-1_run-1_con.nii.gz");
  source.several = source.skip_missing = true;
  const SampleList all = find_samples(source);
  EXPECT_TRUE(all.problems.empty());
  ASSERT_EQ(all.files.size(), 4);
  const auto column = [&](const char* name) { return all.table.texts(all.table.column(name)); };
  EXPECT_EQ(column("participant_id"), (std::vector<std::string>{"sub-01", "sub-01", "sub-01", "sub-02"}));
  EXPECT_EQ(column("ses"), (std::vector<std::string>{"1", "1", "2", "1"}));
  EXPECT_EQ(column("run"), (std::vector<std::string>{"1", "2", "1", "1"}));
  EXPECT_EQ(column("group"), (std::vector<std::string>{"a", "a", "a", "b"}));
  EXPECT_FALSE(all.table.has("sub"));
  EXPECT_EQ(all.skipped, (std::vector<std::string>{"sub-03"}));
  EXPECT_TRUE(test::has(all.notes.back(), "4 samples of 2 rows", "columns ses, run")) << all.notes.back();
}

TEST(FillTemplate, TakesTheRowsValues) {
  const Table table = Table::parse("participant_id\tses\tage\nsub-01\t2\tn/a\n02\tses-b\t3\n", "p.tsv");
  EXPECT_EQ(fill_template("sub-{participant_id}/x_ses-{ses}.nii", table, 0), "sub-01/x_ses-2.nii");
  EXPECT_EQ(fill_template("sub-{participant_id}/x_ses-{ses}.nii", table, 1), "sub-02/x_ses-b.nii");
  EXPECT_EQ(fill_template("{participant_id}.nii", table, 0), "sub-01.nii");
  EXPECT_SAYS(fill_template("{age}.nii", table, 0), "line 2, column age", "`images {age}.nii`");
  EXPECT_SAYS(fill_template("{sex}.nii", table, 0), "'sex'", "participant_id");
  EXPECT_SAYS(fill_template("{age.nii", table, 0), "`images {age.nii`", "}");
}

TEST_F(Samples, AreNamedByATemplate) {
  write("participants.tsv", "participant_id\tgroup\nsub-01\ta\nsub-02\tb\n");
  write("sub-01/con.nii.gz");
  const SampleList list = find_samples(
      {.participants = (folder / "participants.tsv").string(), .images = "sub-{participant_id}/con.nii.gz"});
  EXPECT_EQ(list.files[0].file, folder / "sub-01/con.nii.gz");
  ASSERT_EQ(list.problems.size(), 1);
  EXPECT_TRUE(test::has(list.problems[0].sentence, "participants.tsv, line 3", "sub-02/con.nii.gz", "`images "))
      << list.problems[0].sentence;
}

TEST_F(Samples, AreFoundByEntities) {
  write("participants.tsv", "participant_id\tgroup\nsub-01\ta\n02\tb\nsub-03\tb\nsub-04\ta\n");
  const fs::path alff = "derivatives/alff";
  write(alff / "sub-01/func/sub-01_task-rest_desc-alff_bold.nii.gz");
  write(alff / "sub-01/func/sub-01_task-rest_desc-falff_bold.nii.gz");
  write(alff / "sub-01/func/sub-01_task-rest_desc-alff_bold.json");
  write(alff / "sub-02/sub-02_ses-1_task-rest_desc-alff_bold.nii");
  write(alff / "sub-03/sub-03_ses-1_task-rest_desc-alff_bold.nii");
  write(alff / "sub-03/sub-03_ses-2_task-rest_desc-alff_bold.nii");
  const SampleList list = find_samples({.bids = (folder / alff).string(), .entities = "task-rest_desc-alff_bold"});
  EXPECT_EQ(list.files[0].written, "sub-01/func/sub-01_task-rest_desc-alff_bold.nii.gz");
  EXPECT_EQ(list.files[1].written, "sub-02/sub-02_ses-1_task-rest_desc-alff_bold.nii");
  ASSERT_EQ(list.problems.size(), 2);
  EXPECT_TRUE(test::has(list.problems[0].sentence, "sub-03", "several", "ses-1", "ses-2", "`entities`"));
  EXPECT_TRUE(test::has(list.problems[1].sentence, "sub-04", "has no .nii", "`entities`"));
  EXPECT_SAYS(find_participants(folder / "nowhere"), "nowhere", "`bids`");
  const SampleList all = find_samples(
      {.bids = (folder / alff).string(), .entities = "desc-alff_bold", .several = true, .skip_missing = true});
  ASSERT_EQ(all.files.size(), 4);
  EXPECT_EQ(all.table.texts(all.table.column("ses")), (std::vector<std::string>{"", "1", "1", "2"}));
  EXPECT_EQ(all.skipped, std::vector<std::string>{"sub-04"});
}

}  // namespace
}  // namespace sturm
