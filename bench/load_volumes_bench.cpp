// SPDX-License-Identifier: BSD-3-Clause
// Loads every volume that a samples table names, as float32, again and again. load_volumes.py runs it and checks what
// it writes to --dump against nibabel before it trusts the times.
#include <CLI/CLI.hpp>
#include <chrono>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>

#include "sturm/core/error.h"
#include "sturm/core/parallel.h"
#include "sturm/core/table.h"
#include "sturm/imaging/nifti.h"

namespace {

using namespace sturm;

struct Volumes {
  std::vector<std::filesystem::path> files;
  Index voxels = 0;
  std::vector<float> x;  ///< one volume after the other
};

void load(Volumes& v) {
  parallel_for(static_cast<Index>(v.files.size()), [&v](Index n, int) {
    const VolumeInfo info = read_volume_info(v.files[n]);
    read_volume_into(info, 0, std::span(v.x).subspan(n * v.voxels, v.voxels));
  });
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App program("Times the loading of volumes.");
  std::string samples, dump;
  int workers = 2, repeat = 5;
  program.add_option("samples", samples)->required();
  program.add_option("--dump", dump);
  program.add_option("--threads", workers);
  program.add_option("--repeat", repeat);
  CLI11_PARSE(program, argc, argv);
  try {
    const UseThreads threads(workers);
    const Table table = Table::read(samples);
    Volumes v;
    for (const std::string& path : table.texts(table.column("path")))
      v.files.push_back(std::filesystem::path(samples).parent_path() / path);
    v.voxels = read_volume_info(v.files.at(0)).grid.shape.size();
    v.x.resize(v.files.size() * static_cast<std::size_t>(v.voxels));
    nlohmann::json seconds;
    for (int n = 0; n < repeat; ++n) {
      const auto begin = std::chrono::steady_clock::now();
      load(v);
      seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    if (!dump.empty())
      std::ofstream(dump, std::ios::binary)
          .write(reinterpret_cast<const char*>(v.x.data()), static_cast<std::streamsize>(v.x.size() * sizeof(float)));
    std::cout << seconds.dump() << "\n";
  } catch (const Error& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
