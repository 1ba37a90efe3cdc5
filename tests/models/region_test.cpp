// SPDX-License-Identifier: BSD-3-Clause
// A fit sees the voxels of its region and nothing else: what lies outside may be anything, and a design that was laid
// out by hand gives the same.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/classes.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using test::fit_one;
using test::largest_difference;

constexpr Index samples = 24;
const Shape shape{5, 4, 3};
const std::vector<Normalize> normalisations{Normalize::none, Normalize::sample, Normalize::voxel};

/// The same number, or none in both.
void expect_equal(double a, double b) { EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " and " << b; }

class EveryRegion : public testing::TestWithParam<std::string> {
 protected:
  EveryRegion() {
    for (Index v = 0; v < shape.size(); ++v) mask_.push_back(v % 3 != 1 && v % 5 != 4);
    options_.solver.gap = 1e-6;
  }
  const Method<double>& method() const { return find_method<double>(GetParam()); }
  std::vector<double> setting(const FitData<double>& data, const FitTask& task) const {
    const auto grid = method().grid(data, task, GridKind::path);
    return grid[grid.size() / 2];
  }
  /// The volumes with something else outside the mask.
  template <class Value>
  Design<double> with_outside(const Value& value) const {
    AlignedVector<double> x(data_.design.x().begin(), data_.design.x().end());
    for (Index v = 0; v < shape.size(); ++v)
      for (Index i = 0; i < samples && !mask_[v]; ++i) x[v * samples + i] = value(i, v);
    return Design<double>::owning(shape, samples, std::move(x));
  }
  /// The columns inside the mask one after the other.
  Design<double> by_hand(const Region& region) const {
    AlignedVector<double> x;
    for (Index v = 0; v < shape.size(); ++v)
      if (mask_[v]) x.insert(x.end(), data_.design.column(v), data_.design.column(v) + samples);
    return Design<double>::owning(region, samples, std::move(x));
  }

  test::TwoClasses data_ = test::two_classes(shape, samples, 0.6, 4);
  std::vector<std::uint8_t> mask_;
  std::vector<double> weights_ = test::uneven_weights(samples);
  MethodOptions options_;
};

// The numbers that the method is given are the same in each case, so that all bits of what it gives are.
TEST_P(EveryRegion, WhatLiesOutsideTheMaskDoesNotMatter) {
  const Design<double> zeros = with_outside([](Index, Index) { return 0.0; });
  const Design<double> garbage =
      with_outside([](Index i, Index v) { return 1e9 * std::sin(static_cast<double>(i + v * v)); });
  const Design<double> nans = with_outside([](Index i, Index) {
    return i % 2 ? std::numeric_limits<double>::quiet_NaN() : -std::numeric_limits<double>::infinity();
  });
  const Region region(shape, mask_);
  for (const Normalize normalize : normalisations) {
    SCOPED_TRACE(to_word(normalize));
    const FitData<double> plain{linalg::cpu_backend(), data_.design, mask_, normalize};
    EXPECT_EQ(plain.design.x().size(), static_cast<std::size_t>(samples * region.size()));
    const std::vector<double> chosen = setting(plain, {data_.y, weights_, {}});
    const FitTask task{data_.y, weights_, chosen};
    const auto expected = fit_one(method(), plain, task, options_);
    for (const Design<double>& x : {zeros, garbage, nans, by_hand(region)}) {
      const FitData<double> given{linalg::cpu_backend(), x, mask_, normalize};
      EXPECT_EQ(setting(given, {data_.y, weights_, {}}), chosen);
      const auto model = fit_one(method(), given, task, options_);
      EXPECT_EQ(model->decision_values(), expected->decision_values());
      expect_equal(model->report.objective, expected->report.objective);
      expect_equal(model->report.sparsity, expected->report.sparsity);
      // New volumes, too, are looked at inside the mask alone: whatever stands outside, and with only its columns.
      const std::vector<double> here = expected->decision_values(data_.design);
      EXPECT_EQ(model->decision_values(x), here);
      EXPECT_EQ(expected->decision_values(x), here);
      // Fitted and predicted values are sums of 24 numbers near 5 in another order: a thousand roundings.
      EXPECT_LE(largest_difference(here, expected->decision_values()), 1e-10 * (1 + std::abs(here[0])));
    }
    if (expected->model().has_map()) {
      const LinearModel* linear = &expected->model().map();
      ASSERT_EQ(linear->coef.shape(), shape) << "a map is a map of the box";
      ASSERT_EQ(static_cast<Index>(expected->columns().size()), region.size());
      EXPECT_EQ(linear->coef, region.spread<double>(expected->columns()));
      EXPECT_EQ(linear->mask, mask_);
      const auto kept =
          static_cast<double>(std::ranges::count_if(linear->coef.flat(), [](double w) { return w != 0; }));
      EXPECT_DOUBLE_EQ(expected->report.sparsity, 1 - kept / static_cast<double>(shape.size()));
      EXPECT_DOUBLE_EQ(expected->report.sparsity_in_mask, 1 - kept / static_cast<double>(region.size()));
    }
  }
}

