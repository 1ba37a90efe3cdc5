// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/nested.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "eval/small_study.h"
#include "sturm/eval/permutation.h"
#include "sturm/eval/scores.h"
#include "sturm/imaging/mask.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using test::small_study;

/// The accuracy over five outer folds for each vector of labels, which has folds of its own.
std::vector<double> accuracies(const NestedStudy<double>& study, const std::string& method,
                               const std::vector<std::vector<double>>& labels) {
  std::vector<double> out;
  for (const std::vector<double>& y : labels) {
    SampleKeys keys = study.keys;
    keys.y = y;
    const Folds outer = make_folds(keys, {FoldKind::count, 5, "", "outer"}, 1);
    double right = 0;
    for (int fold = 0; fold < outer.count(); ++fold) {
      const NestedTask task{outer.train(fold), outer.test(fold), {y}, static_cast<std::uint64_t>(fold)};
      const auto outcome = nested(study, Family<double>{&find_method<double>(method)}, task)[0][0];
      for (std::size_t i = 0; i < task.test.size(); ++i) right += (outcome.decision[i] >= 0) == (y[task.test[i]] > 0);
    }
    out.push_back(right / static_cast<double>(study.keys.rows()));
  }
  return out;
}

std::vector<std::vector<double>> permutations(const SampleKeys& keys, Index count) {
  std::vector<std::vector<double>> out;
  for (Index n = 1; n <= count; ++n) out.push_back(permuted_targets(keys, Exchange::samples, 3, n));
  return out;
}

// Inner fits to a larger gap first: the setting that is chosen, and all within one sample of it, are then as exact as
// was asked for; the others are proven to the larger gap; the model is always exact; and fewer iterations were taken.
TEST(Nested, InnerFitsAreAsExactAsTheChoiceNeeds) {
  NestedStudy<double> study = small_study(36, 0.8, 5);
  study.options.method.solver.gap = 1e-5;
  NestedTask task{{}, {}, {study.keys.y}, 1};
  for (Index m = 0; m < 36; ++m) (m < 30 ? task.train : task.test).push_back(m);
  for (const char* method : {"sturm", "remurs"}) {
    const Family<double> family{&find_method<double>(method)};
    study.options.inner_gap = 1e-2;
    const NestedOutcome rough = nested(study, family, task)[0][0];
    study.options.inner_gap = 0;
    const NestedOutcome exact = nested(study, family, task)[0][0];
    Index refined = 0;
    double best = 0;
    const auto mean = [](const GridPoint& p) { return mean_sd(p.scores).mean; };
    for (const GridPoint& p : rough.grid) best = std::max(best, mean(p));
    for (std::size_t g = 0; g < rough.grid.size(); ++g) {
      const GridPoint& p = rough.grid[g];
      EXPECT_EQ(p.setting, exact.grid[g].setting);
      EXPECT_LE(p.worst_gap(), 1e-2);
      EXPECT_LE(exact.grid[g].worst_gap(), 1e-5);
      EXPECT_EQ(p.unconverged, 0);
      refined += p.worst_gap() <= 1e-5;
      if (mean(p) >= best - 1.0 / 30 + 1e-9) {
        EXPECT_LE(p.worst_gap(), 1e-5) << method << ": a setting that could be chosen";
      }
      // What is exact is the same fit, to the bit, whether a rough one came before it or not.
      if (p.worst_gap() <= 1e-5 && exact.grid[g].gaps == p.gaps) {
        EXPECT_EQ(p.scores, exact.grid[g].scores);
      }
    }
    EXPECT_LE(rough.chosen().worst_gap(), 1e-5);
    EXPECT_LE(rough.report.relative_gap, 1e-5);
    EXPECT_FALSE(rough.report.trace.empty());
    // The model may have been fitted beside the contenders: it is the one that a fit of its own gives, to the bit.
    const Design<double> train = part_of(study.resolutions[0].design, task.train, study.resolutions[0].design.region());
    std::vector<double> y;
    for (const Index row : task.train) y.push_back(study.keys.y[row]);
    const FitTask own{y, {}, rough.chosen().setting};
    family[0]->fit(study.data(*family[0], train), {&own, 1}, study.options.method, [&](Index, const auto& model) {
      const auto coef = model->model().map().coef.flat();
      EXPECT_TRUE(std::ranges::equal(coef, rough.coef, {}, [](double v) { return static_cast<float>(v); }));
      EXPECT_EQ(model->report.iterations, rough.report.iterations);
    });
    EXPECT_GT(refined, 0);
    EXPECT_LT(refined, std::ssize(rough.grid)) << "nothing was spared";
  }
  // A machine on the voxels of a fit changes by many samples with it: its fits are exact from the beginning.
  study.options.inner_gap = 1e-2;
  const auto both =
      nested(study, Family<double>{&find_method<double>("sturm"), &find_method<double>("sturm+svm")}, task);
  for (const GridPoint& p : both[0][0].grid) EXPECT_LE(p.worst_gap(), 1e-5);
}

