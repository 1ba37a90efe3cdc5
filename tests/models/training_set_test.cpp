// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/training_set.h"

#include <gtest/gtest.h>

#include <limits>

#include "message.h"
#include "models/classes.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const Shape shape{4, 3, 5};

class Sets : public testing::TestWithParam<std::tuple<Normalize, bool>> {
 protected:
  /// Voxel 7 is constant over the samples that count; those that do not are far away.
  Sets() {
    AlignedVector<double> x(data_.design.x().begin(), data_.design.x().end());
    for (Index i = 0; i < 20; ++i) {
      x[7 * 20 + i] = weights_[i] > 0 ? 0.1 : 9;
      if (weights_[i] == 0)
        for (Index v = 8; v < 60; ++v) x[v * 20 + i] *= -100;
    }
    data_.design = Design<double>::owning(shape, 20, std::move(x));
  }
  FitData<double> given() const {
    const auto& [normalize, intercept] = GetParam();
    return {linalg::cpu_backend(), data_.design, {}, normalize, intercept};
  }
  test::TwoClasses data_ = test::two_classes(shape, 20, 1, 1);
  std::vector<double> weights_ = test::uneven_weights(20);
};
INSTANTIATE_TEST_SUITE_P(All, Sets,
                         testing::Combine(testing::Values(Normalize::none, Normalize::sample, Normalize::voxel),
                                          testing::Bool()));

TEST_P(Sets, AreSharedByTasksOfTheSameWeights) {
  const TrainingSets<double> study(given());
  EXPECT_EQ(&study.of(weights_), &study.of(weights_));
  EXPECT_EQ(&study.of({}), &study.of(std::vector<double>(20, 1.0))) << "no weights are all 1";
  EXPECT_NE(&study.of({}), &study.of(weights_));
  EXPECT_EQ(study.of(weights_).samples(), 16);
  EXPECT_EQ(study.of(weights_).view(), study.of(weights_).view());
}

// X~ = R' X diag(scale), by the formula: its columns have mean 0 over the set where they are centred and deviation 1
// where voxels are normalised, and its Gram matrix is that of the view.
TEST_P(Sets, TheViewIsOfCentredAndScaledColumns) {
  const auto& [normalize, intercept] = GetParam();
  for (const CommonPart common : {CommonPart::of_set, CommonPart::of_all}) {
    const TrainingSets<double> study(given(), common);
    const TrainingSet<double>& set = study.of(weights_);
    const bool centred = intercept || normalize == Normalize::voxel;
    std::vector<double> gram(400);
    for (Index v = 0; v < 60; ++v) {
      std::vector<double> column(set.design().column(v), set.design().column(v) + 20);
      for (double& value : column) value *= set.scale().empty() ? 1 : set.scale()[v];
      const std::vector<double> z = set.rows().apply(column);
      double sum = 0, square = 0, total = 0;
      for (Index i = 0; i < 20; ++i) {
        sum += std::sqrt(weights_[i]) * z[i];
        square += z[i] * z[i];
        total += weights_[i];
      }
      if (centred) {
        EXPECT_NEAR(sum, 0, 1e-10);
      }
      if (normalize == Normalize::voxel) {
        EXPECT_NEAR(square, v == 7 ? 0 : total, 1e-10) << v;
      }
      if (centred && normalize != Normalize::sample && v == 7) {
        EXPECT_EQ(square, 0) << "constant over the set";
      }
      for (Index j = 0; j < 20; ++j)
        for (Index i = 0; i < 20; ++i) gram[i + 20 * j] += z[i] * z[j];
    }
    std::vector<double> own = set.view()->raw_gram;
    set.rows().conjugate(own);
    double largest = 0;
    for (Index i = 0; i < 20; ++i) largest = std::max(largest, gram[21 * i]);
    EXPECT_LE(test::largest_difference(own, gram), 1e-9 * largest);
    EXPECT_LE(test::largest_difference(set.view()->raw_gram, set.gram()), 1e-12 * largest);
    EXPECT_EQ(set.view()->mask.empty(), normalize != Normalize::voxel) << "a constant voxel has no place on that scale";
  }
}

// w on the scale of the set and labels: what the model says of a raw volume is the mean label plus <w, z - mean z>, z
// being the set's view of it. Sums of 60 numbers: a thousand roundings.
TEST_P(Sets, TheWayBackGivesTheFunctionOfRawVolumes) {
  const auto& [normalize, intercept] = GetParam();
  const TrainingSets<double> study(given());
  const TrainingSet<double>& set = study.of(weights_);
  std::vector<double> y(20), w(60);
  for (Index i = 0; i < 20; ++i) y[i] = std::sin(static_cast<double>(i));
  std::vector<Index> voxels;
  std::vector<double> values;
  for (Index v = 0; v < 60; v += 2) {
    voxels.push_back(v);
    values.push_back(std::cos(static_cast<double>(v)));
    w[v] = values.back();
  }
  const bool centred = intercept || normalize == Normalize::voxel;
  std::vector<double> expected(20);
  for (Index i = 0; i < 20; ++i)
    for (Index v = 0; v < 60; ++v)
      expected[i] += study.design().column(v)[i] * w[v] * (set.scale().empty() ? 1 : set.scale()[v]);
  const double mean = set.rows().mean(expected);
  for (double& v : expected) v += (intercept ? set.rows().mean(y) : 0) - (centred ? mean : 0);
  BasicTensor<double> whole(study.design().region().column_shape());
  std::ranges::copy(w, whole.flat().begin());
  for (const auto& model : {set.model(voxels, values, y), set.model(whole, y)}) {
    EXPECT_LE(test::largest_difference(model->decision_values(), expected), 1e-10);
    EXPECT_LE(test::largest_difference(model->decision_values(data_.design), expected), 1e-10);
    EXPECT_EQ(model->report.samples, 16);
    EXPECT_EQ(model->report.sparsity, 0.5);
    EXPECT_EQ(model->model().map().normalize, normalize);
  }
}

