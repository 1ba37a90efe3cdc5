// SPDX-License-Identifier: BSD-3-Clause
// Files that are damaged, lying or hostile: refused with a sentence that names the file and the field, and never a
// crash, a hang, or more memory than the file justifies.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <limits>

#include "imaging/nifti_file.h"
#include "message.h"
#include "shared_data.h"
#include "sturm/core/table.h"
#include "sturm/imaging/gzip.h"

namespace sturm {
namespace {

using test::NiftiFile;
using test::NiftiFolder;

/// What a loader does with a file for one sample.
std::vector<std::string> use(const std::filesystem::path& file) {
  const VolumeInfo info = read_volume_info(file);
  require_one_volume(info);
  const VoxelSummary voxels = summarise_voxels(info);
  std::vector<std::string> warnings = info.warnings;
  warnings.insert(warnings.end(), voxels.warnings.begin(), voxels.warnings.end());
  return warnings;
}

TEST(NiftiDamage, EveryCaseOfTheSharedSetIsTreatedAsItSays) {
  STURM_NEEDS_SHARED("nifti/expected.tsv");
  const std::filesystem::path folder = test::shared_data("nifti");
  const Table table = Table::read(folder / "expected.tsv");
  int cases = 0;
  for (Index row = 0; row < table.rows(); ++row) {
    const std::string &name = table.cell(row, table.column("file")), &expect = table.cell(row, table.column("expect"));
    if (expect == "-") continue;
    std::vector<std::string> warnings;
    const std::string said = test::message_of([&] { warnings = use(folder / name); });
    const std::string found = said != "no error" ? "E" : warnings.empty() ? "A" : "W";
    EXPECT_EQ(found, expect) << name << " (" << table.cell(row, table.column("why")) << "): " << said
                             << (warnings.empty() ? "" : warnings[0]);
    EXPECT_TRUE(found != "E" || test::has(said, name)) << said;
    ++cases;
  }
  EXPECT_GT(cases, 100);
}

class Damage : public testing::Test {
 protected:
  std::string said(NiftiFile file) const {
    const auto path = folder_.write(file.bytes());
    return test::message_of([&] { use(path); });
  }
  NiftiFolder folder_;
};

TEST_F(Damage, ErrorsNameTheFileAndTheField) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::pair<NiftiFile, const char*> cases[] = {
      {NiftiFile().dim({0, 4, 3, 2, 1, 1, 1, 1}), "dim[0]"},
      {NiftiFile().dim({3, 4, 0, 2, 1, 1, 1, 1}), "dim[2]"},
      {NiftiFile().dim({5, 4, 3, 1, 1, 2, 1, 1}), "dim[5]"},
      {NiftiFile().dim({4, 4, 3, 1, 2, 1, 1, 1}), "dim[4]"},
      {NiftiFile().type(32, 64), "datatype"},
      {NiftiFile().type(1536, 128), "float128"},
      {NiftiFile().set<float>(108, 352.5F), "vox_offset"},
      {NiftiFile().set<float>(108, 100), "vox_offset"},
      {NiftiFile().set<float>(108, 1e9F), "vox_offset"},
      {NiftiFile().scaling(1, nan), "scl_inter"},
      {NiftiFile().pixdim(3, nan), "pixdim[3]"},
      {NiftiFile().srow(2, 2, 0), "srow_x"},
      {NiftiFile().codes(1, 0).quatern(nan, 0, 0), "quatern_b"},
      {NiftiFile().codes(1, 0).qoffset(2, nan), "qoffset_x"},
      {NiftiFile().set<std::int32_t>(0, 349), "sizeof_hdr"},
      {NiftiFile().set<std::uint8_t>(344, 'x'), "magic"},
      {NiftiFile(false, true).set<std::uint8_t>(9, 0), "magic"},
  };
  for (const auto& [file, field] : cases) {
    const std::string words = said(file);
    EXPECT_TRUE(test::has(words, "a.nii: ", field)) << field << ": " << words;
    EXPECT_TRUE(words.ends_with(".")) << words;
    EXPECT_EQ(words.find('\n'), std::string::npos);
  }
}

TEST_F(Damage, EveryCutOfAPlainFileIsRefused) {
  NiftiFile file;
  for (std::size_t cut = 0; cut < file.bytes().size(); ++cut) {
    const auto path = folder_.write(file.bytes().substr(0, cut));
    EXPECT_THROW(use(path), Error) << cut;
  }
}

TEST_F(Damage, EveryCutOfAGzipFileIsRefused) {
  for (const bool two : {false, true}) {
    const std::string bytes = gzip_compress(NiftiFile(false, two).bytes());
    EXPECT_NO_THROW(use(folder_.write(bytes)));
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      const auto path = folder_.write(bytes.substr(0, cut));
      EXPECT_THROW(use(path), Error) << cut;
    }
  }
}

// A gzip file knows when it was changed. What passes has changed nothing: time, system and flags in its header, and the
// bits that fill up the last byte before the checksum.
TEST_F(Damage, EveryFlippedBitOfAGzipFileIsFound) {
  const std::string good = gzip_compress(NiftiFile().bytes());
  const std::vector<float> voxels = read_volume<float>(read_volume_info(folder_.write(good)));
  int passed = 0;
  for (std::size_t bit = 0; bit < 8 * good.size(); ++bit) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
    const auto path = folder_.write(bad);
    try {
      EXPECT_EQ(read_volume<float>(read_volume_info(path)), voxels) << bit;
      ++passed;
    } catch (const Error& error) {
      EXPECT_TRUE(test::has(error.what(), "a.nii: ")) << error.what();
    }
  }
  EXPECT_LE(passed, 48 + 1 + 7);
}

