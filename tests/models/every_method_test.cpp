// SPDX-License-Identifier: BSD-3-Clause
// What holds for every method of the registry, whatever it is: folds, batches, several classes, regression.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "models/classes.h"
#include "sturm/models/kernel/svm.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

using test::fit_all;
using test::fit_one;
using test::largest_difference;

constexpr Index samples = 36;
const Shape shape{5, 4, 3};

/// Noise, and a block of rank 1 in a corner of its own for each of three classes.
struct ThreeClasses {
  Design<double> design;
  std::vector<int> label;
};

ThreeClasses three_classes(std::uint64_t seed) {
  std::vector<int> label;
  for (Index i = 0; i < samples; ++i) label.push_back(static_cast<int>(i % 3));
  AlignedVector<double> x(samples * shape.size());
  Rng rng(seed);
  for (Index v = 0; v < shape.size(); ++v) {
    const Index row = v % shape.n1, column = v / shape.n1 % shape.n2;
    for (Index i = 0; i < samples; ++i) {
      const bool block = row / 2 == label[i] && column < 3 && row < 4 + label[i] / 2;
      x[v * samples + i] = 0.5 * rng.normal() + (block ? 2 : 0);
    }
  }
  return {Design<double>::owning(shape, samples, std::move(x)), std::move(label)};
}

std::vector<double> against_rest(const ThreeClasses& data, int one) {
  std::vector<double> y;
  for (const int label : data.label) y.push_back(label == one ? 1 : -1);
  return y;
}

/// Parameterised by the name, so that a failure says whose it is.
class EveryMethod : public testing::TestWithParam<std::string> {
 protected:
  const Method<double>& method() const { return find_method<double>(GetParam()); }

  /// From the middle of the path that the method proposes.
  std::vector<double> setting(const FitData<double>& data, const FitTask& task) const {
    const auto grid = method().grid(data, task, GridKind::path);
    return grid[grid.size() / 2];
  }

  ThreeClasses data_ = three_classes(3);
};

// What is left out may hold anything, NaN as a label among it; and the other tasks of a call do not matter. Sums that
// run over all rows, weights of 0 among them, round differently, and solvers stop at another point of a gap of 1e-9:
// its root, times the size of a decision.
TEST_P(EveryMethod, LearnsFromTheSamplesOfTheTaskAlone) {
  std::vector<double> y = against_rest(data_, 0), other = y;
  AlignedVector<double> changed(data_.design.x().begin(), data_.design.x().end());
  std::vector<double> weights(samples, 1.0);
  Rng rng(5);
  for (Index i = 0; i < samples; i += 4) {
    weights[i] = 0;
    other[i] = std::numeric_limits<double>::quiet_NaN();
    for (Index v = 0; v < shape.size(); ++v) changed[v * samples + i] = 3 * rng.normal();
  }
  const Design<double> there = Design<double>::owning(shape, samples, std::move(changed));
  MethodOptions options;
  options.solver.gap = 1e-9;
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    const FitData<double> a{linalg::cpu_backend(), data_.design, {}, normalize},
        b{linalg::cpu_backend(), there, {}, normalize};
    const std::vector<double> chosen = setting(a, {y, weights, {}});
    const std::vector<double> again = setting(b, {other, weights, {}});
    for (std::size_t p = 0; p < chosen.size(); ++p) EXPECT_NEAR(again[p], chosen[p], 1e-6 * chosen[p]);
    const auto first = fit_one(method(), a, {y, weights, chosen}, options);
    const std::vector<FitTask> pair{{against_rest(data_, 1), {}, chosen}, {other, weights, chosen}};
    const auto second = fit_all(method(), b, pair, options);
    const auto here = first->decision_values(data_.design);
    EXPECT_LE(largest_difference(here, second[1]->decision_values(data_.design)), 1e-3) << to_word(normalize);
    EXPECT_LE(largest_difference(first->decision_values(), here), 1e-9) << "new volumes are treated alike";
    EXPECT_EQ(first->report.samples, 27);
  }
}

TEST_P(EveryMethod, HasAMapOrSupportVectorsAndConverges) {
  const FitData<double> data{linalg::cpu_backend(), data_.design, {}};
  const auto model =
      fit_one(method(), data, {against_rest(data_, 0), {}, setting(data, {against_rest(data_, 0), {}, {}})});
  EXPECT_EQ(model->model().has_map(), !model->columns().empty());
  EXPECT_EQ(model->model().support() == 0, model->model().has_map());
  EXPECT_EQ(model->model().shape(), data_.design.shape());
  EXPECT_NE(model->report.status, Status::iteration_limit);
}

