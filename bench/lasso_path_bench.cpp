// SPDX-License-Identifier: BSD-3-Clause
// A path of the lasso or the elastic net over arrays in files, for lasso_path.py and tests/cli/lasso_test.py.
//   lasso_path_bench X.npy y.raw GAMMAS.raw OUT [--l2 L] [--weights s.raw] [--intercept] [--gap G] [--precision
//   f32|f64]
// OUT gets w.raw (a row of voxels in double for every gamma), theta.raw and summary.json. X has four axes.
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "running.h"
#include "sturm/core/npy_design.h"
#include "sturm/solver/lasso_path.h"

namespace {

using namespace sturm;
namespace fs = std::filesystem;

struct Arguments : bench::Running {
  std::string gammas, weights;
  double l2 = 0, gap = 1e-4;
  bool intercept = false;
};

void append(std::ofstream& out, std::span<const double> values) {
  out.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

template <class Real>
void solve(const Arguments& args) {
  const Design<Real> x = load_design<Real>(args.design);
  const std::vector<double> labels = bench::read_doubles(args.labels), gammas = bench::read_doubles(args.gammas);
  const std::vector<double> weights =
      args.weights.empty() ? std::vector<double>(x.samples(), 1.0) : bench::read_doubles(args.weights);
  LassoOptions options{linalg::cpu_backend()};
  options.gap = args.gap;
  double best = 1e300, cpu = 1e300;
  LassoStats stats;
  std::vector<LassoSolution> path;
  for (int r = 0; r < args.repeats; ++r) {
    const std::clock_t cpu_start = std::clock();
    const auto start = std::chrono::steady_clock::now();
    const LassoView<Real> view(x, RowMap(weights, args.intercept), {}, {});
    stats = {};
    path = solve_lasso_path(view, view.rows.apply(labels), args.l2, gammas, options, &stats);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    cpu = std::min(cpu, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
  }
  fs::create_directories(args.out);
  std::ofstream w_file(fs::path(args.out) / "w.raw", std::ios::binary);
  std::ofstream theta_file(fs::path(args.out) / "theta.raw", std::ios::binary);
  nlohmann::json points = nlohmann::json::array();
  for (const LassoSolution& s : path) {
    std::vector<double> w(x.voxels());
    for (std::size_t i = 0; i < s.voxels.size(); ++i) w[s.voxels[i]] = s.values[i];
    append(w_file, w);
    append(theta_file, s.theta);
    points.push_back({{"objective", s.objective},
                      {"dual", s.dual},
                      {"gap", s.gap},
                      {"nonzeros", s.voxels.size()},
                      {"iterations", s.iterations},
                      {"status", to_word(s.status)}});
  }
  const nlohmann::json summary = {{"seconds", best},          {"cpu", cpu},
                                  {"passes", stats.passes},   {"exact_passes", stats.exact_passes},
                                  {"working", stats.working}, {"search", stats.search},
                                  {"inner", stats.inner},     {"wide", stats.wide},
                                  {"proof", stats.proof},     {"points", points}};
  std::ofstream(fs::path(args.out) / "summary.json") << summary.dump(1) << '\n';
}

}  // namespace

int main(int count, char** words) {
  CLI::App app{"a path of the lasso or the elastic net"};
  Arguments args;
  app.add_option("design", args.design)->required();
  app.add_option("labels", args.labels)->required();
  app.add_option("gammas", args.gammas)->required();
  app.add_option("out", args.out)->required();
  app.add_option("--l2", args.l2);
  app.add_option("--weights", args.weights);
  app.add_flag("--intercept", args.intercept);
  app.add_option("--gap", args.gap);
  bench::add_flags(app, args);
  return bench::run(app, count, words, args, [&](auto real) { solve<decltype(real)>(args); });
}
