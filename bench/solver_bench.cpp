// SPDX-License-Identifier: BSD-3-Clause
// Our side of solver_grid.py: solves a list of problems over one design and says where the time went.
//   solver_bench X.npy y.raw PROBLEMS.tsv OUT [--threads N] [--gap G] [--precision f32|f64] [--memory BYTES]
//                [--save all|i,j] [--remurs]
//   solver_bench X.npy y.raw zero BALANCES.tsv OUT [--threads N]
#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "running.h"
#include "sturm/core/npy_design.h"
#include "sturm/linalg/backend.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/zero_point.h"

namespace {

using namespace sturm;
namespace fs = std::filesystem;

struct Arguments : bench::Running {
  std::string problems, second, save;
  double gap = 1e-3;
  bool remurs = false;
  Index memory = 0;
};

/// Rows of numbers under a header line.
std::vector<std::vector<double>> read_rows(const std::string& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(in, line)) {
    std::istringstream fields(line);
    rows.emplace_back();
    for (double v = 0; fields >> v;) rows.back().push_back(v);
  }
  return rows;
}

template <class T>
void write_raw(const fs::path& file, std::span<const T> values) {
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
}

/// Products per second of a large matrix product on one core.
template <class Real>
double gemm_rate() {
  const int before = threads();
  set_threads(1);
  const Index n = 768;
  std::vector<Real> a(n * n, 1), b(n * n, 1), c(n * n);
  linalg::Operations<Real>& ops = linalg::cpu_backend();
  double best = 1e300;
  for (int i = 0; i < 6; ++i) {
    const auto start = std::chrono::steady_clock::now();
    ops.multiply(linalg::Op::none, linalg::Op::none, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(), n);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  set_threads(before);
  return 2.0 * static_cast<double>(n * n * n) / best * 1e-9;
}

template <class Real>
void solve(const Arguments& args) {
  const Design<Real> x = load_design<Real>(args.design);
  const std::vector<double> y = bench::read_doubles(args.labels);
  const auto start = std::chrono::steady_clock::now();
  const RowMap rows(std::vector<double>(x.samples(), 1.0), false);
  const auto view = std::make_shared<const View<Real>>(x, rows, std::vector<Real>{}, std::vector<std::uint8_t>{});
  const PenaltyPointer penalty = args.remurs ? overlapped_nuclear_norm(x.shape()) : tubal_nuclear_norm(x.shape());
  std::vector<Problem<Real>> problems;
  for (const auto& row : read_rows(args.problems))
    problems.push_back({view, rows.apply(y), row.at(0), row.at(1), penalty});
  BatchOptions<Real> options;
  options.solver.gap = args.gap;
  options.memory = args.memory;
  SolveStats stats;
  // W and what proves it go to files as they come, so that memory is that of the problems under way.
  fs::create_directories(args.out);
  std::vector<Solution<Real>> solutions(problems.size(), {BasicTensor<Real>(Shape{}), BasicTensor<Real>(Shape{}), {}});
  options.take = [&](Index i, Solution<Real> s) {
    const bool wanted =
        args.save == "all" || ("," + args.save + ",").find("," + std::to_string(i) + ",") != std::string::npos;
    if (wanted && !args.save.empty()) {
      const std::string name = std::to_string(i) + ".raw";
      write_raw<Real>(fs::path(args.out) / ("w_" + name), s.w.flat());
      write_raw<double>(fs::path(args.out) / ("theta_" + name), s.theta);
      write_raw<Real>(fs::path(args.out) / ("g2_" + name), s.split.flat());
    }
    s.w = s.split = BasicTensor<Real>(Shape{});
    solutions[i] = std::move(s);
  };
  solve_batch<Real>(x, problems, options, &stats);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

  std::ofstream table(fs::path(args.out) / "results.tsv");
  table.precision(17);
  table << "index\ttau\tgamma\tstatus\tobjective\tdual\tgap\titerations\tpasses\n";
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    const auto& s = solutions[i];
    table << i << '\t' << problems[i].tau << '\t' << problems[i].gamma << '\t' << to_word(s.status) << '\t'
          << s.objective << '\t' << s.dual << '\t' << s.gap << '\t' << s.iterations << '\t' << s.passes << '\n';
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const double known = stats.prox + stats.products + stats.elementwise + stats.newton + stats.certificate;
  const nlohmann::json summary = {{"seconds", seconds},
                                  {"peak_bytes", usage.ru_maxrss * 1024},
                                  {"x_bytes", x.x().size_bytes()},
                                  {"slots", stats.slots},
                                  {"shares",
                                   {{"prox", stats.prox / seconds},
                                    {"products", stats.products / seconds},
                                    {"elementwise", stats.elementwise / seconds},
                                    {"newton", stats.newton / seconds},
                                    {"certificate", stats.certificate / seconds},
                                    {"other", 1 - known / seconds}}},
                                  {"gemm_gflops", gemm_rate<Real>()},
                                  {"products_gflops", stats.product_flops / stats.products * 1e-9}};
  std::ofstream(fs::path(args.out) / "summary.json") << summary.dump(1) << '\n';
}

void zero(const Arguments& args) {
  const Design<float> x = load_design<float>(args.design);
  const RowMap rows(std::vector<double>(x.samples(), 1.0), false);
  const View<float> view(x, rows, {}, {});
  const std::vector<double> y = rows.apply(bench::read_doubles(args.labels));
  fs::create_directories(args.out);
  std::ofstream table(fs::path(args.out) / "zero.tsv");
  table.precision(17);
  table << "balance\tlo\thi\ttau_1\tgamma_1\n";
  for (const auto& row : read_rows(args.second)) {
    const ZeroPoint z = zero_point(x, view, y, row.at(0));
    table << row[0] << '\t' << z.low << '\t' << z.high << '\t' << z.tau_alone << '\t' << z.gamma_alone << '\n';
  }
}

}  // namespace

int main(int count, char** words) {
  CLI::App app{"solves a list of problems"};
  Arguments args;
  std::vector<std::string> paths;
  app.add_option("paths", paths)->required();
  app.add_option("--gap", args.gap);
  app.add_flag("--remurs", args.remurs);
  app.add_option("--memory", args.memory);
  app.add_option("--save", args.save);
  bench::add_flags(app, args);
  return bench::run(app, count, words, args, [&](auto real) {
    args.design = paths.at(0);
    args.labels = paths.at(1);
    if (paths.at(2) == "zero") {
      args.second = paths.at(3);
      args.out = paths.at(4);
      zero(args);
    } else {
      args.problems = paths.at(2);
      args.out = paths.at(3);
      solve<decltype(real)>(args);
    }
  });
}
