// SPDX-License-Identifier: BSD-3-Clause
// The checked numbers of the sturm cases: Algorithm 2 step by step, and the certified optimum.
#include <fstream>
#include <nlohmann/json.hpp>

#include "shared_data.h"
#include "solver/small_problem.h"
#include "sturm/core/npy.h"
#include "sturm/solver/paper.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

using nlohmann::json;

class GoldenSturm : public test::SolverOnBackend {
 protected:
  struct Loaded {
    json facts;
    std::filesystem::path folder;
    Design<double> x;
    Problem<double> problem;
  };

  static std::vector<Loaded> cases() {
    std::ifstream in(test::shared_data("golden/index.json"));
    const json index = json::parse(in);
    std::vector<Loaded> out;
    for (const json& c : index["sturm"]) {
      const auto folder = test::shared_data("golden") / c["dir"].get<std::string>();
      NpyHeader header;
      const std::vector<double> x = read_npy(folder / "X.npy", header);
      const Shape shape{header.shape[1], header.shape[2], header.shape[3]};
      std::vector<Tensor> volumes;
      for (Index m = 0; m < header.shape[0]; ++m) {
        Tensor volume(shape);
        for (Index i = 0; i < shape.n1; ++i)
          for (Index j = 0; j < shape.n2; ++j)
            for (Index k = 0; k < shape.n3; ++k)
              volume(i, j, k) = x[((m * shape.n1 + i) * shape.n2 + j) * shape.n3 + k];
        volumes.push_back(volume);
      }
      const Design<double> design = test::design_of<double>(volumes);
      NpyHeader label_header;
      const double alpha = c["alpha"];
      Problem<double> problem{test::plain_view(design), read_npy(folder / "y.npy", label_header),
                              c["tau"].get<double>() / alpha, c["gamma"].get<double>() / alpha};
      out.push_back({c, folder, design, problem});
    }
    return out;
  }
};

TEST_P(GoldenSturm, PaperModeStepByStep) {
  STURM_NEEDS_SHARED("golden/index.json");
  int snapshots = 0;
  for (const Loaded& c : cases()) {
    SCOPED_TRACE(c.facts["name"]);
    const double alpha = c.facts["alpha"], rho = c.facts["rho"].get<double>() / alpha;
    run_paper<double>(c.x, c.problem, rho, 50, backend, [&](int k, const PaperState<double>& s) {
      if (k != 1 && k != 5 && k != 50) return;
      const auto expect = [&](const char* name, const Tensor& got) {
        const Tensor truth = read_npy_tensor(c.folder / (std::string(name) + "_k" + std::to_string(k) + ".npy"));
        EXPECT_LE(max_abs(got - truth), 1e-10 * std::max(1.0, max_abs(truth))) << name << " after " << k;
        ++snapshots;
      };
      expect("A", s.a);
      expect("B", s.b.front());
      expect("W", s.w);
      expect("P", s.p);
      expect("Q", s.q.front());
    });
  }
  EXPECT_EQ(snapshots, 9 * 3 * 5);
}

TEST_P(GoldenSturm, CertifiedOptimum) {
  STURM_NEEDS_SHARED("golden/index.json");
  int count = 0;
  for (const Loaded& c : cases()) {
    SCOPED_TRACE(c.facts["name"]);
    const Solution<double> s = solve_one(c.x, c.problem, 1e-9);
    const double alpha = c.facts["alpha"], truth = c.facts["objective_star"];
    EXPECT_LE(s.gap, 1e-9);
    EXPECT_LE(std::abs(alpha * s.objective - truth), 1e-9 * truth);
    const Tensor w = read_npy_tensor(c.folder / "Wstar.npy");
    EXPECT_LE(max_abs(s.w - w), 1e-3 * std::max(1e-6, max_abs(w)));  // the objective is flat: W is known to its root
    if (c.facts["nnz_star"] == 0) {
      EXPECT_EQ(s.status, Status::zero_solution);
      EXPECT_LE(s.iterations, 50) << "a zero solution must be recognised, not waited for";
      EXPECT_EQ(max_abs(s.w), 0);
    } else {
      EXPECT_EQ(s.status, Status::converged);
    }
    ++count;
  }
  EXPECT_EQ(count, 9);
}

TEST_P(GoldenSturm, CertifiedInSinglePrecision) {
  STURM_NEEDS_SHARED("golden/index.json");
  for (const Loaded& c : cases()) {
    SCOPED_TRACE(c.facts["name"]);
    AlignedVector<float> x(c.x.x().begin(), c.x.x().end());
    const auto design = Design<float>::owning(c.x.shape(), c.x.samples(), std::move(x));
    const Problem<float> problem{test::plain_view(design), c.problem.y, c.problem.tau, c.problem.gamma};
    const Solution<float> s = solve_one(design, problem, 1e-3);
    EXPECT_LE(s.gap, 1e-3);
    const double alpha = c.facts["alpha"], truth = c.facts["objective_star"];
    EXPECT_LE(alpha * s.objective, truth * (1 + 1.1e-3));
  }
}

// What Algorithm 2 leaves after 50 iterations is reported with its gap, and the gap is an upper bound of the truth.
TEST_P(GoldenSturm, PaperModeReportsItsGap) {
  STURM_NEEDS_SHARED("golden/index.json");
  for (const Loaded& c : cases()) {
    SCOPED_TRACE(c.facts["name"]);
    BatchOptions<double> options{backend};
    options.solver.iterations = 50;
    options.solver.rho = c.facts["rho"].get<double>() / c.facts["alpha"].get<double>();
    const Solution<double> s = solve_paper(c.x, c.problem, options);
    const double truth = c.facts["objective_star"].get<double>() / c.facts["alpha"].get<double>();
    EXPECT_NEAR(s.objective, c.facts["objective_k"]["50"].get<double>() / c.facts["alpha"].get<double>(),
                1e-9 * std::abs(s.objective));
    EXPECT_GE(s.gap * s.objective, s.objective - truth - 1e-9 * truth);
    EXPECT_LE(s.dual, truth * (1 + 1e-9));
  }
}

STURM_ON_EVERY_BACKEND(GoldenSturm);

}  // namespace
}  // namespace sturm
