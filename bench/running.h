// SPDX-License-Identifier: BSD-3-Clause
// What the programs here have in common: volumes and labels in files, a folder for what is found, and how to run.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "sturm/core/parallel.h"
#include "sturm/linalg/blas_kernels.h"

namespace sturm::bench {

struct Running {
  std::string design, labels, out, precision = "f32";
  int threads = 1, repeats = 1;
};

inline void add_flags(CLI::App& app, Running& running) {
  app.add_option("--precision", running.precision);
  app.add_option("--threads", running.threads);
  app.add_option("--repeats", running.repeats);
}

inline std::vector<double> read_doubles(const std::string& file) {
  std::vector<double> out(std::filesystem::file_size(file) / sizeof(double));
  std::ifstream(file, std::ios::binary)
      .read(reinterpret_cast<char*>(out.data()), static_cast<std::streamsize>(out.size() * sizeof(double)));
  return out;
}

/// Parses, then calls work(Real{}) with the type that --precision asks for.
template <class Work>
int run(CLI::App& app, int count, char** words, const Running& running, const Work& work) {
  CLI11_PARSE(app, count, words);
  try {
    std::cerr << linalg::restart_with_better_blas(words);
    const UseThreads threads(running.threads);
    running.precision == "f64" ? work(double{}) : work(float{});
  } catch (const std::exception& e) {
    std::cerr << e.what() << '\n';
    return 3;
  }
  return 0;
}

}  // namespace sturm::bench