TEST(Nested, FindsWhatIsThereAndNothingWhereNothingIs) {
  for (const char* method : {"svm", "ridge", "lasso"}) {
    const NestedStudy<double> strong = small_study(40, 1.5, 1), none = small_study(40, 0, 2);
    EXPECT_GE(accuracies(strong, method, {strong.keys.y}).front(), 0.95) << method;
    // 40 tosses of a coin lie within 0.5 +- 0.24 in 99.8 % of all cases.
    EXPECT_NEAR(accuracies(none, method, {none.keys.y}).front(), 0.5, 0.24) << method;
  }
}

// 200 runs under permuted labels on a study with a strong signal: their mean accuracy is that of chance, within three
// standard errors, and p-values made from them are not below uniform. The bound for the share of p <= 0.1 is three
// standard deviations of a binomial share of 200 above 0.1. 30 samples, so that five folds hold both classes alike:
// where a test set has more of one class its training set has less of it, and chance is below one half.
TEST(Nested, ChanceIsChance) {
  const NestedStudy<double> study = small_study(30, 1, 3);
  const std::vector<double> null = accuracies(study, "svm", permutations(study.keys, 200));
  const MeanSd over = mean_sd(null);
  EXPECT_NEAR(over.mean, 0.5, 3 * over.sd / std::sqrt(200.0));
  Index low = 0;
  for (std::size_t i = 0; i < null.size(); ++i) {
    std::vector<double> others = null;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    low += permutation_p(null[i], others) <= 0.1;
  }
  EXPECT_LE(static_cast<double>(low) / 200, 0.1 + 3 * std::sqrt(0.1 * 0.9 / 200));
  EXPECT_LE(permutation_p(accuracies(study, "svm", {study.keys.y}).front(), null), 0.01);
}

/// A study that leaks: voxels are ranked with the labels of all samples before anything is split.
std::vector<std::uint8_t> leaky_mask(const NestedStudy<double>& study, const std::vector<double>& y) {
  const Design<double>& x = study.resolutions.front().design;
  std::vector<double> size(x.voxels());
  for (Index v = 0; v < x.voxels(); ++v) size[v] = std::abs(pearson({x.column(v), y.size()}, y));
  std::vector<Index> order(x.voxels());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, std::greater<>{}, [&](Index v) { return size[v]; });
  std::vector<std::uint8_t> mask(x.voxels());
  for (int i = 0; i < 10; ++i) mask[order[i]] = 1;
  return mask;
}

TEST(Nested, PermutationsCatchALeak) {
  NestedStudy<double> study = small_study(20, 0, 5);
  const Design<double> whole = study.resolutions.front().design;
  const auto leaky = [&](const std::vector<double>& y) {
    study.resolutions.front().design = whole;
    study.resolutions.front().design = masked(whole, leaky_mask(study, y));
    return accuracies(study, "svm", {y}).front();
  };
  const double observed = leaky(study.keys.y);
  EXPECT_GE(observed, 0.7);  // from noise
  std::vector<double> null;
  for (const std::vector<double>& y : permutations(study.keys, 40)) null.push_back(leaky(y));
  EXPECT_GT(permutation_p(observed, null), 0.1);  // the whole procedure does as well on labels that mean nothing
  study.resolutions.front().design = whole;
  EXPECT_LT(accuracies(study, "svm", {study.keys.y}).front(), 0.7);  // and without the leak there is nothing
}