// A plain file has no checksum: a flipped bit of its header may pass. It must never crash or allocate what is not
// there.
TEST_F(Damage, EveryFlippedBitOfAHeaderIsSurvived) {
  for (const bool two : {false, true}) {
    NiftiFile file(false, two);
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * (two ? 544U : 352U); ++bit) {
      std::string bad = file.bytes();
      bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << bit % 8));
      const auto path = folder_.write(bad);
      try {
        use(path);
      } catch (const Error& error) {
        EXPECT_TRUE(test::has(error.what(), "a.nii: "));
        ++refused;
      }
    }
    EXPECT_GT(refused, 100);
  }
}

TEST_F(Damage, GzipMembersPaddingAndGarbage) {
  const std::string all = NiftiFile().bytes();
  const auto parts = gzip_compress(all.substr(0, 100)) + gzip_compress("") + gzip_compress(all.substr(100));
  EXPECT_TRUE(use(folder_.write(parts)).empty());
  EXPECT_EQ(use(folder_.write(parts + std::string(1000, '\0'))).size(), 1U);
  const std::string good = gzip_compress(all);
  EXPECT_SAYS(use(folder_.write(good + "garbage")), "a.nii", "after the end of its gzip data");
  EXPECT_SAYS(use(folder_.write(good + std::string(5, '\0') + good)), "after the end of its gzip data");
  EXPECT_SAYS(use(folder_.write(good + "\x1f\x8b")), "break off");
  EXPECT_SAYS(use(folder_.write(gzip_compress(all.substr(0, 390)))), "a.nii", "dim", "copy or download");
  EXPECT_SAYS(use(folder_.write(gzip_compress(all.substr(0, 300)))), "sizeof_hdr");
}

// A kilobyte of compressed zeros is a megabyte; a header may ask for that much and no more, whatever it says.
TEST_F(Damage, ASmallFileTakesLittleMemory) {
  const auto peak = [] {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;  // kilobytes
  };
  const auto before = peak();
  NiftiFile file;
  for (const auto& dim : {std::array{3, 32767, 32767, 32767, 1, 1, 1, 1}, std::array{3, 1000, 1000, 1000, 1, 1, 1, 1}})
    EXPECT_SAYS(use(folder_.write(gzip_compress(file.dim(dim).bytes() + std::string(100000, '\0')))), "dim", "at most");
  // Within what 1 to 1032 allows (here 100 MB), but not there.
  file.dim({3, 500, 500, 200, 1, 1, 1, 1});
  std::string noise(100000, '\0');
  for (std::size_t n = 0; n < noise.size(); ++n) noise[n] = static_cast<char>(n * n * 2654435761U >> 16);
  EXPECT_SAYS(use(folder_.write(gzip_compress(file.bytes() + noise))), "dim");
  // A sound file with much behind it.
  const std::string bomb = gzip_compress(NiftiFile().bytes() + std::string(std::size_t{30} << 20, '\0'));
  const auto path = folder_.write(bomb);
  EXPECT_EQ(use(path).size(), 1U);
  EXPECT_LT(peak() - before, 128 * 1024) << "the test's own 30 MiB, compressed from two copies, are in this";
}

// A hole of a terabyte behind a sound gzip file takes neither memory nor time.
TEST_F(Damage, ASparseTailIsNotRead) {
  const auto path = folder_.write(gzip_compress(NiftiFile().bytes()));
  std::error_code code;
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40, code);
  if (code) GTEST_SKIP() << "this file system has no room for a sparse file: " << code.message();
  EXPECT_EQ(use(path).size(), 1U);
}

TEST_F(Damage, TheHeaderOfAPairHasItsChecksumVerified) {
  NiftiFile file;
  file.set<float>(108, 0);
  std::memcpy(file.bytes().data() + 344, "ni1", 4);
  folder_.write(file.bytes().substr(352), "p.img");
  std::string header = gzip_compress(file.bytes().substr(0, 348));
  EXPECT_NO_THROW(use(folder_.write(header, "p.hdr.gz")));
  header[header.size() - 6] = static_cast<char>(header[header.size() - 6] ^ 1);
  EXPECT_SAYS(use(folder_.write(header, "p.hdr.gz")), "p.hdr.gz", "damaged");
}

TEST_F(Damage, WhatIsNoFile) {
  EXPECT_SAYS(read_volume_info(folder_ / "absent.nii"), "absent.nii", "cannot be opened");
  EXPECT_SAYS(read_volume_info(folder_ / ""), "it is a folder");
  EXPECT_SAYS(read_volume_info("/dev/zero"), "it is a device");
}

// Between the look at the header and the reading of the voxels a file may be replaced.
TEST_F(Damage, AFileThatShrinksIsRefused) {
  NiftiFile file;
  const VolumeInfo info = folder_.info(file);
  folder_.write(file.bytes().substr(0, 390));
  EXPECT_SAYS(read_volume<float>(info), "a.nii", "dim");
  folder_.write(gzip_compress(file.bytes()));
  EXPECT_NO_THROW(read_volume<float>(info));
}

}  // namespace
}  // namespace sturm
