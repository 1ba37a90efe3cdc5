// SPDX-License-Identifier: BSD-3-Clause
// MMK and DuSK: what they can learn, and what they must not.
#include "sturm/models/multiway/mmk_method.h"

#include <limits>
#include <optional>

#include "message.h"
#include "models/fitting.h"
#include "sturm/core/parallel.h"
#include "sturm/solver/svm_dual.h"

namespace sturm {
namespace {

using namespace test;

/// One bump a volume, of either sign, at one of two places along mode 1 and along mode 2. The class is whether the two
/// places go together: with signs at random every linear map has the same mean in both classes.
struct Phantom {
  Design<double> design;
  std::vector<double> y;
};

Phantom nonlinear_phantom(std::size_t samples, std::uint64_t seed, const Shape& shape = {10, 12, 9}) {
  Rng rng(seed, 8);
  std::vector<Tensor> volumes;
  std::vector<double> y;
  for (std::size_t m = 0; m < samples; ++m) {
    const bool first = rng.uniform() < 0.5, second = rng.uniform() < 0.5, up = rng.uniform() < 0.5;
    const double size = (0.8 + 0.4 * rng.uniform()) * (up ? 20 : -20);
    const auto at = [](Index n, bool high) { return static_cast<double>(n) * (high ? 0.7 : 0.25); };
    const Tensor signal = outer(bump(shape.n1, at(shape.n1, first), 1.5), bump(shape.n2, at(shape.n2, second), 1.5),
                                bump(shape.n3, static_cast<double>(shape.n3) / 2, 1.5));
    volumes.push_back(size * signal + random_normal(shape, seed, 100 + m));
    y.push_back(first == second ? 1 : -1);
  }
  return {design_of<double>(volumes), y};
}

class MmkLearns : public testing::TestWithParam<bool> {
 protected:
  std::unique_ptr<Method<double>> method() const { return GetParam() ? make_mmk<double>() : make_dusk<double>(); }
};

// 100 samples to learn from, 100 held out.
TEST_P(MmkLearns, ANonlinearSignal) {
  for (const std::uint64_t seed : {1, 2}) {
    const Phantom p = nonlinear_phantom(200, seed);
    const FitData<double> data{linalg::cpu_backend(), p.design, {}};
    // Rank 1, C = 4 and the middle sigma of the path: nothing is chosen by what is held out.
    const auto settings = method()->grid(data, half_task(p.y, {}), GridKind::path);
    std::vector<double> sigmas;
    sigmas.reserve(settings.size());
    for (const auto& s : settings) sigmas.push_back(s[1]);
    std::ranges::sort(sigmas);
    const std::vector<FitTask> tasks{half_task(p.y, {1, sigmas[sigmas.size() / 2], 4})};
    const auto models = fit_tasks(*method(), data, tasks);
    EXPECT_GT(held_out_accuracy(models[0]->decision_values(), tasks[0]), 0.85);
    // A linear machine on the same volumes finds nothing: the signal is where it cannot see.
    std::vector<double> gram(200 * 200);
    for (Index v = 0; v < p.design.voxels(); ++v)
      for (Index a = 0; a < 200; ++a)
        for (Index b = 0; b < 200; ++b) gram[a * 200 + b] += p.design.column(v)[a] * p.design.column(v)[b] / 1000;
    const SvmKernel kernel(std::move(gram), 200);
    const SvmSolution linear = solve_svm(kernel, p.y, tasks[0].weights);
    EXPECT_LT(held_out_accuracy(decision_values(kernel, linear), tasks[0]), 0.65);
  }
}

TEST_P(MmkLearns, NothingFromRandomLabels) {
  double mean = 0;
  const Phantom p = nonlinear_phantom(200, 1);
  const FitData<double> data{linalg::cpu_backend(), p.design, {}};
  std::vector<FitTask> tasks;
  for (const std::uint64_t seed : {11, 12, 13, 14, 15}) tasks.push_back(half_task(coin_labels(200, seed), {1, 1.2, 4}));
  const auto models = fit_tasks(*method(), data, tasks);
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const double accuracy = held_out_accuracy(models[t]->decision_values(), tasks[t]);
    EXPECT_LT(accuracy, 0.65);  // 0.5 with a deviation of 0.05
    mean += accuracy / static_cast<double>(tasks.size());
  }
  EXPECT_NEAR(mean, 0.5, 0.1);
}

// New volumes are factorised as the others were: the same ones give the same values, bit for bit.
TEST_P(MmkLearns, NewVolumesAreTreatedAlike) {
  const Phantom p = nonlinear_phantom(24, 5, {7, 6, 5});
  std::vector<std::uint8_t> mask(210, 1);
  for (std::size_t v = 0; v < 210; v += 4) mask[v] = 0;
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    const FitData<double> data{linalg::cpu_backend(), p.design, mask, normalize};
    const auto fit = fit_tasks(*method(), data, {half_task(p.y, {2, normalize == Normalize::sample ? 0.5 : 2, 4})});
    const auto known = fit[0]->decision_values();
    EXPECT_EQ(fit[0]->decision_values(p.design), known);
    AlignedVector<double> last;  // the last volume alone
    for (Index v = 0; v < 210; ++v) last.push_back(mask[v] ? p.design.column(v)[23] : 1e6);
    EXPECT_EQ(fit[0]->decision_values(Design<double>::owning(Shape{7, 6, 5}, 1, last))[0], known[23]);
    EXPECT_THROW(fit[0]->decision_values(Design<double>::owning(Shape{6, 7, 5}, 1, last)), Error);
  }
}

