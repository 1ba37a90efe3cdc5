// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/plus_svm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "message.h"
#include "models/classes.h"
#include "sturm/models/kernel/svm.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

using test::fit_all;
using test::fit_one;
using test::largest_difference;
using test::two_classes;
using test::TwoClasses;

const Shape shape{4, 3, 5};

/// A method whose map is known: `wave` at every voxel whose number `step` divides, on the scale it is asked for.
class Known : public Method<double> {
 public:
  explicit Known(int* fits = nullptr) : fits_(fits) {}
  std::string name() const override { return "known"; }
  std::string title() const override { return "A known map"; }
  std::string reference() const override { return "nobody"; }
  std::vector<Parameter> parameters() const override { return {{"step", "between voxels; 0: none"}}; }
  std::vector<std::vector<double>> grid(const FitData<double>&, const FitTask&, GridKind) const override {
    return {{1}, {2}};
  }
  static double wave(Index v) { return std::round(10 * std::sin(static_cast<double>(v + 1))) + 0.5; }
  void fit(const FitData<double>& data, std::span<const FitTask> tasks, const MethodOptions&,
           const Take& take) const override {
    for (std::size_t t = 0; t < tasks.size(); ++t) {
      if (fits_) ++*fits_;
      const auto step = static_cast<Index>(tasks[t].setting[0]);
      const Region& region = data.design.region();
      std::vector<double> coef(region.size());
      for (Index c = 0; step > 0 && c < region.size(); ++c)
        if (region.voxel(c) % step == 0) coef[c] = wave(region.voxel(c));
      const LinearModel model{region.spread<double>(coef), 0.25, data.normalize, region.mask()};
      take(static_cast<Index>(t),
           fitted_map<double>(region, std::move(coef), 0.25, data.normalize, decision_values(model, data.design)));
    }
  }

 private:
  int* fits_;
};

/// The `count` numbers of largest size, and of equals the first ones, by sorting them all.
std::vector<std::size_t> largest(std::span<const double> size, std::size_t count) {
  std::vector<std::size_t> order(size.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return std::abs(size[a]) > std::abs(size[b]); });
  order.resize(count);
  return order;
}

// Of 60 voxels, whose sizes have ties, the first eta percent by size; at least one, and rounding of the percents adds
// none.
TEST(PlusSvm, KeepsTheLargestFirstEqualsByIndexAndAtLeastOne) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 8);
  const auto plus = make_plus_svm<double>(std::make_unique<Known>());
  const FitData<double> given{linalg::cpu_backend(), data.design, {}};
  std::vector<double> size;
  for (Index v = 0; v < 60; ++v) size.push_back(Known::wave(v));
  for (const auto& [eta, count] :
       {std::pair{0.001, 1U}, {5.0, 3U}, {10.0, 6U}, {20.1, 13U}, {35.0, 21U}, {51.0, 31U}, {100.0, 60U}}) {
    std::vector<std::uint8_t> kept(60);
    for (const std::size_t v : largest(size, count)) kept[v] = 1;
    const auto model = fit_one(*plus, given, {data.y, {}, {1, eta, 1}});
    for (std::size_t v = 0; v < 60; ++v) EXPECT_EQ(model->columns()[v] != 0, kept[v] == 1) << eta << ", " << v;
  }
  EXPECT_SAYS(fit_one(*plus, given, {data.y, {}, {1, 0, 1}}), "`eta`");
  EXPECT_SAYS(fit_one(*plus, given, {data.y, {}, {1, 101, 1}}), "`eta`");
}

// All voxels, none of them 0: the machine sees what it would see alone, number by number.
TEST(PlusSvm, WithEveryVoxelItIsSvm) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 1);
  const auto plus = make_plus_svm<double>(std::make_unique<Known>());
  std::vector<std::uint8_t> mask(60, 1);
  for (std::size_t v = 0; v < 60; v += 5) mask[v] = 0;
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    const FitData<double> given{linalg::cpu_backend(), data.design, mask, normalize};
    const std::vector<double> weights = test::uneven_weights(30);
    const auto a = fit_one(*plus, given, {data.y, weights, {1, 100, 0.3}});
    const auto b = fit_one(*make_svm<double>(), given, {data.y, weights, {0.3}});
    EXPECT_EQ(a->decision_values(), b->decision_values());
    EXPECT_EQ(a->model().map().coef, b->model().map().coef);
    EXPECT_EQ(a->model().map().intercept, b->model().map().intercept);
  }
}

