// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/cache.h"

#include <bit>
#include <map>

#include "sturm/core/files.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"
#include "sturm/core/safetensors.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr const char* layout = "sturm-cache-2";  ///< changes whenever the same files would give other numbers

template <class Value>
void add(ContentHash& hash, const Value& value) {
  hash.add(&value, sizeof value);
}

std::vector<double> as_doubles(const std::vector<Index>& counts) { return {counts.begin(), counts.end()}; }

std::vector<Index> as_counts(const Tensor& numbers) {
  std::vector<Index> out;
  for (const double v : numbers.flat()) out.push_back(static_cast<Index>(v));
  return out;
}

}  // namespace

std::string cache_key(const VolumeSet& set, const VolumeLoad& load, Index bytes_a_number) {
  std::map<fs::path, std::string> names;
  for (const VolumeInfo& info : set.infos) {
    names[info.header_file];
    names[info.data_file];
  }
  std::vector<std::pair<const fs::path, std::string>*> todo;
  todo.reserve(names.size());
  for (auto& entry : names) todo.push_back(&entry);
  parallel_for(static_cast<Index>(todo.size()), [&](Index f, int) { todo[f]->second = hash_file(todo[f]->first); });

  ContentHash hash;
  hash.add(std::string(layout));
  add(hash, bytes_a_number);
  hash.add(to_string(load.shape));
  hash.add(to_string(set.grid.shape));
  add(hash, set.grid.affine.rows);
  add(hash, load.learn_mask);
  add(hash, load.only_varying);
  add(hash, load.region.has_value());
  const std::vector<std::uint8_t> region = load.region ? load.region->mask() : std::vector<std::uint8_t>();
  hash.add(std::string(region.begin(), region.end()));
  hash.add(std::string(load.mask.begin(), load.mask.end()));
  hash.add(to_word(load.options.on_mismatch) + to_word(load.options.interpolation) + to_word(load.options.nan));
  for (std::size_t m = 0; m < set.files.size(); ++m) {
    hash.add(names[set.infos[m].header_file] + names[set.infos[m].data_file]);
    add(hash, set.files[m].volume.value_or(0));
  }
  return hash.text();
}

template <class Real>
std::optional<LoadedVolumes<Real>> read_cache(const fs::path& folder, const std::string& key, const VolumeSet& set,
                                              const VolumeLoad& load) {
  const fs::path numbers = folder / (key + ".npy"), rest = folder / (key + ".safetensors");
  if (!fs::exists(numbers) || !fs::exists(rest)) return {};
  try {
    const SafeTensors content = read_safetensors(rest);
    const auto format = content.metadata.find("format");
    if (format == content.metadata.end() || format->second != layout) return {};
    const Design<Real> stored = load_design<Real>(numbers);
    const auto mask = [&](const char* name, const Shape& shape) {
      return content.arrays.contains(name) ? to_bytes(content.array(name), shape, content.file)
                                           : std::vector<std::uint8_t>();
    };
    const Region region(load.shape, mask("region", load.shape));
    if (stored.shape() != region.column_shape() || stored.samples() != static_cast<Index>(set.files.size())) return {};
    LoadedVolumes<Real> out{stored.with_region(region)};
    out.grid_mask = mask("grid_mask", set.grid.shape);
    out.not_finite = as_counts(to_tensor(content.array("not_finite"), content.file));
    out.not_finite_in_mask = as_counts(to_tensor(content.array("not_finite_in_mask"), content.file));
    return out;
  } catch (const Error&) {
    return {};  // torn or from elsewhere: it is written anew
  }
}

template <class Real>
void write_cache(const fs::path& folder, const std::string& key, const VolumeSet& set,
                 const LoadedVolumes<Real>& loaded) {
  static_assert(std::endian::native == std::endian::little);
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) throw Error({folder.string()}, "cannot be made (" + failure.message() + "); choose another `cache`.");
  const Region& region = loaded.design.region();
  const Shape s = region.column_shape();
  std::string header = "{'descr': '<f" + std::to_string(sizeof(Real)) + "', 'fortran_order': True, 'shape': (" +
                       std::to_string(loaded.design.samples()) + ", " + std::to_string(s.n1) + ", " +
                       std::to_string(s.n2) + ", " + std::to_string(s.n3) + "), }";
  header.append(127 - (10 + header.size()) % 128, ' ');  // the numbers begin at a multiple of 128
  header += '\n';
  std::string start("\x93NUMPY\x01\x00", 8);
  start += static_cast<char>(header.size() % 256);
  start += static_cast<char>(header.size() / 256);
  start += header;
  const std::span<const Real> x = loaded.design.x();
  const std::string_view parts[] = {start, {reinterpret_cast<const char*>(x.data()), x.size_bytes()}};
  write_file(folder / (key + ".npy"), parts);

  SafeTensors content;
  content.metadata["format"] = layout;
  if (!loaded.grid_mask.empty()) content.arrays["grid_mask"] = stored(loaded.grid_mask, set.grid.shape);
  if (!region.whole()) content.arrays["region"] = stored(region.mask(), region.box());
  content.arrays["not_finite"] = stored(std::span<const double>(as_doubles(loaded.not_finite)));
  content.arrays["not_finite_in_mask"] = stored(std::span<const double>(as_doubles(loaded.not_finite_in_mask)));
  write_safetensors(folder / (key + ".safetensors"), content);
}

template std::optional<LoadedVolumes<float>> read_cache(const fs::path&, const std::string&, const VolumeSet&,
                                                        const VolumeLoad&);
template std::optional<LoadedVolumes<double>> read_cache(const fs::path&, const std::string&, const VolumeSet&,
                                                         const VolumeLoad&);
template void write_cache(const fs::path&, const std::string&, const VolumeSet&, const LoadedVolumes<float>&);
template void write_cache(const fs::path&, const std::string&, const VolumeSet&, const LoadedVolumes<double>&);

}  // namespace sturm
