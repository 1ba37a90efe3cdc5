// SPDX-License-Identifier: BSD-3-Clause
// Studies of which it is known whether their coverage gives the target away: phantoms, of which parts are cut off.
// STURM_COVERAGE_SEEDS says how many of each kind (scripts/soak.sh has 50), STURM_COVERAGE_FIRST where the seeds begin.
#include "sturm/app/coverage_facts.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "sturm/core/rng.h"
#include "sturm/imaging/phantom.h"

namespace sturm {
namespace {

enum class Kind { two_groups, unbalanced, pairs, four_classes, regression, weak, ragged };
constexpr const char* names[] = {"two groups", "three to one", "pairs", "four classes", "regression", "weak", "ragged"};

struct Made {
  Coverage coverage;
  SampleKeys keys;
};

/// Every volume ends somewhere below, as windows of scanners do, one person's in one place; where a leak is planted,
/// nearly all volumes of one kind lack a slab at the front, and hardly any of the others. A weak leak is of nine in
/// ten and one in ten of eighty people; ragged volumes lack voxels here and there as well.
Made study(Kind kind, std::uint64_t seed, bool leak) {
  // A slab tells the sign of a number and not the number: with 40 people some of those correlations are not clear.
  const int people = kind == Kind::pairs ? 20 : kind == Kind::weak ? 80 : kind == Kind::regression ? 60 : 40;
  const int maps = kind == Kind::pairs ? 2 : 1;
  PhantomOptions options;
  options.subjects = people * maps;
  options.size = "12x14x12";
  options.seed = seed;
  const Phantom phantom(options);
  const Shape shape = phantom.grid().shape;
  Made out{Coverage(shape, people * maps), {}};
  out.keys.classification = kind != Kind::regression;
  if (kind == Kind::four_classes) out.keys.several = 4;
  Rng rng(seed, stream_of("coverage"));
  for (int p = 0; p < people; ++p) {
    const auto cut = static_cast<Index>(rng.below(4));
    for (int m = 0; m < maps; ++m) {
      const Index sample = p * maps + m;
      double y = 0;
      switch (kind) {
        case Kind::two_groups:
        case Kind::weak:
        case Kind::ragged: y = p % 2 ? 1 : -1; break;
        case Kind::unbalanced: y = p % 4 ? 1 : -1; break;
        case Kind::pairs: y = m ? 1 : -1; break;
        case Kind::four_classes: y = p % 4; break;
        case Kind::regression: y = rng.normal(); break;
      }
      const bool marked = kind == Kind::four_classes ? y == 2 : y > 0;
      const bool lacks = rng.uniform() < (kind == Kind::weak ? (marked ? 0.9 : 0.1) : marked ? 0.98 : 0.01);
      TensorF volume = phantom.volume(sample);
      for (Index v = 0; v < shape.size(); ++v) {
        const Index j = v / shape.n1 % shape.n2, k = v / shape.slice();
        if (k < 2 + cut || (leak && lacks && j >= shape.n2 - 4)) volume.data()[v] = 0;
        if (kind == Kind::ragged && rng.below(40) == 0) volume.data()[v] = 0;
      }
      out.coverage.add(sample, std::span<const float>(volume.flat()));
      char id[32];
      std::snprintf(id, sizeof id, "%03d-%d", p, m);
      out.keys.ids.emplace_back(id);
      out.keys.groups.push_back(std::string(id).substr(0, 3));
      out.keys.y.push_back(y);
    }
  }
  return out;
}

int from_environment(const char* name, int otherwise) {
  const char* const wish = std::getenv(name);
  return wish ? std::atoi(wish) : otherwise;
}
int seeds() { return from_environment("STURM_COVERAGE_SEEDS", 6); }

class CoverageOf : public testing::TestWithParam<Kind> {};

// A planted leak is found in every study, and none where there is none; and the sentence says how well it tells.
TEST_P(CoverageOf, ALeakIsFlaggedAndACleanStudyIsNot) {
  double least = 1, most = 0;
  const int first = from_environment("STURM_COVERAGE_FIRST", 1);
  for (int seed = first; seed < first + seeds(); ++seed) {
    const Made with = study(GetParam(), static_cast<std::uint64_t>(seed), true);
    const CoveredVoxels covered = covered_voxels(with.coverage, MaskRule::automatic);
    const CoverageFacts found = coverage_facts(with.coverage, covered.mask, with.keys, "group", 1);
    EXPECT_TRUE(found.leak) << seed << " " << found.sentence;
    EXPECT_NE(found.sentence.find("COVERAGE LEAK"), std::string::npos);
    EXPECT_NE(found.sentence.find(GetParam() == Kind::regression ? "correlation 0." : "AUC "), std::string::npos);
    EXPECT_EQ(found.varying_in_mask, 0) << "the mask holds what all volumes cover";
    EXPECT_NE(found.sentence.find("it is gone there"), std::string::npos);
    least = std::min(least, found.volumes ? found.volumes->value.value : 0);

    const Made without = study(GetParam(), static_cast<std::uint64_t>(seed), false);
    const CoverageFacts clean = coverage_facts(without.coverage, {}, without.keys, "group", 1);
    EXPECT_GT(clean.varying, 0) << "the windows differ, or the test says nothing";
    EXPECT_FALSE(clean.leak) << seed << " " << clean.sentence;
    most = std::max(most, clean.volumes ? clean.volumes->value.value : 0);
  }
  std::printf("%s: %d seeds each: with a leak at least %.3f, without at most %.3f\n",
              names[static_cast<int>(GetParam())], seeds(), least, most);
}
INSTANTIATE_TEST_SUITE_P(Kinds, CoverageOf,
                         testing::Values(Kind::two_groups, Kind::unbalanced, Kind::pairs, Kind::four_classes,
                                         Kind::regression, Kind::weak, Kind::ragged));

TEST(CoverageFacts, AMaskThatKeepsTheLeakIsTold) {
  const Made with = study(Kind::two_groups, 3, true);
  const CoveredVoxels any = covered_voxels(with.coverage, MaskRule::any);
  const CoverageFacts found = coverage_facts(with.coverage, any.mask, with.keys, "group", 1);
  ASSERT_TRUE(found.leak && found.in_mask);
  EXPECT_TRUE(found.in_mask->clear);
  EXPECT_NE(found.sentence.find("inside the mask, too"), std::string::npos) << found.sentence;
  EXPECT_NE(found.sentence.find("`mask auto`"), std::string::npos);
}

// Lesions in other places in patients than in controls are what the study is about.
TEST(CoverageFacts, WhereZeroIsAValueItIsNoGap) {
  Rng rng(2);
  Coverage lesions({6, 6, 6}, 24);
  SampleKeys keys;
  keys.classification = true;
  for (int m = 0; m < 24; ++m) {
    std::vector<float> x(216, 0);
    for (int v = 0; v < 216; ++v)
      if (rng.below(m % 2 == (v < 108) ? 10 : 100) == 0) x[v] = 1;
    lesions.add(m, std::span<const float>(x));
    keys.ids.push_back(std::to_string(100 + m));
    keys.y.push_back(m % 2 ? 1 : -1);
  }
  const CoverageFacts found = coverage_facts(lesions, {}, keys, "group", 1);
  EXPECT_FALSE(found.leak) << found.sentence;
  EXPECT_NE(found.sentence.find("0 counts as a value"), std::string::npos) << found.sentence;
}

TEST(CoverageFacts, WhereAllCoverTheSameThereIsNothingToTell) {
  Coverage same({4, 4, 4}, 8);
  SampleKeys keys;
  for (int m = 0; m < 8; ++m) {
    std::vector<float> x(64, 0);
    for (int v = 10; v < 40; ++v) x[v] = static_cast<float>(1 + m + v);
    same.add(m, std::span<const float>(x));
    keys.ids.push_back(std::to_string(m));
    keys.y.push_back(m % 2);
  }
  const CoverageFacts found = coverage_facts(same, {}, keys, "group", 1);
  EXPECT_EQ(found.varying, 0);
  EXPECT_FALSE(found.leak);
  EXPECT_FALSE(found.volumes.has_value());
}

// What is said of volumes left out is what a count by hand finds.
TEST(LackingWhenTested, CountsWhatTestVolumesLack) {
  const Shape shape{6, 5, 4};
  constexpr Index samples = 12;
  const auto coverage = std::make_shared<Coverage>(shape, samples);
  AlignedVector<float> x(static_cast<std::size_t>(samples * shape.size()));
  std::vector<std::string> who;
  for (Index m = 0; m < samples; ++m) {
    std::vector<float> volume(static_cast<std::size_t>(shape.size()));
    for (Index v = 0; v < shape.size(); ++v) volume[v] = static_cast<float>(1 + (7 * m + v * v) % 13);
    if (m == 5)
      for (int v = 0; v < 9; ++v) volume[v] = 0;
    for (Index v = 0; v < shape.size(); ++v) x[m + samples * v] = volume[v];
    coverage->add(m, std::span<const float>(volume));
    who.push_back("s" + std::to_string(m));
  }
  const LearntMasks<float> masks(Design<float>::owning(shape, samples, std::move(x)), {}, coverage,
                                 MaskRule::automatic);
  Folds outer;
  outer.names = {"1", "2", "3"};
  for (Index m = 0; m < samples; ++m) outer.of.push_back(static_cast<int>(m % 3));
  const std::string sentence = lacking_when_tested(masks, *coverage, outer, who);
  EXPECT_NE(sentence.find("In 1 of 3 outer folds"), std::string::npos) << sentence;
  EXPECT_NE(sentence.find("at most 9 of 120 voxels, in s5"), std::string::npos) << sentence;
}

}  // namespace
}  // namespace sturm
