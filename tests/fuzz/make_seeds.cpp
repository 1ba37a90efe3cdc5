// SPDX-License-Identifier: BSD-3-Clause
// make_seeds FOLDER: sound inputs for a fuzzer to start from, in one folder per target.
#include <filesystem>

#include "imaging/nifti_file.h"
#include "sturm/core/rng.h"
#include "sturm/imaging/gzip.h"
#include "sturm/models/files/model_file.h"
#include "sturm/study/outcome_record.h"
#include "sturm/study/record.h"
#include "targets.h"

int main(int argc, char** argv) {
  using namespace sturm;
  if (argc != 2) return 2;
  const std::filesystem::path folder = argv[1];
  for (const char* name : {"header", "gzip", "extensions", "table", "model", "journal", "cache", "config"})
    std::filesystem::create_directories(folder / name);

  int count = 0;
  for (const bool swapped : {false, true})
    for (const bool two : {false, true}) {
      test::NiftiFile file(swapped, two);
      const std::string number = std::to_string(count++);
      write_file(folder / "header" / ("made-" + number), file.bytes());
      write_file(folder / "header" / ("made-gz-" + number), gzip_compress(file.bytes()));
      write_file(folder / "gzip" / ("made-" + number), gzip_compress(file.bytes()) + gzip_compress("more"));
    }
  test::NiftiFile chain;
  chain.bytes().clear();
  for (int n = 0; n < 3; ++n) {
    chain.add<std::int32_t>(16 * (n + 1)).add<std::int32_t>(6).bytes().append(16 * n + 8, 'x');
    write_file(folder / "extensions" / ("made-" + std::to_string(n)), chain.bytes());
  }
  write_file(folder / "table" / "made",
             "participant_id\tage\t\"a \"\"b\"\"\"\r\nsub-1\t1.5e3\tn/a\r\nsub-2\t\t\"x\ty\"\n");

  SavedModel saved{.shape = {2, 3, 2}};
  saved.parts.push_back({Model<double>(LinearModel{random_normal({2, 3, 2}, 1)}), {}});
  saved.target = "age";
  write_model(folder / "model" / "made", saved);
  saved.classes = Classes{"control", "patient"};
  saved.mask.assign(12, 1);
  write_model(folder / "model" / "made-classes", saved);

  MmkModel vectors;
  vectors.recipe.region = Shape{2, 3, 2};
  vectors.recipe.width = 2;
  vectors.recipe.cut = 0.05;
  vectors.support = {{1, {1, 2, 3, 4, 5, 6, 7}}};
  vectors.coef = {0.5};
  saved.parts.front().model = Model<double>(vectors);
  write_model(folder / "model" / "made-cp", saved);

  FoldOutcome outcome{.method = "sturm", .setting = {1, 2}, .decision = {-1, 1}};
  outcome.grid = {{0.5, {1, 2}, {0.25}, 0.75, {1e-4}, 3}};
  outcome.shape = {2, 3, 1};
  outcome.positive = {5};
  outcome.negative = {2};
  outcome.coef = {1, 0, 1, 0, 0, 0};
  outcome.trace = {{1, 2, 3, 4}};
  const StudyIdentity study{{"inner", "9"}, {"the volumes", "3f2a"}};
  const std::string payload = encode({&outcome, 1});
  write_file(folder / "journal" / "made-payload", payload);
  write_file(folder / "journal" / "made", encode_head(study) + encode_record(digest(study), "sturm/0", payload));
  // A cut, a bit, one setting of the study and three records (journal.cpp).
  constexpr char pieces[] = "\x90\0\x20\0\3\0\1\0\3key\5value\3\0\4task\7payload\4more\4\nrec";
  write_file(folder / "journal" / "made-pieces", std::string_view(pieces, sizeof pieces));

  write_file(folder / "config" / "made", R"(# a study
target = "group"
gap = 1e-3
seed = 1_000
[cv]
methods = ["svm", 'lasso']
"outer" = 0x0A
resize = """0.5"""
when = 2026-11-19T05:00:00Z
[fit]
point = { x = 1, y = [1, 2.5, inf] }
a.b = "\u0061\t"
[[x]]
)");

  const auto [numbers, rest] = fuzz::sound_cache();
  write_file(folder / "cache" / "made-numbers", '\1' + numbers);
  write_file(folder / "cache" / "made-rest", std::string(1, '\0') + rest);
  write_file(folder / "cache" / "made-change", std::string_view("\3\x20\0\1", 4));
}