// Methods for which a volume is a list of voxels: the same list as a box of its own, of n x 1 x 1, gives the same
// function. The proved gap of lasso and enet leaves them room; with the same numbers in the same order they do not use
// it.
class ListRegion : public EveryRegion {};
TEST_P(ListRegion, AListOfVoxelsIsABoxOfItsOwn) {
  const Region region(shape, mask_);
  const Design<double> list = by_hand(Shape{region.size(), 1, 1});
  for (const Normalize normalize : normalisations) {
    SCOPED_TRACE(to_word(normalize));
    const FitData<double> inside{linalg::cpu_backend(), data_.design, mask_, normalize};
    const FitData<double> alone{linalg::cpu_backend(), list, {}, normalize};
    const std::vector<double> chosen = setting(inside, {data_.y, weights_, {}});
    EXPECT_EQ(setting(alone, {data_.y, weights_, {}}), chosen);
    const auto a = fit_one(method(), inside, {data_.y, weights_, chosen}, options_);
    const auto b = fit_one(method(), alone, {data_.y, weights_, chosen}, options_);
    EXPECT_LE(largest_difference(a->decision_values(), b->decision_values()), 1e-10);
    EXPECT_LE(largest_difference(a->decision_values(data_.design), b->decision_values(list)), 1e-10);
    EXPECT_TRUE(std::ranges::equal(a->columns(), b->columns()));
  }
}

// Methods that factor a volume as a box: with a mask they see one that is 0 outside. A whole box of those numbers is
// the same to them, unless samples are normalised, which takes the mean over other voxels. 1e-10: rounding of sums that
// skip the zeros or do not, through some tens of alternating least squares.
class BoxRegion : public EveryRegion {};
TEST_P(BoxRegion, ABoxWithAMaskIsABoxOfZerosOutside) {
  const Design<double> zeros = with_outside([](Index, Index) { return 0.0; });
  for (const Normalize normalize : {Normalize::none, Normalize::voxel}) {
    SCOPED_TRACE(to_word(normalize));
    const FitData<double> inside{linalg::cpu_backend(), data_.design, mask_, normalize};
    const FitData<double> whole{linalg::cpu_backend(), zeros, {}, normalize};
    const std::vector<double> chosen = setting(inside, {data_.y, weights_, {}});
    const auto a = fit_one(method(), inside, {data_.y, weights_, chosen}, options_);
    const auto b = fit_one(method(), whole, {data_.y, weights_, chosen}, options_);
    EXPECT_LE(largest_difference(a->decision_values(), b->decision_values()), 1e-10);
    EXPECT_LE(largest_difference(a->decision_values(data_.design), b->decision_values(zeros)), 1e-10);
  }
}

// A mask of ones is no mask.
TEST_P(EveryRegion, AMaskOfOnesIsTheBox) {
  const std::vector<std::uint8_t> ones(static_cast<std::size_t>(shape.size()), 1);
  const FitData<double> all{linalg::cpu_backend(), data_.design, ones}, box{linalg::cpu_backend(), data_.design};
  EXPECT_EQ(all.design.x().data(), data_.design.x().data()) << "nothing is copied";
  const std::vector<double> chosen = setting(box, {data_.y, weights_, {}});
  const auto a = fit_one(method(), all, {data_.y, weights_, chosen}, options_);
  const auto b = fit_one(method(), box, {data_.y, weights_, chosen}, options_);
  EXPECT_EQ(a->decision_values(), b->decision_values());
  if (a->model().has_map()) {
    EXPECT_TRUE(a->model().map().mask.empty());
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& method : methods<double>()) out.push_back(method->name());
  return out;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryRegion, testing::ValuesIn(names()));
INSTANTIATE_TEST_SUITE_P(Lists, ListRegion,
                         testing::Values("svm", "svm-rbf", "lasso", "enet", "ridge", "dummy", "lasso+svm", "enet+svm"));
INSTANTIATE_TEST_SUITE_P(Boxes, BoxRegion, testing::Values("mmk", "dusk", "surf"));

}  // namespace
}  // namespace sturm