// A method and its "+ SVM" fitted together give what each gives alone.
TEST(Nested, FamiliesShareFitsAndChangeNothing) {
  const NestedStudy<double> study = small_study(24, 1, 7);
  const Folds outer = make_folds(study.keys, {FoldKind::count, 3, "", "outer"}, 1);
  const NestedTask task{outer.train(0), outer.test(0), {study.keys.y}, 4};
  const auto* lasso = &find_method<double>("lasso");
  const auto* plus = &find_method<double>("lasso+svm");
  const auto together = nested(study, Family<double>{lasso, plus}, task);
  const auto first = nested(study, Family<double>{lasso}, task), second = nested(study, Family<double>{plus}, task);
  EXPECT_EQ(together[0][0].decision, first[0][0].decision);
  EXPECT_EQ(together[1][0].decision, second[0][0].decision);
  ASSERT_EQ(together[1][0].grid.size(), second[0][0].grid.size());
  for (std::size_t g = 0; g < second[0][0].grid.size(); ++g)
    EXPECT_EQ(together[1][0].grid[g].scores, second[0][0].grid[g].scores);
}

// Labels side by side in one batch give what each gives alone.
TEST(Nested, LabelsSideBySideChangeNothing) {
  const NestedStudy<double> study = small_study(24, 1, 8);
  std::vector<std::vector<double>> labels = permutations(study.keys, 2);
  labels.push_back(study.keys.y);
  const Folds outer = make_folds(study.keys, {FoldKind::count, 3, "", "outer"}, 1);
  const Family<double> family{&find_method<double>("sturm")};
  const auto together = nested(study, family, {outer.train(0), outer.test(0), labels, 2});
  for (std::size_t l = 0; l < labels.size(); ++l) {
    const auto alone = nested(study, family, {outer.train(0), outer.test(0), {labels[l]}, 2});
    EXPECT_EQ(together[0][l].decision, alone[0][0].decision);
    EXPECT_EQ(together[0][l].chosen().setting, alone[0][0].chosen().setting);
  }
}

// Samples of weight 0 are not there: whatever their volumes and labels are, no number of a model changes.
TEST(Nested, SamplesOfWeightZeroTeachNothing) {
  for (const char* method : {"lasso", "svm", "sturm", "ridge"}) {
    NestedStudy<double> study = small_study(26, 1, 12), other = study;
    study.weights.assign(26, 1.5);
    for (const Index row : {4, 9}) study.weights[row] = 0;
    other.weights = study.weights;
    const Design<double>& x = study.resolutions.front().design;
    AlignedVector<double> noise(x.x().begin(), x.x().end());
    for (Index v = 0; v < x.voxels(); ++v)
      for (const Index row : {4, 9}) noise[row + 26 * v] = 50.0 + static_cast<double>(v * row % 13);
    other.resolutions.front().design = Design<double>::owning(test::study_shape, 26, std::move(noise));
    other.keys.y[4] = -other.keys.y[4];
    const Folds outer = make_folds(study.keys, {FoldKind::count, 3, "", "outer"}, 1);
    std::vector<Index> test;
    for (const Index row : outer.test(0))
      if (row != 4 && row != 9) test.push_back(row);
    const Family<double> family{&find_method<double>(method)};
    const auto one = nested(study, family, {outer.train(0), test, {study.keys.y}, 2});
    const auto two = nested(other, family, {outer.train(0), test, {other.keys.y}, 2});
    EXPECT_EQ(one[0][0].decision, two[0][0].decision) << method;
    EXPECT_EQ(one[0][0].chosen().setting, two[0][0].chosen().setting) << method;
  }
}

