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
                                   {"line 7, column path", "not a file"}};
  std::vector<std::string> sentences;
  for (int p = 0; p < 5; ++p) {
    EXPECT_TRUE(test::has(list.problems[p].sentence, words[p][0], words[p][1])) << list.problems[p].sentence;
    EXPECT_EQ(list.problems[p].row, p + 1);
    sentences.push_back(list.problems[p].sentence);
  }
  EXPECT_SAYS(require_none(sentences), "5 things are wrong", "none.nii", "line 7");
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
  EXPECT_TRUE(test::has(list.problems[1].sentence, "sub-04", "does not exist"));
  EXPECT_SAYS(find_participants(folder / "nowhere"), "nowhere", "`bids`");
}

}  // namespace
}  // namespace sturm