// Two thirds to learn from, a third held out; by chance 1 of 3 is right.
TEST_P(EveryMethod, TellsThreeClassesApart) {
  const FitData<double> data{linalg::cpu_backend(), data_.design, {}};
  std::vector<double> weights(samples, 1.0);
  for (Index i = 0; i < samples; ++i)
    if (i / 3 % 3 == 2) weights[i] = 0;
  std::vector<FitTask> tasks;
  tasks.reserve(3);
  for (int c = 0; c < 3; ++c)
    tasks.push_back({against_rest(data_, c), weights, setting(data, {against_rest(data_, 0), weights, {}})});
  std::vector<std::vector<double>> values(3), again(3);
  method().fit(data, tasks, {}, [&](Index c, std::unique_ptr<FittedModel<double>> model) {
    values[c] = model->decision_values();
    again[c] = model->decision_values(data_.design);
  });
  const auto largest = [](const std::vector<std::vector<double>>& of, Index i) {
    return of[0][i] >= of[1][i] && of[0][i] >= of[2][i] ? 0 : of[1][i] >= of[2][i] ? 1 : 2;
  };
  double right = 0, count = 0;
  for (Index i = 0; i < samples; ++i) {
    EXPECT_EQ(largest(again, i), largest(values, i));
    if (weights[i] > 0) continue;
    ++count;
    right += largest(values, i) == data_.label[i];
  }
  if (GetParam() != "dummy") {
    EXPECT_GE(right / count, 0.75);
  }
}

// With an intercept, y + 10 is predicted as 10 more, and y is learnt.
TEST_P(EveryMethod, Regression) {
  const FitData<double> data{linalg::cpu_backend(), data_.design, {}, Normalize::none, true, 1, 0.1};
  std::vector<double> y, shifted;
  for (Index i = 0; i < samples; ++i) {
    double sum = 0;
    for (Index v = 0; v < 2; ++v) sum += data_.design.column(v)[i];
    y.push_back(sum);
    shifted.push_back(sum + 10);
  }
  const FitTask task{y, {}, {}};
  MethodOptions options;
  options.solver.gap = 1e-9;
  std::vector<double> chosen = setting(data, task);
  if (GetParam().ends_with("+svm")) {  // all that was selected, and the largest C: the middle has one voxel
    const std::vector<double> last = method().grid(data, task, GridKind::path).back();
    std::copy(last.end() - 2, last.end(), chosen.end() - 2);
  }
  const auto a = fit_one(method(), data, {y, {}, chosen}, options)->decision_values();
  const auto b = fit_one(method(), data, {shifted, {}, chosen}, options)->decision_values();
  double mean = 0, product = 0, ours = 0, theirs = 0, moved = 0;
  for (const double v : y) mean += v / samples;
  for (std::size_t i = 0; i < y.size(); ++i) {
    product += (a[i] - mean) * (y[i] - mean);
    ours += (a[i] - mean) * (a[i] - mean);
    theirs += (y[i] - mean) * (y[i] - mean);
    moved = std::max(moved, std::abs(b[i] - a[i] - 10));
  }
  EXPECT_LE(moved, 1e-3);  // the root of the gap
  if (GetParam() != "dummy") {
    EXPECT_GE(product / std::sqrt(ours * theirs), 0.8);
  }
}

TEST_P(EveryMethod, HasNothingToDoWithoutTasks) {
  MethodOptions options;
  options.memory = Index{1} << 30;
  method().fit({linalg::cpu_backend(), data_.design, {}}, {}, options, [](Index, const auto&) { FAIL(); });
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const auto& method : methods<double>()) out.push_back(method->name());
  return out;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryMethod, testing::ValuesIn(names()));

// A map without zeros and eta = 100 keep every voxel: X + SVM is SVM. Without an l1 norm, and with more samples than
// voxels where there is nothing else, no coefficient is zero.
TEST(PlusSvm, OfADenseMapIsSvm) {
  const test::TwoClasses data = test::two_classes({3, 2, 4}, 40, 0.6, 8);
  const FitData<double> given{linalg::cpu_backend(), data.design, {}};
  const auto svm = fit_one(find_method<double>("svm"), given, {data.y, {}, {0.3}});
  const std::vector<std::pair<std::string, std::vector<double>>> dense{
      {"sturm+svm", {1, 0}}, {"remurs+svm", {1, 0}}, {"lasso+svm", {0}}, {"enet+svm", {0, 1}}};
  for (const auto& [name, penalties] : dense) {
    std::vector<double> all = penalties;
    all.insert(all.end(), {100, 0.3});
    const auto plus = fit_one(find_method<double>(name), given, {data.y, {}, all});
    EXPECT_EQ(plus->decision_values(), svm->decision_values()) << name;
    EXPECT_EQ(plus->model().map().coef, svm->model().map().coef) << name;
  }
}

}  // namespace
}  // namespace sturm