// Classes that count alike are classes whose samples have these weights: twice as many, half the weight.
TEST(Nested, BalancedIsWeighted) {
  NestedStudy<double> study = small_study(24, 1, 13);
  for (Index m = 0; m < 24; ++m) study.keys.y[m] = m % 3 == 0 ? 1 : -1;
  NestedStudy<double> weighted = study;
  study.options.balanced = true;
  for (const double y : study.keys.y) weighted.weights.push_back(y > 0 ? 1.5 : 0.75);
  const Folds outer = make_folds(study.keys, {FoldKind::count, 4, "", "outer"}, 1);
  study.options.inner.count = weighted.options.inner.count = 3;  // 6 and 12 samples in four, then in three parts
  for (const char* method : {"lasso", "svm", "sturm"}) {
    const Family<double> family{&find_method<double>(method)};
    const NestedTask task{outer.train(0), outer.test(0), {study.keys.y}, 2};
    EXPECT_EQ(nested(study, family, task)[0][0].decision, nested(weighted, family, task)[0][0].decision) << method;
    study.options.balanced = false;
    EXPECT_NE(nested(study, family, task)[0][0].decision, nested(weighted, family, task)[0][0].decision) << method;
    study.options.balanced = true;
  }
}

// Two sizes of the volumes: the one that holds the signal is chosen.
TEST(Nested, ChoosesTheSizeOfTheVolumes) {
  NestedStudy<double> study = small_study(40, 0, 9);
  study.resolutions.front().resize = 0.3;
  study.resolutions.push_back(std::move(small_study(40, 2, 10).resolutions.front()));
  const Folds outer = make_folds(study.keys, {FoldKind::count, 4, "", "outer"}, 1);
  const NestedTask task{outer.train(1), outer.test(1), {study.keys.y}, 1};
  const auto outcome = nested(study, Family<double>{&find_method<double>("svm")}, task)[0][0];
  EXPECT_EQ(outcome.resolution, 1U);
  EXPECT_EQ(outcome.chosen().resize, 1);
  EXPECT_GE(outcome.choice.mean, 0.9);
}

// A method and its "+ SVM" may choose different sizes; where both sizes hold a weak signal, some do.
TEST(Nested, TheMethodsOfAFamilyChooseTheirOwnSizes) {
  const Family<double> family{&find_method<double>("sturm"), &find_method<double>("sturm+svm")};
  int apart = 0;
  for (std::uint64_t seed = 0; apart == 0 && seed < 40; ++seed) {
    NestedStudy<double> study = small_study(20, 0.5, 20 + seed);
    study.options.method.memory = Index{1} << 30;
    study.resolutions.front().resize = 0.3;
    study.resolutions.push_back(std::move(small_study(20, 0.5, 60 + seed).resolutions.front()));
    const Folds outer = make_folds(study.keys, {FoldKind::count, 4, "", "outer"}, 1);
    const auto found = nested(study, family, {outer.train(0), outer.test(0), {study.keys.y}, 1});
    for (const auto& outcomes : found) EXPECT_EQ(outcomes[0].decision.size(), outer.test(0).size());
    apart += found[0][0].resolution != found[1][0].resolution;
  }
  EXPECT_GT(apart, 0) << "the test does not test what it says";
}

/// The same number, or none in both.
void expect_equal(double a, double b) { EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " and " << b; }

/// What two outcomes have in common is every number but the seconds.
void expect_same_outcome(const NestedOutcome& a, const NestedOutcome& b) {
  ASSERT_EQ(a.grid.size(), b.grid.size());
  for (std::size_t g = 0; g < a.grid.size(); ++g) {
    EXPECT_EQ(a.grid[g].resize, b.grid[g].resize);
    EXPECT_EQ(a.grid[g].setting, b.grid[g].setting);
    EXPECT_EQ(a.grid[g].scores, b.grid[g].scores);
    expect_equal(a.grid[g].sparsity, b.grid[g].sparsity);
    expect_equal(a.grid[g].worst_gap(), b.grid[g].worst_gap());
    EXPECT_EQ(a.grid[g].unconverged, b.grid[g].unconverged);
  }
  EXPECT_EQ(a.choice.chosen, b.choice.chosen);
  EXPECT_EQ(a.choice.mean, b.choice.mean);
  EXPECT_EQ(a.decision, b.decision);
  EXPECT_EQ(a.coef, b.coef);
  EXPECT_EQ(a.mask, b.mask);
  EXPECT_EQ(a.shape, b.shape);
  EXPECT_EQ(a.resolution, b.resolution);
  expect_equal(a.report.objective, b.report.objective);
  expect_equal(a.report.intercept, b.report.intercept);
  expect_equal(a.report.sparsity, b.report.sparsity);
  expect_equal(a.report.sparsity_in_mask, b.report.sparsity_in_mask);
  EXPECT_EQ(a.report.iterations, b.report.iterations);
}

