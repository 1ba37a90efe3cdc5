// SPDX-License-Identifier: BSD-3-Clause
// SURF as a method: what it learns, what it leaves alone, and that a fold is the data without the others.
#include "sturm/models/multiway/surf_method.h"

#include <limits>
#include <optional>

#include "models/fitting.h"
#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using namespace test;

/// White noise, and in half of the volumes a sparse block of rank 1.
struct Phantom {
  Design<float> design;
  std::vector<double> y;
  Tensor truth;
};

Phantom rank_one_phantom(std::size_t samples, std::uint64_t seed, const Shape& shape = {12, 14, 10}) {
  std::vector<double> a(shape.n1), b(shape.n2), c(shape.n3);
  for (Index i = 2; i < 5; ++i) a[i] = 1;
  for (Index j = 6; j < 10; ++j) b[j] = j < 8 ? 1 : -1;
  for (Index k = 3; k < 6; ++k) c[k] = 1;
  Phantom out{design_of<float>({Tensor(shape)}), coin_labels(samples, seed), outer(a, b, c)};
  std::vector<Tensor> volumes;
  for (std::size_t m = 0; m < samples; ++m)
    volumes.push_back((0.35 * out.y[m]) * out.truth + random_normal(shape, seed, 100 + m));
  out.design = design_of<float>(volumes);
  return out;
}

// 100 samples to learn from, 100 held out. The ideal map would be right in 98 of 100.
TEST(Surf, LearnsASignalOfRankOne) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Phantom p = rank_one_phantom(200, seed);
    const FitData<float> data{linalg::cpu_backend(), p.design, {}};
    const auto method = make_surf<float>();
    const std::vector<FitTask> tasks{half_task(p.y, {1, 0.03, 0.1})};
    const auto models = fit_tasks(*method, data, tasks);
    EXPECT_GT(held_out_accuracy(models[0]->decision_values(), tasks[0]), 0.85) << "seed " << seed;
    const Tensor& w = models[0]->model().map().coef;
    EXPECT_GT(dot(w, p.truth), 0.7 * frobenius_norm(w) * frobenius_norm(p.truth)) << "the map is the planted one";
    EXPECT_GT(models[0]->report.sparsity, 0.5);
  }
}

TEST(Surf, LearnsNothingFromRandomLabels) {
  double mean = 0;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Phantom p = rank_one_phantom(200, seed);
    const FitData<float> data{linalg::cpu_backend(), p.design, {}};
    const std::vector<FitTask> tasks{half_task(coin_labels(200, seed + 50), {1, 0.03, 0.1}),
                                     half_task(coin_labels(200, seed + 60), {4, 0.1, 0.3})};
    const auto models = fit_tasks(*make_surf<float>(), data, tasks);
    for (std::size_t t = 0; t < 2; ++t) {
      const double accuracy = held_out_accuracy(models[t]->decision_values(), tasks[t]);
      EXPECT_LT(accuracy, 0.65);  // 0.5 with a deviation of 0.05
      mean += accuracy / 6;
    }
  }
  EXPECT_NEAR(mean, 0.5, 0.1);
}

/// A small study as float volumes, some samples left out, with labels that follow the volumes.
struct Fold {
  Study study = random_study({5, 4, 3}, 24, 2);
  FitTask task{study.y, std::vector<double>(24, 1.0), {2, 0.05, 0.05}};
  Fold() {
    for (std::size_t m = 0; m < 24; m += 4) task.weights[m] = 0;
  }
};

// A sample of weight 0 is as good as absent: its volume and its label, even NaN, change no bit.
TEST(Surf, LearnsFromTheTrainingSetAlone) {
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    Fold f;
    const auto design = design_of<double>(f.study.volumes);
    const auto a =
        fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), design, {}, normalize}, {f.task});
    for (std::size_t m = 0; m < 24; m += 4) {
      f.study.volumes[m] = 100.0 * random_normal({5, 4, 3}, 77, m);
      f.task.y[m] = std::numeric_limits<double>::quiet_NaN();
    }
    const auto other = design_of<double>(f.study.volumes);
    const auto b =
        fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), other, {}, normalize}, {f.task});
    EXPECT_EQ(a[0]->model().map().coef, b[0]->model().map().coef);
    EXPECT_EQ(a[0]->model().map().intercept, b[0]->model().map().intercept);
    EXPECT_GT(max_abs(a[0]->model().map().coef), 0);
    EXPECT_EQ(b[0]->decision_values(design), a[0]->decision_values(design));
    // The fit's own values are of normalised volumes, those of new volumes of raw ones: rounding of 60 terms.
    const std::vector<double> own = a[0]->decision_values(), again = b[0]->decision_values(design);
    for (std::size_t m = 0; m < own.size(); ++m) EXPECT_NEAR(own[m], again[m], 1e-13 * (10 + std::abs(own[m])));
  }
}

