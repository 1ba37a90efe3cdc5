// SPDX-License-Identifier: BSD-3-Clause
// The check of a proof against slow definitions, and against fits whose proofs are known to be good. Altered files:
// tests/cli/verify_test.py.
#include "sturm/app/proof_check.h"

#include "models/fitting.h"
#include "oracle/overlapped.h"
#include "oracle/proof.h"

namespace sturm {
namespace {

TEST(ProofNorms, AreThoseOfTheDefinition) {
  for (const Shape& shape : {Shape{6, 4, 5}, Shape{4, 6, 8}, Shape{5, 3, 1}, Shape{1, 7, 3}, Shape{2, 1, 4}}) {
    const Tensor a = random_normal(shape, 5);
    const NormsOfProof tubal = tubal_norms(a), unfolded = unfolded_norms(a);
    EXPECT_NEAR(tubal.nuclear, oracle::tnn(a), 1e-13 * tubal.nuclear);
    EXPECT_NEAR(tubal.spectral.at(0), oracle::spectral(a), 1e-13 * tubal.spectral[0]);
    double sum = 0;
    for (int mode = 1; mode <= 3; ++mode) {
      sum += oracle::nuclear(a, mode) / 3;
      EXPECT_NEAR(unfolded.spectral.at(mode - 1), 3 * oracle::unfolded_values(a, mode).front(), 1e-12);
    }
    EXPECT_NEAR(unfolded.nuclear, sum, 1e-13 * sum);
  }
  EXPECT_EQ(tubal_norms(Tensor({3, 2, 4})).nuclear, 0);
}

/// A fit of every method with a proof, as the check sees it.
class ProofCheck : public testing::Test {
 protected:
  static constexpr Shape shape{5, 4, 3};
  struct Fit {
    ProofTerms terms;
    std::vector<double> coef;
    double intercept = 0;
    ProofPoint point;
    FitReport report;
  };

  template <class Real>
  Fit fitted(const std::string& name, std::vector<double> setting, Normalize normalize) {
    const Design<Real> x = design<Real>();
    const Method<Real>& method = find_method<Real>(name);
    FitData<Real> data(test::first_backend(), x, {}, normalize);
    data.tube = 0.1;
    MethodOptions options;
    options.solver.gap = 1e-5;
    options.keep_proofs = true;
    Fit out;
    method.fit(data, std::vector<FitTask>{{y_, weights_, setting}}, options,
               [&](Index, const std::unique_ptr<FittedModel<Real>>& model) {
                 const LinearModel& map = model->model().map();
                 out.coef.assign(map.coef.flat().begin(), map.coef.flat().end());
                 out.intercept = map.intercept;
                 out.point = *model->proof;
                 out.report = model->report;
               });
    out.terms = {.kind = method.proof_kind(),
                 .tau = std::isnan(out.report.tau) ? 0 : out.report.tau,
                 .gamma = std::isnan(out.report.gamma) ? 0 : out.report.gamma,
                 .tube = 0.1,
                 .classes = false,
                 .normalize = normalize,
                 .single = sizeof(Real) == 4};
    (method.proof_kind() == ProofKind::margin ? out.terms.c : out.terms.l2) =
        method.proof_kind() == ProofKind::squares || method.proof_kind() == ProofKind::margin ? setting.back() : 0;
    if (name == "lasso") out.terms.l2 = 0;
    return out;
  }
  template <class Real>
  ProofNumbers check(const Fit& fit) {
    return check_proof(fit.terms, design<Real>(), y_, weights_, {fit.coef, fit.intercept}, fit.point);
  }
  template <class Real>
  Design<Real> design() const {
    const Design<double> wide = test::random_design<double>(shape, 14, 31);
    AlignedVector<Real> numbers;
    for (const double v : wide.x()) numbers.push_back(static_cast<Real>(static_cast<float>(10 + v)));
    return Design<Real>::owning(shape, 14, std::move(numbers));
  }

  std::vector<double> y_ = test::random_labels(14, 32, 2), weights_ = [] {
    std::vector<double> out(14, 1.0);
    out[3] = 2;
    out[5] = 0;
    return out;
  }();
  const std::vector<std::pair<std::string, std::vector<double>>> all_ = {{"sturm", {1.0, 0.4}}, {"remurs", {1.0, 0.4}},
                                                                         {"lasso", {0.5}},      {"enet", {0.3, 2}},
                                                                         {"ridge", {3}},        {"svm", {0.2}}};
};

TEST_F(ProofCheck, FindsTheNumbersOfTheFit) {
  const auto agrees = [&]<class Real>(Real) {
    for (const auto& [name, setting] : all_)
      for (const Normalize normalize : {Normalize::none, Normalize::sample, Normalize::voxel}) {
        SCOPED_TRACE(name + ", " + to_word(normalize));
        const Fit fit = fitted<Real>(name, setting, normalize);
        const ProofNumbers found = check<Real>(fit);
        EXPECT_TRUE(found.problems.empty()) << found.problems.front();
        EXPECT_NEAR(found.primal, fit.report.objective, found.primal_rounding);
        EXPECT_NEAR(found.dual, fit.report.dual, found.dual_rounding);
        EXPECT_NEAR(found.gap, fit.report.relative_gap, found.gap_rounding);
        EXPECT_NEAR(found.best_intercept, fit.intercept, found.intercept_rounding);
        EXPECT_LE(found.excess, 1 + found.excess_rounding);
        // The allowance is small beside what a gap says.
        EXPECT_LE(found.gap_rounding, sizeof(Real) == 4 ? 2e-5 : 1e-8);
        EXPECT_LE(found.gap, 2e-5);
      }
  };
  agrees(float{});
  agrees(double{});
}

// Any theta is a bound, and no map is below it: of wrong points the dual value falls, and the check never says more.
TEST_F(ProofCheck, NoPointIsWorthMoreThanTheOptimum) {
  for (const auto& [name, setting] : all_) {
    const Fit fit = fitted<double>(name, setting, Normalize::none);
    const double best = check<double>(fit).dual;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Fit other = fit;
      Rng rng(seed, 9);
      const double size = std::pow(10.0, -3 + static_cast<double>(seed % 5));
      for (std::size_t m = 0; m < other.point.theta.size(); ++m)
        if (weights_[m] > 0) other.point.theta[m] *= 1 + size * rng.normal();
      for (Tensor& part : other.point.split)
        for (double& v : part.flat()) v += size * rng.normal();
      EXPECT_LE(check<double>(other).dual, best * (1 + 2e-5)) << name << ", " << seed;
    }
  }
}

TEST_F(ProofCheck, NotNumbersAndWrongShapesAreProblems) {
  const Fit good = fitted<double>("sturm", {1.0, 0.4}, Normalize::voxel);
  const auto refused = [&](const auto& change) {
    Fit fit = good;
    change(fit);
    return !check<double>(fit).problems.empty();
  };
  ASSERT_FALSE(refused([](Fit&) {}));
  const double bad = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(refused([&](Fit& f) { f.point.theta[2] = bad; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.split[0].data()[7] = bad; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.coef[7] = bad; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.intercept = bad; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.scale[4] = bad; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.scale[4] *= 1.001; }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.scale.clear(); }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.split.clear(); }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.split[0] = Tensor({5, 3, 4}); }));
  EXPECT_TRUE(refused([&](Fit& f) { f.point.theta[5] = 1; })) << "a sample of weight 0";
}

}  // namespace
}  // namespace sturm
