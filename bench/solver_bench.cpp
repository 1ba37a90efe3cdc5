// SPDX-License-Identifier: BSD-3-Clause
// Our side of solver_grid.py: solves a list of problems over one design and says where the time went.
//   solver_bench X.npy y.raw PROBLEMS.tsv OUT [--mask MASK.npy] [--threads N] [--gap G] [--precision f32|f64]
//                [--memory BYTES] [--save all|i,j] [--remurs]
//   solver_bench X.npy y.raw zero BALANCES.tsv OUT [--mask MASK.npy] [--threads N]
// Saved tensors are whole volumes: W is zero outside the mask, the split outside the rows and columns that it reaches.
#include <sys/resource.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "running.h"
#include "sturm/core/npy_design.h"
#include "sturm/linalg/host.h"
#include "sturm/penalty/used.h"
#include "sturm/solver/batch.h"
#include "sturm/solver/zero_point.h"

namespace {

using namespace sturm;
namespace fs = std::filesystem;

struct Arguments : bench::Running {
  std::string problems, second, save, mask;
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
  const UseThreads one(1);
  const Index n = 768;
  std::vector<Real> a(n * n, 1), b(n * n, 1), c(n * n);
  double best = 1e300;
  for (int i = 0; i < 6; ++i) {
    const auto start = std::chrono::steady_clock::now();
    linalg::host::multiply<Real>(linalg::Op::none, linalg::Op::none, n, n, n, 1, a.data(), n, b.data(), n, 0, c.data(),
                                 n);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return 2.0 * static_cast<double>(n * n * n) / best * 1e-9;
}

/// X and what --mask leaves of it: the one place where a mask restricts the design.
template <class Real>
Design<Real> load(const Arguments& args) {
  const Design<Real> x = load_design<Real>(args.design);
  return args.mask.empty() ? x : masked(x, load_mask(args.mask, x.shape()));
}

/// All rows as they are.
template <class Real>
std::shared_ptr<const View<Real>> view_of(const Design<Real>& x) {
  return std::make_shared<const View<Real>>(x, RowMap(std::vector<double>(x.samples(), 1.0), false),
                                            std::vector<Real>{}, std::vector<std::uint8_t>{});
}

/// The parts of a split as whole volumes, one after the other: a copy has the rows and columns that the region reaches,
/// the box has 0 in the others. One part is that of the tubal nuclear norm, three are unfoldings (of modes 2 and 3
/// transposed).
template <class Real>
std::vector<Real> in_box(const Copies<Real>& split, const Region& region) {
  const Shape& s = region.box();
  const auto of_i = [](Index i, Index, Index) { return i; };
  const auto of_j = [](Index, Index j, Index) { return j; };
  const auto of_k = [](Index, Index, Index k) { return k; };
  const auto of_ij = [s](Index i, Index j, Index) { return i + s.n1 * j; };
  const auto of_ik = [s](Index i, Index, Index k) { return i + s.n1 * k; };
  const auto of_jk = [s](Index, Index j, Index k) { return j + s.n2 * k; };
  std::vector<Real> out;
  const auto append = [&](const BasicTensor<Real>& copy, auto row, Index rows, auto column, Index columns, auto depth) {
    const Used used_rows(region, rows, row), used_columns(region, columns, column);
    for (Index k = 0; k < s.n3; ++k)
      for (Index j = 0; j < s.n2; ++j)
        for (Index i = 0; i < s.n1; ++i) {
          const Index r = used_rows[row(i, j, k)], c = used_columns[column(i, j, k)];
          out.push_back(r < 0 || c < 0 ? Real{0} : copy(r, c, depth(k)));
        }
  };
  const auto flat = [](Index) { return Index{0}; };
  if (split.size() == 1) {
    append(split[0], of_i, s.n1, of_j, s.n2, [](Index k) { return k; });
  } else {
    append(split[0], of_i, s.n1, of_jk, s.n2 * s.n3, flat);
    append(split[1], of_ik, s.n1 * s.n3, of_j, s.n2, flat);
    append(split[2], of_ij, s.slice(), of_k, s.n3, flat);
  }
  return out;
}

template <class Real>
void solve(const Arguments& args) {
  const std::vector<double> y = bench::read_doubles(args.labels);
  const auto start = std::chrono::steady_clock::now();
  const Design<Real> x = load<Real>(args);
  const auto view = view_of(x);
  const PenaltyPointer penalty = args.remurs ? overlapped_nuclear_norm(x.region()) : tubal_nuclear_norm(x.region());
  std::vector<Problem<Real>> problems;
  for (const auto& row : read_rows(args.problems))
    problems.push_back({view, view->rows.apply(y), row.at(0), row.at(1), penalty});
  BatchOptions<Real> options{linalg::cpu_backend()};
  options.solver.gap = args.gap;
  options.memory = args.memory;
  SolveStats stats;
  // W and what proves it go to files as they come, so that memory is that of the problems under way.
  fs::create_directories(args.out);
  std::vector<Solution<Real>> solutions(problems.size());
  options.take = [&](Index i, Solution<Real> s) {
    const bool wanted =
        args.save == "all" || ("," + args.save + ",").find("," + std::to_string(i) + ",") != std::string::npos;
    if (wanted && !args.save.empty()) {
      const std::string name = std::to_string(i) + ".raw";
      write_raw<Real>(fs::path(args.out) / ("w_" + name), x.region().template spread<Real>(s.w.flat()).flat());
      write_raw<double>(fs::path(args.out) / ("theta_" + name), s.theta);
      write_raw<Real>(fs::path(args.out) / ("g2_" + name), in_box(s.split, x.region()));
    }
    s.w = BasicTensor<Real>(Shape{});
    s.split.clear();
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
                                   {{"prox", stats.prox / stats.total},
                                    {"products", stats.products / stats.total},
                                    {"elementwise", stats.elementwise / stats.total},
                                    {"newton", stats.newton / stats.total},
                                    {"certificate", stats.certificate / stats.total},
                                    {"other", 1 - known / stats.total}}},
                                  {"gemm_gflops", gemm_rate<Real>()},
                                  {"products_gflops", stats.product_flops / stats.products * 1e-9}};
  std::ofstream(fs::path(args.out) / "summary.json") << summary.dump(1) << '\n';
}

void zero(const Arguments& args) {
  const Design<float> x = load<float>(args);
  const auto view = view_of(x);
  const std::vector<double> y = view->rows.apply(bench::read_doubles(args.labels));
  fs::create_directories(args.out);
  std::ofstream table(fs::path(args.out) / "zero.tsv");
  table.precision(17);
  table << "balance\tlo\thi\ttau_1\tgamma_1\n";
  for (const auto& row : read_rows(args.second)) {
    const ZeroPoint z = zero_point(x, *view, y, row.at(0), linalg::cpu_backend());
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
  app.add_option("--mask", args.mask);
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
