// SPDX-License-Identifier: BSD-3-Clause
// The linear support vector machine on an array in a file, trained again and again for svm.py.
//   svm_bench X.npy y.raw OUT --C 1 [--C 10 ...] [--precision f32|f64] [--threads T] [--repeats R]
// OUT gets coef.raw (a row of voxels in double for every C) and summary.json with the best times. Training is all that
// Method::fit does: the Gram matrix, the dual problem and the map. X has four axes.
#include <chrono>
#include <ctime>
#include <nlohmann/json.hpp>

#include "running.h"
#include "sturm/core/npy_design.h"
#include "sturm/models/kernel/svm.h"
#include "sturm/models/model.h"

namespace {

using namespace sturm;
namespace fs = std::filesystem;

struct Arguments : bench::Running {
  std::vector<double> c;
};

template <class Real>
void train(const Arguments& args) {
  const Design<Real> x = load_design<Real>(args.design);
  const std::vector<double> y = bench::read_doubles(args.labels);
  const auto method = make_svm<Real>();
  fs::create_directories(args.out);
  std::ofstream coef(fs::path(args.out) / "coef.raw", std::ios::binary);
  nlohmann::json fits = nlohmann::json::array();
  for (const double c : args.c) {
    double seconds = 1e300, cpu = 1e300;
    std::unique_ptr<FittedModel<Real>> model;
    for (int r = 0; r < args.repeats; ++r) {
      const FitTask task{y, {}, {c}};
      const std::clock_t cpu_start = std::clock();
      const auto start = std::chrono::steady_clock::now();
      method->fit({linalg::cpu_backend(), x}, {&task, 1}, {},
                  [&](Index, std::unique_ptr<FittedModel<Real>> m) { model = std::move(m); });
      seconds = std::min(seconds, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
      cpu = std::min(cpu, static_cast<double>(std::clock() - cpu_start) / CLOCKS_PER_SEC);
    }
    const auto values = model->model().map().coef.flat();
    coef.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size_bytes()));
    fits.push_back({{"C", c},
                    {"seconds", seconds},
                    {"cpu", cpu},
                    {"intercept", model->model().map().intercept},
                    {"objective", model->report.objective},
                    {"dual", model->report.dual}});
  }
  std::ofstream(fs::path(args.out) / "summary.json") << fits.dump(1) << '\n';
}

}  // namespace

int main(int count, char** words) {
  CLI::App app{"the linear support vector machine, again and again"};
  Arguments args;
  app.add_option("design", args.design)->required();
  app.add_option("labels", args.labels)->required();
  app.add_option("out", args.out)->required();
  app.add_option("--C", args.c)->required();
  bench::add_flags(app, args);
  return bench::run(app, count, words, args, [&](auto real) { train<decltype(real)>(args); });
}