// The report's loss is that of the predictions on the training set: every normalisation is folded into the model.
TEST(Surf, PredictionsAreOnTheScaleOfTheVolumes) {
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel})
    for (const bool intercept : {true, false}) {
      const Fold f;
      std::vector<std::uint8_t> mask = every_third_out(f.study);
      const auto design = design_of<double>(f.study.volumes);
      const auto fit = fit_tasks(*make_surf<double>(),
                                 FitData<double>{linalg::cpu_backend(), design, mask, normalize, intercept}, {f.task});
      const auto values = fit[0]->decision_values();
      double left = 0, whole = 0, mean = 0, total = 0;
      // Without an intercept, normalised voxels still have mean 0, and the fit sees y without its mean.
      const bool centred = intercept || normalize == Normalize::voxel;
      for (std::size_t m = 0; m < 24; ++m) {
        mean += f.task.weights[m] * f.task.y[m];
        total += f.task.weights[m];
      }
      mean = centred ? mean / total : 0;
      for (std::size_t m = 0; m < 24; ++m) {
        const double shift = !intercept && centred ? mean : 0;
        left += f.task.weights[m] * std::pow(f.task.y[m] - shift - values[m], 2);
        whole += f.task.weights[m] * std::pow(f.task.y[m] - mean, 2);
      }
      EXPECT_NEAR(left / whole, fit[0]->report.objective, 1e-10);
      for (std::size_t v = 0; v < mask.size(); ++v)
        if (!mask[v]) {
          EXPECT_EQ(fit[0]->model().map().coef.flat()[v], 0);
        }
    }
}

TEST(Surf, BitsDependNeitherOnThreadsNorOnTheBatch) {
  const Phantom p = rank_one_phantom(40, 4, {12, 11, 9});
  const FitData<float> data{linalg::cpu_backend(), p.design, {}};
  std::vector<FitTask> tasks;
  for (const auto& setting : make_surf<float>()->grid(data, half_task(p.y, {}), GridKind::path))
    tasks.push_back(half_task(p.y, setting));
  std::optional<UseThreads> team;
  team.emplace(3);
  const auto together = fit_tasks(*make_surf<float>(), data, tasks);
  team.emplace(1);
  for (const std::size_t t : {std::size_t{0}, tasks.size() / 2, tasks.size() - 1}) {
    const auto alone = fit_tasks(*make_surf<float>(), data, {tasks[t]});
    EXPECT_EQ(alone[0]->model().map().coef, together[t]->model().map().coef);
  }
  team.reset();
}

TEST(Surf, DegenerateInputHasADefinedAnswer) {
  Fold f;
  const auto constant_answer = [](const Design<double>& design, const FitTask& task, double expected) {
    const auto fit = fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), design, {}}, {task});
    EXPECT_EQ(fit[0]->report.status, Status::zero_solution);
    EXPECT_EQ(fit[0]->report.sparsity, 1);
    for (const double v : fit[0]->decision_values()) EXPECT_NEAR(v, expected, 1e-15);
  };
  const auto design = design_of<double>(f.study.volumes);
  constant_answer(design, {std::vector<double>(24, 1.0), {}, {2, 0.1, 0.1}}, 1);
  constant_answer(design_of<double>({f.study.volumes[0]}), {{-1}, {}, {1, 0.1, 0.1}}, -1);
  std::vector<double> labels;
  for (int m = 0; m < 24; ++m) labels.push_back(m % 2 ? 1 : -1);
  constant_answer(design_of<double>(std::vector<Tensor>(24, Tensor({5, 4, 3}))), {labels, {}, {1, 0.1, 0.1}}, 0);
  const Study flat = random_study({5, 4, 1}, 20, 3);
  const auto fit =
      fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), design_of<double>(flat.volumes), {}},
                {FitTask{flat.y, {}, {3, 0.05, 0}}});
  EXPECT_LT(fit[0]->report.objective, 0.5);

  const FitData<double> data{linalg::cpu_backend(), design, {}};
  const auto refused = [&](const FitTask& task) { EXPECT_THROW(fit_tasks(*make_surf<double>(), data, {task}), Error); };
  refused({f.task.y, {}, {0, 0.1, 0.1}});
  refused({f.task.y, {}, {1.5, 0.1, 0.1}});
  refused({f.task.y, {}, {1, -0.1, 0.1}});
  refused({f.task.y, {}, {1, 0.1}});
  refused({{1, 2}, {}, {1, 0.1, 0.1}});
  refused({f.task.y, std::vector<double>(24, 0.0), {1, 0.1, 0.1}});
  std::vector<Tensor> holes = f.study.volumes;
  holes[3](1, 1, 1) = std::numeric_limits<double>::quiet_NaN();
  const auto broken = design_of<double>(holes);
  EXPECT_THROW(fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), broken, {}}, {f.task}), Error);
  std::vector<std::uint8_t> mask(60, 1);
  mask[1 + 5 * (1 + 4 * 1)] = 0;
  const auto masked = fit_tasks(*make_surf<double>(), FitData<double>{linalg::cpu_backend(), broken, mask}, {f.task});
  for (const double v : masked[0]->decision_values()) EXPECT_TRUE(std::isfinite(v));
}

}  // namespace
}  // namespace sturm