/// Each training set takes the voxels that vary in it.
void learn_masks(Resolution<double>& resolution) {
  resolution.learn = [design = resolution.design](std::span<const Index> train, std::span<const Index> rows) {
    return part_of(design, rows, Region(design.shape(), auto_mask(design, train)));
  };
}

/// Voxels of two planes are the same in all samples (0 and 3), and two vary among some of the test samples alone: they
/// are columns of the design that the mask of a training set leaves out.
NestedStudy<double> with_constant_voxels(Index samples, double effect, std::uint64_t seed,
                                         std::span<const Index> test) {
  NestedStudy<double> study = small_study(samples, effect, seed);
  const Design<double>& noise = study.resolutions.front().design;
  AlignedVector<double> x(noise.x().begin(), noise.x().end());
  for (Index v = 0; v < noise.voxels(); ++v)
    for (Index m = 0; m < samples; ++m)
      if (v % 4 == 0 || v == 18 || v == 50) x[m + samples * v] = v % 5 == 0 ? 0 : 3;
  for (std::size_t i = 0; i < test.size(); i += 2) x[test[i] + samples * 18] = x[test[i] + samples * 50] = 8;
  study.resolutions.front().design = Design<double>::owning(test::study_shape, samples, std::move(x));
  learn_masks(study.resolutions.front());
  return study;
}

// Loaded whole, or as the voxels that vary at all: masks are learnt from the training rows either way, and every number
// that comes out is the same, because it is made from the same numbers in the same order.
TEST(Nested, VoxelsThatNoMaskHoldsChangeNothing) {
  const Folds outer = make_folds(small_study(24, 1, 11).keys, {FoldKind::count, 3, "", "outer"}, 1);
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel})
    for (const bool confounded : {false, true}) {
      NestedStudy<double> whole = with_constant_voxels(24, 1, 11, outer.test(0));
      whole.options.normalize = normalize;
      whole.resolutions.front().resize = 0.5;
      whole.resolutions.push_back(std::move(with_constant_voxels(24, 0.5, 12, outer.test(0)).resolutions.front()));
      if (confounded) {
        whole.confounds.columns = 1;
        for (Index m = 0; m < 24; ++m) whole.confounds.values.push_back(std::sin(static_cast<double>(m)));
      }
      NestedStudy<double> varying = whole;
      for (Resolution<double>& resolution : varying.resolutions) {
        VoxelRanges ranges(resolution.design.shape());
        const Design<double>& x = resolution.design;
        for (Index m = 0; m < x.samples(); ++m) {
          std::vector<double> volume;
          for (Index v = 0; v < x.voxels(); ++v) volume.push_back(x.column(v)[m]);
          ranges.add(std::span<const double>(volume));
        }
        resolution.design = masked(x, sturm::varying(ranges));
        learn_masks(resolution);
        ASSERT_EQ(resolution.design.voxels(), 45);
      }
      for (const Family<double>& family :
           {Family<double>{&find_method<double>("svm")}, Family<double>{&find_method<double>("svm-rbf")},
            Family<double>{&find_method<double>("lasso"), &find_method<double>("lasso+svm")},
            Family<double>{&find_method<double>("sturm"), &find_method<double>("sturm+svm")},
            Family<double>{&find_method<double>("ridge")}, Family<double>{&find_method<double>("dusk")}}) {
        const NestedTask task{outer.train(0), outer.test(0), {whole.keys.y}, 3};
        const auto a = nested(whole, family, task), b = nested(varying, family, task);
        for (std::size_t m = 0; m < family.size(); ++m) {
          SCOPED_TRACE(family[m]->name() + " " + to_word(normalize) + (confounded ? " confounds" : ""));
          expect_same_outcome(a[m][0], b[m][0]);
          EXPECT_EQ(std::ranges::count(b[m][0].mask, 1), 43) << "two voxels vary in the test set alone";
        }
      }
    }
}

}  // namespace
}  // namespace sturm