// A sample of weight 0 changes nothing for the others, whatever its volume and its label.
TEST_P(MmkLearns, FromTheTrainingSetAlone) {
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    const Phantom p = nonlinear_phantom(24, 6, {7, 6, 5});
    FitTask task = half_task(p.y, {2, normalize == Normalize::sample ? 0.5 : 2, 4});
    const auto a = fit_tasks(*method(), FitData<double>{linalg::cpu_backend(), p.design, {}, normalize}, {task});
    AlignedVector<double> changed(p.design.x().begin(), p.design.x().end());
    Rng rng(9);
    for (Index v = 0; v < 210; ++v)
      for (Index m = 12; m < 24; ++m) changed[v * 24 + m] = 10 * rng.normal();
    for (std::size_t m = 12; m < 24; ++m) task.y[m] = std::numeric_limits<double>::quiet_NaN();
    const auto other = Design<double>::owning(Shape{7, 6, 5}, 24, changed);
    const auto b = fit_tasks(*method(), FitData<double>{linalg::cpu_backend(), other, {}, normalize}, {task});
    EXPECT_EQ(a[0]->decision_values(), b[0]->decision_values(p.design));
    EXPECT_EQ(b[0]->report.samples, 12);
  }
}

TEST_P(MmkLearns, TheSameWithManyThreadsAndTasks) {
  const Phantom p = nonlinear_phantom(24, 7, {7, 6, 5});
  const FitData<double> data{linalg::cpu_backend(), p.design, {}};
  std::vector<FitTask> tasks;
  for (const auto& s : method()->grid(data, half_task(p.y, {}), GridKind::path)) tasks.push_back(half_task(p.y, s));
  std::optional<UseThreads> team;
  team.emplace(3);
  const auto together = fit_tasks(*method(), data, tasks);
  team.emplace(1);
  for (const std::size_t t : {std::size_t{0}, tasks.size() / 2, tasks.size() - 1})
    EXPECT_EQ(fit_tasks(*method(), data, {tasks[t]})[0]->decision_values(), together[t]->decision_values());
  team.reset();
}

TEST_P(MmkLearns, DegenerateInputHasADefinedAnswer) {
  const Phantom p = nonlinear_phantom(12, 8, {5, 4, 1});  // matrices
  const FitData<double> data{linalg::cpu_backend(), p.design, {}};
  const auto values = [&](const Design<double>& design, const std::vector<double>& y) {
    return fit_tasks(*method(), FitData<double>{linalg::cpu_backend(), design, {}}, {FitTask{y, {}, {2, 1, 1}}})[0]
        ->decision_values();
  };
  for (const double v : values(p.design, p.y)) EXPECT_TRUE(std::isfinite(v));
  for (const double v : values(p.design, std::vector<double>(12, -1.0))) EXPECT_EQ(v, -1);
  EXPECT_EQ(values(Design<double>::owning(Shape{2, 2, 2}, 1, AlignedVector<double>(8, 3.0)), {1}),
            std::vector<double>{1});
  const auto zero = values(Design<double>::owning(Shape{2, 2, 2}, 4, AlignedVector<double>(32)), {1, -1, 1, -1});
  for (const double v : zero) EXPECT_EQ(v, zero[0]) << "volumes that are alike have one value";
  EXPECT_TRUE(std::isfinite(zero[0]));

  EXPECT_EQ(method()->grid(data, half_task(p.y, {}), GridKind::paper).size(), 12U * 14 * 15);
  const auto refused = [&](const FitTask& task) { EXPECT_THROW(fit_tasks(*method(), data, {task}), Error); };
  refused({p.y, {}, {0, 1, 1}});
  refused({p.y, {}, {1.5, 1, 1}});
  refused({p.y, {}, {1, 0, 1}});
  refused({p.y, {}, {1, 1, -1}});
  refused({p.y, {}, {1, 1}});
  refused({std::vector<double>(12, 0.3), {}, {1, 1, 1}});
  refused({p.y, std::vector<double>(12, 0.0), {1, 1, 1}});
  EXPECT_THROW(fit_tasks(*method(), FitData<double>{linalg::cpu_backend(), p.design, {}, Normalize::none, false},
                         {{p.y, {}, {1, 1, 1}}}),
               UsageError);
  MethodOptions little;
  little.memory = 12 * 12 * 8 * 100;
  const std::vector<FitTask> large{{p.y, {}, {10, 1, 1}}};
  EXPECT_SAYS(method()->fit(data, large, little, [](Index, const auto&) {}), "`rank 10`", "12 volumes", "`memory`");
}

// The machine on the kernel is proved like every other: a gap, and weights of samples as copies of them.
TEST_P(MmkLearns, ItsMachineIsProvedAndTakesWeights) {
  const Phantom p = nonlinear_phantom(24, 9, {7, 6, 5});
  FitTask task{p.y, std::vector<double>(24, 1.0), {1, 2, 4}};
  task.weights[3] = 2;
  task.weights[5] = 0.5;
  const auto models = fit_tasks(*method(), FitData<double>{linalg::cpu_backend(), p.design, {}}, {task});
  EXPECT_LE(models[0]->report.relative_gap, 1e-6);
  EXPECT_GE(models[0]->report.relative_gap, -1e-12);
  EXPECT_EQ(models[0]->report.status, Status::converged);
  double slack = 0;
  const auto values = models[0]->decision_values();
  for (std::size_t m = 0; m < 24; ++m) slack += 4 * task.weights[m] * std::max(0.0, 1 - p.y[m] * values[m]);
  EXPECT_LE(slack, models[0]->report.objective * (1 + 1e-12));
}
INSTANTIATE_TEST_SUITE_P(Methods, MmkLearns, testing::Bool());

}  // namespace
}  // namespace sturm
