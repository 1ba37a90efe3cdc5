// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/outcome_record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sturm/core/error.h"

namespace sturm {
namespace {

TEST(OutcomeRecord, ComesBackAsItWas) {
  FoldOutcome o;
  o.method = "sturm";
  o.grid = {{0.5,
             {1e-3, 2},
             {0.25, std::numeric_limits<double>::quiet_NaN()},
             0.75,
             {1e-4, std::numeric_limits<double>::quiet_NaN()},
             3}};
  o.resize = 0.5;
  o.setting = {1e-3, 2};
  o.inner_score = 0.1 + 0.2;
  o.decision = {-0.0, 1e-300, -3};
  o.relative_gap = std::numeric_limits<double>::quiet_NaN();
  o.status = Status::iteration_limit;
  o.iterations = 17;
  o.tubal_rank = 4;
  o.shape = {2, 3, 4};
  o.positive = {1, 2, 255};
  o.negative = {0, 4, 0};
  o.best_score = 0.75;
  o.standard_error = 0.125;
  o.pattern.assign(24, -0.25F);
  FoldOutcome sparser;
  sparser.method = "sturm";
  sparser.setting = {1e-2, 2};
  sparser.shape = o.shape;
  sparser.coef.assign(24, 2.0F);
  o.readable = {sparser};
  o.grid[0].sparsity_in_mask = 0.625;
  o.coef.assign(24, 0.5F);
  o.coef[1] = -1e-30F;
  o.trace = {{1, 2, 3, 4}};
  o.fitted = {0.25, -1};
  o.model.arrays["coef"] = {"F32", {2, 1}, std::string("\0\x01\xff\n\0\0\0\0", 8)};
  o.model.metadata = {{"method", "sturm"}};
  const std::string bytes = encode({&o, 1});
  const std::vector<FoldOutcome> back = decode(bytes, "a task");
  ASSERT_EQ(back.size(), 1U);
  EXPECT_EQ(back[0].fitted, o.fitted);
  EXPECT_EQ(back[0].model.arrays.at("coef").bytes, o.model.arrays.at("coef").bytes);
  EXPECT_EQ(back[0].model.arrays.at("coef").shape, (std::vector<Index>{2, 1}));
  EXPECT_EQ(back[0].model.metadata, o.model.metadata);
  EXPECT_EQ(encode(back), bytes);
  EXPECT_TRUE(std::isnan(back[0].grid[0].scores[1]));
  EXPECT_TRUE(std::signbit(back[0].decision[0]));
  EXPECT_EQ(back[0].coef, o.coef);
  EXPECT_EQ(back[0].pattern, o.pattern);
  ASSERT_EQ(back[0].readable.size(), 1U);
  EXPECT_EQ(back[0].readable[0].coef, sparser.coef);
  EXPECT_EQ(back[0].standard_error, 0.125);
  EXPECT_EQ(back[0].grid[0].sparsity_in_mask, 0.625);
  EXPECT_EQ(back[0].sign(0, 0), 1);
  EXPECT_EQ(back[0].sign(10, 0), -1);
  EXPECT_EQ(back[0].sign(1, 0), 0);
  EXPECT_EQ(back[0].status, o.status);
  EXPECT_EQ(back[0].grid[0].unconverged, 3);
}

TEST(OutcomeRecord, RefusesWhatItDidNotWrite) {
  const FoldOutcome o;
  const std::string bytes = encode({&o, 1});
  for (std::size_t cut = 0; cut < bytes.size(); ++cut) EXPECT_THROW(decode(bytes.substr(0, cut), "a task"), Error);
  EXPECT_THROW(decode("\x81\x01", "a task"), Error);
  EXPECT_THROW(decode(std::string(1 << 20, '\x81') + '\x01', "a task"), Error) << "a million lists inside each other";
}

/// The record of an outcome with other bytes in one place.
std::string altered(const FoldOutcome& o, const std::string& from, const std::string& to) {
  std::string bytes = encode({&o, 1});
  const std::size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return bytes.replace(at, from.size(), to);
}

// A program with another idea of a record writes a sound checksum, too.
TEST(OutcomeRecord, RefusesNumbersThatItCannotHold) {
  FoldOutcome o;
  o.iterations = 7;
  o.shape = {2, 3, 4};
  EXPECT_EQ(decode(altered(o, "jiterations\7", "jiterations\5"), "a task").at(0).iterations, 5);
  const std::string four_bytes("jiterations\x1a\xff\xff\xff\xff", 16),
      double_number("jiterations\xfb\x7e\x37\0\0\0\0\0\0", 20);
  EXPECT_THROW(decode(altered(o, "jiterations\7", four_bytes), "a task"), Error);
  EXPECT_THROW(decode(altered(o, "jiterations\7", double_number), "a task"), Error);
  EXPECT_THROW(decode(altered(o, "eshape\x83\2\3\4", "eshape\x83\2\3\x23"), "a task"), Error) << "an extent of -4";
}

TEST(OutcomeRecord, RefusesMapsOfOtherVoxels) {
  FoldOutcome o;
  o.shape = {2, 3, 4};
  o.positive = o.negative = {1, 2};
  EXPECT_THROW(decode(encode({&o, 1}), "a task"), Error);
  o.positive = o.negative = {1, 2, 3};
  EXPECT_NO_THROW(decode(encode({&o, 1}), "a task"));
  o.negative = {1, 2};
  EXPECT_THROW(decode(encode({&o, 1}), "a task"), Error);
  o.negative = o.positive;
  o.coef.resize(24);
  o.pattern.resize(12);
  EXPECT_THROW(decode(encode({&o, 1}), "a task"), Error);
  o.pattern.clear();
  o.coef.resize(25);
  EXPECT_THROW(decode(encode({&o, 1}), "a task"), Error);
}

// Grids are kept of true labels, coefficients of the model of all samples, and the signs of the voxels in each class.
TEST(OutcomeRecord, KeepsWhatResultsNeed) {
  NestedOutcome found;
  found.grid = {{0.5, {2}, {0.75}, 0.25, {1e-4}, 0}};
  found.choice.mean = 0.75;
  found.decision = {1, -1};
  found.shape = {3, 1, 3};
  found.coef = {0, 0, 0, 0, 0, 0, 0, 0, 1, -2, 0, 0, 0, 0, 0, 0, 0, 0};  // of two classes
  found.report.trace = {{1, 2, 3, 4}};
  const FoldOutcome fold = kept("lasso", found, true, false);
  EXPECT_EQ(fold.resize, 0.5);
  EXPECT_EQ(fold.setting, std::vector<double>{2});
  EXPECT_EQ(fold.inner_score, 0.75);
  EXPECT_EQ(fold.positive, (std::vector<std::uint8_t>{0, 1, 0, 0}));  // voxel 8 in the first class
  EXPECT_EQ(fold.negative, (std::vector<std::uint8_t>{0, 0, 1, 0}));  // voxel 0 in the second
  EXPECT_EQ(fold.classes_of_signs(), 2);
  EXPECT_TRUE(fold.selects(0) && fold.selects(8) && !fold.selects(1));
  EXPECT_TRUE(fold.coef.empty() && fold.trace.empty());
  EXPECT_EQ(fold.grid.size(), 1U);
  const FoldOutcome permuted = kept("lasso", found, false, false);
  EXPECT_TRUE(permuted.grid.empty() && !permuted.has_signs());
  EXPECT_EQ(kept("lasso", found, true, true).coef, found.coef);
}

}  // namespace
}  // namespace sturm