// The space of kernels and the scale of single volumes are learnt from the same samples as the solver's scale.
TEST_P(Sets, EveryFamilySeesTheSameScale) {
  const TrainingSets<double> study(given());
  const TrainingSet<double>& set = study.of(weights_);
  const VoxelSpace space = set.space();
  const VoxelScale scale = set.voxel_scale();
  if (std::get<0>(GetParam()) != Normalize::voxel) {
    EXPECT_TRUE(space.scale.empty() && scale.mean.empty() && scale.inverse.empty());
    EXPECT_EQ(space.voxels.size(), 60U);
    return;
  }
  EXPECT_EQ(space.voxels.size(), 59U) << "without the constant one";
  for (std::size_t k = 0; k < space.voxels.size(); ++k) {
    EXPECT_EQ(space.scale[k], scale.inverse[space.voxels[k]]);
    EXPECT_EQ(space.scale[k], set.scale()[space.voxels[k]]);
  }
  EXPECT_EQ(scale.inverse[7], 0);
  EXPECT_SAYS(set.space({7}), "constant");
  const VoxelSpace some = set.space({3, 7, 9});
  EXPECT_EQ(some.voxels, (std::vector<Index>{3, 9}));
  EXPECT_EQ(some.scale, (std::vector<double>{scale.inverse[3], scale.inverse[9]}));
}

TEST(TrainingSet, LabelsAreCentredWhereThereIsAnInterceptAndNoiseIsNone) {
  const auto data = test::two_classes(shape, 6, 1, 1);
  const std::vector<double> weights = {1, 4, 0, 1, 1, 1}, y = {1, 2, 100, 3, 4, 5}, constant(6, 0.1);
  const TrainingSets<double> with({linalg::cpu_backend(), data.design}),
      without({linalg::cpu_backend(), data.design, {}, Normalize::voxel, false});
  const double mean = 21.0 / 8;
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_NEAR(with.of(weights).labels(y)[i], std::sqrt(weights[i]) * (y[i] - mean), 1e-14);
    EXPECT_EQ(without.of(weights).labels(y)[i], std::sqrt(weights[i]) * y[i]);
  }
  EXPECT_EQ(with.of(weights).labels(constant), std::vector<double>(6)) << "the rounding of their mean is not fitted";
  EXPECT_NEAR(with.of(weights).deviation(y), std::sqrt((1 + 16 + 9 + 16 + 25) / 8.0 - mean * mean), 1e-14);
  EXPECT_EQ(with.of(weights).deviation(constant), 1);
}

// Every task once, with a set of its weights; as many sets at a time as the memory allows change nothing of that.
TEST(TrainingSet, EverySetOfWeightsOnceWithItsTasks) {
  const auto data = test::two_classes(shape, 6, 1, 1);
  const TrainingSets<double> study({linalg::cpu_backend(), data.design});
  const std::vector<double> first = {1, 1, 1, 0, 0, 1}, second = {0, 1, 1, 1, 1, 1};
  const std::vector<FitTask> tasks = {{data.y, first, {}}, {data.y, second, {}}, {data.y, first, {}}};
  const UseThreads team(2);
  for (const Index memory : {0, 1}) {
    std::mutex one;
    std::map<std::vector<double>, std::vector<Index>> seen;
    for_each_set<double>(study, tasks, memory, [&](const TrainingSet<double>& set, auto members, int) {
      const std::lock_guard lock(one);
      seen[{set.weights().begin(), set.weights().end()}].assign(members.begin(), members.end());
    });
    EXPECT_EQ(seen, (std::map<std::vector<double>, std::vector<Index>>{{first, {0, 2}}, {second, {1}}}));
  }
}

TEST(TrainingSet, TasksThatDoNotFitAreRefused) {
  const auto data = test::two_classes(shape, 3, 1, 1);
  const FitData<double> given{linalg::cpu_backend(), data.design};
  const auto refused = [&](const FitTask& task) { require_task(given, task); };
  EXPECT_SAYS(refused({{1, -1}, {}, {}}), "3 volumes", "2 labels");
  EXPECT_SAYS(refused({{1, -1, 1}, {1, 1}, {}}), "3 volumes", "2 weights");
  EXPECT_SAYS(refused({{1, nan, 1}, {}, {}}), "sample 2");
  EXPECT_SAYS(refused({{1, -1, 1}, {1, -2, 1}, {}}), "sample 2", "-2");
  EXPECT_SAYS(refused({{1, -1, 1}, {0, 0, 0}, {}}), "weight of 0");
  EXPECT_NO_THROW(refused({{1, nan, 1}, {1, 0, 1}, {}})) << "a sample of weight 0 is not there";
  const Method<double>& enet = find_method<double>("enet");
  const auto with = [&](std::vector<double> setting) {
    const FitTask task{{1, -1, 1}, {}, std::move(setting)};
    require_tasks<double>(enet, given, {&task, 1});
  };
  EXPECT_SAYS(with({1}), "enet has 2 parameters", "gives 1");
  EXPECT_SAYS(with({1, -1}), "`l2`");
  EXPECT_SAYS(with({nan, 1}), "`gamma`");
  EXPECT_NO_THROW(with({0, 1}));
}

}  // namespace
}  // namespace sturm