// With some voxels it is SVM with those as its mask; `sample` still normalises by the whole volume. Under `voxel` the
// size of a coefficient is that on the normalised scale.
TEST(PlusSvm, WithSomeVoxelsItIsSvmOnThem) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 2);
  const auto plus = make_plus_svm<double>(std::make_unique<Known>());
  for (const Normalize normalize : {Normalize::none, Normalize::voxel}) {
    std::vector<double> size;
    std::vector<Index> selected;
    for (Index v = 0; v < 60; v += 2) {
      double mean = 0, variance = 0;
      for (Index i = 0; i < 30; ++i) mean += data.design.column(v)[i] / 30;
      for (Index i = 0; i < 30; ++i) variance += std::pow(data.design.column(v)[i] - mean, 2) / 30;
      size.push_back(Known::wave(v) * (normalize == Normalize::voxel ? std::sqrt(variance) : 1));
      selected.push_back(v);
    }
    std::vector<std::uint8_t> kept(60);
    for (const std::size_t k : largest(size, 6)) kept[selected[k]] = 1;
    const auto a = fit_one(*plus, {linalg::cpu_backend(), data.design, {}, normalize}, {data.y, {}, {2, 20, 0.3}});
    const auto b =
        fit_one(*make_svm<double>(), {linalg::cpu_backend(), data.design, kept, normalize}, {data.y, {}, {0.3}});
    EXPECT_EQ(std::ranges::count(kept, 1), 6);
    EXPECT_EQ(a->decision_values(), b->decision_values());
    EXPECT_EQ(a->model().map().coef, b->model().map().coef);
    EXPECT_EQ(a->report.sparsity, 54.0 / 60);
  }
  const auto c =
      fit_one(*plus, {linalg::cpu_backend(), data.design, {}, Normalize::sample}, {data.y, {}, {2, 20, 100.0}});
  EXPECT_LE(largest_difference(c->decision_values(), c->decision_values(data.design)), 1e-10);
}

TEST(PlusSvm, OneSelectionServesEveryEtaAndC) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 3);
  int fits = 0;
  const auto plus = make_plus_svm<double>(std::make_unique<Known>(&fits));
  std::vector<FitTask> tasks;
  for (const std::vector<double>& setting :
       plus->grid({linalg::cpu_backend(), data.design, {}}, {data.y, {}, {}}, GridKind::path))
    tasks.push_back({data.y, {}, setting});
  EXPECT_EQ(tasks.size(), 2U * 5 * 3);
  const auto models = fit_all<double>(*plus, {linalg::cpu_backend(), data.design, {}}, tasks);
  EXPECT_EQ(fits, 2);
  for (const std::size_t t : {0UL, 13UL, 29UL})
    EXPECT_EQ(models[t]->decision_values(),
              fit_one(*plus, {linalg::cpu_backend(), data.design, {}}, tasks[t])->decision_values());
}

TEST(PlusSvm, WithNothingSelectedTheSelectorSpeaks) {
  const TwoClasses data = two_classes(shape, 30, 0.6, 4);
  const auto plus = make_plus_svm<double>(std::make_unique<Known>());
  const auto model = fit_one(*plus, {linalg::cpu_backend(), data.design, {}}, {data.y, {}, {0, 50, 1}});
  for (const double v : model->decision_values(data.design)) EXPECT_EQ(v, 0.25);
  const FitTask wrong{data.y, {}, {1, 0, 1}};
  EXPECT_SAYS(fit_one(*plus, {linalg::cpu_backend(), data.design, {}}, wrong), "`eta`");
}

TEST(PlusSvm, OnSturmItHasTheZerosOfSturmAndMore) {
  const TwoClasses data = two_classes(shape, 40, 1, 5);
  const auto sturm = make_sturm<double>();
  const auto plus = make_plus_svm(make_sturm<double>());
  EXPECT_EQ(plus->name(), "sturm+svm");
  const auto first = fit_one(*sturm, {linalg::cpu_backend(), data.design, {}}, {data.y, {}, {1, 3}});
  const auto second = fit_one(*plus, {linalg::cpu_backend(), data.design, {}}, {data.y, {}, {1, 3, 50, 1}});
  EXPECT_GT(first->report.sparsity, 0.1);
  EXPECT_GT(second->report.sparsity, first->report.sparsity);
  for (std::size_t v = 0; v < 60; ++v)
    if (first->model().map().coef.flat()[v] == 0) {
      EXPECT_EQ(second->model().map().coef.flat()[v], 0);
    }
  EXPECT_EQ(second->report.tau, 1);
}

}  // namespace
}  // namespace sturm
