// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/cache.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "targets.h"
#include "temporary.h"

namespace sturm::fuzz {
namespace {

namespace fs = std::filesystem;

std::string bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Three samples of four voxels as write_cache() keeps them, and the folder in which inputs take their place.
struct Kept {
  Kept() {
    for (int m = 0; m < 3; ++m) {
      set.files.push_back({"volume.nii", {}});
      set.infos.emplace_back();
    }
    set.grid.shape = load.shape = {2, 3, 1};
    write_cache(folder.path(), key, set, sound);
    numbers = bytes_of(folder / (key + ".npy"));
    rest = bytes_of(folder / (key + ".safetensors"));
  }

  test::TemporaryFolder folder;
  const std::string key = "key";
  VolumeSet set;
  VolumeLoad load;
  std::string numbers, rest;
  const Region region{{2, 3, 1}, std::vector<std::uint8_t>{1, 0, 1, 1, 0, 1}};
  const LoadedVolumes<float> sound{
      Design<float>::owning(region, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), region.mask(), {0, 2, 0}, {0, 1, 0}};
};

const Kept& kept() {
  static const Kept kept;
  return kept;
}

/// What is read is what was kept, to the bit, or nothing.
void read_back(const std::string& numbers, const std::string& rest) {
  std::ofstream(kept().folder / (kept().key + ".npy"), std::ios::binary) << numbers;
  std::ofstream(kept().folder / (kept().key + ".safetensors"), std::ios::binary) << rest;
  const auto found = read_cache<float>(kept().folder.path(), kept().key, kept().set, kept().load);
  const LoadedVolumes<float>& sound = kept().sound;
  require(found || numbers != kept().numbers || rest != kept().rest);
  if (!found) return;
  require(found->design.samples() == 3 && found->design.region() == sound.design.region());
  require(std::ranges::equal(found->design.x(), sound.design.x()) && found->grid_mask == sound.grid_mask);
  require(found->not_finite == sound.not_finite && found->not_finite_in_mask == sound.not_finite_in_mask);
}

/// Each three bytes change one: where it is, in two bytes, and what it is combined with.
std::string changed(std::string to, std::string_view how) {
  for (; how.size() >= 3; how.remove_prefix(3)) {
    const std::size_t at = static_cast<unsigned char>(how[0]) + 256U * static_cast<unsigned char>(how[1]);
    char& byte = to[at % to.size()];
    byte = static_cast<char>(byte ^ how[2]);
  }
  return to;
}

}  // namespace

std::pair<std::string, std::string> sound_cache() { return {kept().numbers, kept().rest}; }

void cache(std::string_view bytes) {
  const char kind = bytes.empty() ? '\0' : bytes.front();
  const std::string_view input = bytes.empty() ? bytes : bytes.substr(1);
  const std::string &numbers = kept().numbers, &rest = kept().rest;
  switch (kind % 4) {
    case 0: return read_back(std::string(input), rest);
    case 1: return read_back(numbers, std::string(input));
    case 2: return read_back(changed(numbers, input), rest);
    default: return read_back(numbers, changed(rest, input));
  }
}

}  // namespace sturm::fuzz
