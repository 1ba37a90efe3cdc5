// SPDX-License-Identifier: BSD-3-Clause
// Normalisation is a change of the data and nothing else: the same as normalising by hand, and folded back so that the
// model takes raw volumes.
#include "message.h"
#include "models/study.h"

namespace sturm {
namespace {

using namespace test;

constexpr double gap = 1e-9;

SturmOptions with(SturmOptions options, Normalize normalize, bool intercept = true) {
  options.normalize = normalize;
  options.intercept = intercept;
  return options;
}

/// Small, weighted (a weight of 0 among them), voxels of scales from 0.1 to 10.
Study uneven_study() {
  Study out = small_study(4);
  for (std::size_t m = 0; m < out.samples(); ++m) {
    out.weights.push_back(m == 3 ? 0 : 0.5 + 0.25 * static_cast<double>(m % 4));
    for (std::size_t v = 0; v < 24; ++v) out.volumes[m].flat()[v] *= std::pow(10, static_cast<double>(v % 3) - 1);
  }
  return out;
}

struct Scaled {
  Study study;
  Tensor mean, deviation;  // deviation 0: constant, and 0 in the study
};

Scaled z_scored(const Study& raw) {
  const Shape shape = raw.volumes.front().shape();
  Scaled out{raw, Tensor(shape), Tensor(shape)};
  double total = 0;
  for (std::size_t m = 0; m < raw.samples(); ++m) total += raw.weight(m);
  for (std::size_t v = 0; v < out.mean.flat().size(); ++v) {
    double &mean = out.mean.flat()[v], variance = 0;
    bool constant = true;
    for (std::size_t m = 0; m < raw.samples(); ++m) {
      mean += raw.weight(m) * raw.volumes[m].flat()[v] / total;
      constant = constant && (raw.weight(m) == 0 || raw.volumes[m].flat()[v] == raw.volumes.front().flat()[v]);
    }
    for (std::size_t m = 0; m < raw.samples(); ++m)
      variance += raw.weight(m) * std::pow(raw.volumes[m].flat()[v] - mean, 2) / total;
    if (!constant) out.deviation.flat()[v] = std::sqrt(variance);
    for (std::size_t m = 0; m < raw.samples(); ++m)
      out.study.volumes[m].flat()[v] = constant ? 0 : (raw.volumes[m].flat()[v] - mean) / out.deviation.flat()[v];
  }
  return out;
}

/// Every volume to mean 0 and norm 1 over the mask, and 0 outside.
Study unit_volumes(const Study& raw) {
  Study out = raw;
  for (Tensor& volume : out.volumes) {
    double mean = 0, norm2 = 0, voxels = 0;
    for (std::size_t v = 0; v < volume.flat().size(); ++v)
      if (raw.inside(v)) {
        mean += volume.flat()[v];
        ++voxels;
      }
    mean /= voxels;
    for (std::size_t v = 0; v < volume.flat().size(); ++v) {
      volume.flat()[v] = raw.inside(v) ? volume.flat()[v] - mean : 0;
      norm2 += volume.flat()[v] * volume.flat()[v];
    }
    for (double& v : volume.flat()) v /= std::sqrt(norm2);
  }
  return out;
}

/// |X W - X W'| <= 2 sqrt(2 g F / (alpha s)) for two fits of gap g: the loss is strongly convex in the weighted
/// predictions, whatever X is.
void expect_same_predictions(const std::vector<double>& a, const std::vector<double>& b, const SturmFit& f,
                             const Study& study) {
  double far = 0;
  for (std::size_t m = 0; m < a.size(); ++m) far += study.weight(m) * (a[m] - b[m]) * (a[m] - b[m]);
  EXPECT_LE(std::sqrt(far), apart(gap, f.report.objective, f.report.alpha));
}

TEST(NormalizeVoxel, IsAFitOnZScores) {
  const Study raw = uneven_study();
  const Scaled hand = z_scored(raw);
  for (const bool intercept : {true, false}) {
    const SturmFit a = fit(raw, with(absolute(5, 2), Normalize::voxel, intercept));
    const SturmFit b = fit(hand.study, with(absolute(5, 2), Normalize::none, intercept));
    SturmFit unfolded = a;  // on the scale of the z-scores
    for (std::size_t v = 0; v < 24; ++v) unfolded.model.coef.flat()[v] *= hand.deviation.flat()[v];
    expect_same(unfolded, b, hand.study);
    EXPECT_NEAR(a.report.objective,
                objective(hand.study, unfolded.model.coef, a.model.intercept + dot(hand.mean, a.model.coef), 1, 5, 2),
                1e-11 * a.report.objective);
    const auto on_raw = decision_values(a.model, design_of<double>(raw.volumes));
    const auto on_scores = decision_values(b.model, design_of<double>(hand.study.volumes));
    expect_same_predictions(on_raw, on_scores, a, raw);
    // The same coefficients by either way: rounding alone.
    for (std::size_t m = 0; m < raw.samples(); ++m)
      EXPECT_NEAR(
          on_raw[m],
          predicted(hand.study.volumes[m], unfolded.model.coef, a.model.intercept + dot(hand.mean, a.model.coef)),
          1e-12 * (1 + std::abs(on_raw[m])));
  }
}

TEST(NormalizeVoxel, StrengthIsTheSameOnEitherScale) {
  const Study raw = uneven_study();
  const SturmFit a = fit(raw, with(relative(0.2, 0.5), Normalize::voxel));
  const SturmFit b = fit(z_scored(raw).study, relative(0.2, 0.5));
  EXPECT_NEAR(a.report.tau, b.report.tau, 2e-3 * b.report.tau) << "zero points are known to 1e-3";
  EXPECT_NEAR(a.report.gamma, b.report.gamma, 2e-3 * b.report.gamma);
}

template <class Real>
void expect_constant_voxels_stay_out() {
  Study study = uneven_study();
  // 0.1 is no dyadic number: its mean over the samples is not exactly itself.
  for (Tensor& volume : study.volumes) {
    volume.flat()[5] = 0.1;
    volume.flat()[6] = 0;
    volume.flat()[7] = 1e6;
  }
  study.volumes[3].flat()[5] = 77;  // has a weight of 0
  for (const double gamma : {0.0, 2.0}) {
    const SturmFit f = fit<Real>(study, with(absolute(5, gamma, 1e-3), Normalize::voxel));
    EXPECT_EQ(f.report.status, Status::converged);
    for (const std::size_t v : {5, 6, 7}) EXPECT_EQ(f.model.coef.flat()[v], 0) << v;
    double zeros = 0;
    for (const double w : f.model.coef.flat()) zeros += w == 0;
    EXPECT_DOUBLE_EQ(f.report.sparsity, zeros / 24) << "of the coefficients that are written";
  }
}
TEST(NormalizeVoxel, ConstantVoxelsStayOut) {
  expect_constant_voxels_stay_out<float>();
  expect_constant_voxels_stay_out<double>();
}

// Products with 0 are exact: a row of weight 0 leaves no trace, not even in the last bit.
TEST(NormalizeVoxel, StatisticsComeFromTheTrainingRows) {
  const Study study = uneven_study();
  Study other = study;
  for (double& v : other.volumes[3].flat()) v = 1e3 - 50 * v;
  for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
    const SturmFit a = fit(study, with(relative(0.2, 0.5), normalize));
    const SturmFit b = fit(other, with(relative(0.2, 0.5), normalize));
    EXPECT_EQ(a.model.coef, b.model.coef) << to_word(normalize);
    EXPECT_EQ(a.model.intercept, b.model.intercept);
    EXPECT_EQ(a.report.objective, b.report.objective);
  }
}

TEST(NormalizeSample, IsAFitOnUnitVolumes) {
  for (const bool masked : {false, true})
    for (const bool intercept : {true, false}) {
      Study raw = uneven_study();
      if (masked) raw.mask = every_third_out(raw);
      const Study hand = unit_volumes(raw);
      const SturmFit a = fit(raw, with(absolute(0.3, 0.1), Normalize::sample, intercept));
      const SturmFit b = fit(hand, with(absolute(0.3, 0.1), Normalize::none, intercept));
      EXPECT_EQ(a.report.status, Status::converged);
      EXPECT_NEAR(a.report.objective, b.report.objective, 2 * gap * b.report.objective);
      EXPECT_NEAR(a.report.objective, objective(hand, a), 1e-11 * a.report.objective);
      const auto on_raw = decision_values(a.model, design_of<double>(raw.volumes));
      expect_same_predictions(on_raw, decision_values(b.model, design_of<double>(hand.volumes)), a, raw);
      for (std::size_t m = 0; m < raw.samples(); ++m)  // terms of size |W| at most, 24 of them
        EXPECT_NEAR(on_raw[m], predicted(hand.volumes[m], a.model.coef, a.model.intercept),
                    1e-12 * (1 + frobenius_norm(a.model.coef)));
    }
}

// Brightness and contrast of a volume do not matter, in training or in prediction.
TEST(NormalizeSample, IgnoresBrightnessAndContrast) {
  const Study raw = uneven_study();
  Study bright = raw;
  for (std::size_t m = 0; m < raw.samples(); ++m)
    for (double& v : bright.volumes[m].flat()) v = 7 + (1.0 + static_cast<double>(m)) * v;
  const SturmFit a = fit(raw, with(absolute(0.3, 0.1), Normalize::sample));
  const SturmFit b = fit(bright, with(absolute(0.3, 0.1), Normalize::sample));
  EXPECT_NEAR(a.report.objective, b.report.objective, 2 * gap * a.report.objective);
  const auto one = decision_values(a.model, design_of<double>(raw.volumes));
  const auto two = decision_values(a.model, design_of<double>(bright.volumes));
  for (std::size_t m = 0; m < one.size(); ++m) EXPECT_NEAR(one[m], two[m], 1e-11 * (1 + frobenius_norm(a.model.coef)));
}

// A volume without contrast has no direction: it becomes 0, not its own rounding blown up to norm 1.
template <class Real>
void expect_flat_volume_is_zero() {
  Study study = uneven_study();
  std::ranges::fill(study.volumes[8].flat(), 0.1);
  const SturmFit f = fit<Real>(study, with(absolute(0.3, 0.1, 1e-3), Normalize::sample));
  EXPECT_EQ(f.report.status, Status::converged);
  EXPECT_EQ(decision_values(f.model, design_of<Real>(study.volumes))[8], f.model.intercept);
  Study zero = study;
  std::ranges::fill(zero.volumes[8].flat(), 0.0);
  EXPECT_EQ(fit<Real>(zero, with(absolute(0.3, 0.1, 1e-3), Normalize::sample)).model.coef, f.model.coef);
}
TEST(NormalizeSample, AFlatVolumeIsZero) {
  expect_flat_volume_is_zero<float>();
  expect_flat_volume_is_zero<double>();
}

}  // namespace
}  // namespace sturm
