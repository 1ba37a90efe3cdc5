// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/brain_map.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/npy.h"
#include "sturm/imaging/load.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

void only_finite(std::span<float> values) {
  for (float& v : values)
    if (!std::isfinite(v)) v = 0;
}

}  // namespace

BrainMap read_map(const fs::path& file) {
  if (file.extension() == ".npy") {
    BrainMap map{cast<float>(read_npy_tensor(file)), {}, false};
    only_finite(map.values.flat());
    return map;
  }
  const VolumeInfo info = read_volume_info(file);
  require_one_volume(info);
  BrainMap map{TensorF(info.grid.shape), info.grid.affine, true};
  read_volume_into<float>(info, 0, map.values.flat());
  only_finite(map.values.flat());
  return map;
}

std::optional<BrainMap> find_map(const fs::path& folder, const std::string& stem) {
  for (const char* ending : {".nii.gz", ".npy"})
    if (fs::exists(folder / (stem + ending))) return read_map(folder / (stem + ending));
  return {};
}

std::vector<BrainMap> find_series(const fs::path& folder, const std::string& stem) {
  std::vector<BrainMap> out;
  if (const fs::path file = folder / (stem + ".nii.gz"); fs::exists(file)) {
    const VolumeInfo info = read_volume_info(file);
    for (Index v = 0; v < info.volumes; ++v) {
      out.push_back({TensorF(info.grid.shape), info.grid.affine, true});
      read_volume_into<float>(info, v, out.back().values.flat());
      only_finite(out.back().values.flat());
    }
  } else if (const fs::path array = folder / (stem + ".npy"); fs::exists(array)) {
    NpyHeader header;
    const std::vector<double> values = read_npy(array, header);
    if (header.shape.size() != 4 || !header.fortran_order)
      throw Error({array.string()}, "is not an array of four axes in Fortran order as sturm writes it; make it again.");
    const Shape shape = Shape{header.shape[0], header.shape[1], header.shape[2]}.check();
    for (Index v = 0; v < header.shape[3]; ++v) {
      out.push_back({TensorF(shape), {}, false});
      std::transform(values.begin() + v * shape.size(), values.begin() + (v + 1) * shape.size(),
                     out.back().values.data(), [](double value) { return static_cast<float>(value); });
      only_finite(out.back().values.flat());
    }
  }
  return out;
}

std::string write_map(const fs::path& folder, const std::string& stem, const BrainMap& map,
                      const std::string& description) {
  std::string file = stem + (map.in_world ? ".nii.gz" : ".npy");
  if (map.in_world)
    write_volume(folder / file, map.grid(), map.values.flat(), {.description = description});
  else
    write_npy(folder / file, map.values);
  return file;
}

std::string write_series(const fs::path& folder, const std::string& stem, const std::vector<BrainMap>& maps,
                         const std::string& description) {
  const BrainMap& first = maps.front();
  std::string file = stem + (first.in_world ? ".nii.gz" : ".npy");
  std::vector<float> all;
  for (const BrainMap& map : maps) all.insert(all.end(), map.values.flat().begin(), map.values.flat().end());
  const bool bytes =
      std::ranges::all_of(all, [](float value) { return value >= 0 && value <= 255 && value == std::floor(value); });
  if (first.in_world)
    write_volume(folder / file, first.grid(), all,
                 {.type = bytes ? VoxelType::uint8 : VoxelType::float32, .description = description},
                 static_cast<Index>(maps.size()));
  else
    write_npy_series(folder / file, first.values.shape(), all);
  return file;
}

BrainMap map_on(const BrainMap& map, const Grid& grid, const std::string& name) {
  if (map.values.shape() == grid.shape && (!map.in_world || same_grid(map.grid(), grid))) {
    BrainMap same = map;
    same.affine = grid.affine;
    return same;
  }
  if (!map.in_world)
    throw Error({name}, "is " + to_string(map.values.shape()) + " where the maps are " + to_string(grid.shape) +
                            ", and an array has no place in the world; give a NIfTI file.");
  const std::span<const float> flat = map.values.flat();
  const std::vector<float> values =
      on_grid(std::vector<float>(flat.begin(), flat.end()), map.grid(), grid, Interpolation::linear);
  BrainMap out{TensorF(grid.shape), grid.affine, true};
  std::ranges::copy(values, out.values.data());
  only_finite(out.values.flat());
  return out;
}

double limit_of(const BrainMap& map) {
  float limit = 0;
  for (const float v : map.values.flat()) limit = std::max(limit, std::abs(v));
  return static_cast<double>(limit);
}

}  // namespace sturm
