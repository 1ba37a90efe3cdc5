// SPDX-License-Identifier: BSD-3-Clause
// Every voxel as our reader gives it, for a script to hold beside another reader's. Each line "FILE<tab>OUT" of stdin
// is answered by "ok" or the error; OUT gets the affine (12 doubles, row by row), the shape and the number of volumes
// (4 doubles), then all voxels as doubles.
#include <fstream>
#include <iostream>
#include <string>

#include "sturm/core/error.h"
#include "sturm/imaging/nifti.h"

namespace {

void dump(const std::string& file, const std::string& out) {
  using namespace sturm;
  const VolumeInfo info = read_volume_info(file);
  std::vector<double> values(static_cast<std::size_t>(info.grid.shape.size() * info.volumes));
  read_volumes_into(info, 0, info.volumes, std::span(values));
  const Shape& s = info.grid.shape;
  const double shape[4] = {static_cast<double>(s.n1), static_cast<double>(s.n2), static_cast<double>(s.n3),
                           static_cast<double>(info.volumes)};
  std::ofstream to(out, std::ios::binary);
  to.write(reinterpret_cast<const char*>(info.grid.affine.rows.data()), 12 * sizeof(double));
  to.write(reinterpret_cast<const char*>(shape), sizeof shape);
  to.write(reinterpret_cast<const char*>(values.data()), static_cast<std::streamsize>(values.size() * sizeof(double)));
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    const auto tab = line.find('\t');
    try {
      dump(line.substr(0, tab), line.substr(tab + 1));
      std::cout << "ok" << std::endl;  // NOLINT(performance-avoid-endl): the script waits for the line
    } catch (const sturm::Error& error) {
      std::cout << error.what() << std::endl;  // NOLINT(performance-avoid-endl)
    }
  }
}
