// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/cache.h"

#include <bit>
#include <cstring>
#include <map>

#include "sturm/core/files.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"
#include "sturm/core/safetensors.h"
#include "sturm/imaging/content_hash.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr const char* layout = "sturm-cache-3";  ///< changes whenever the same files would give other numbers

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

/// The bits of all samples, one row each; samples that have none are rows of 0.
StoredArray stored_bits(const Coverage& coverage, const Coverage::Words& (Coverage::*of)(Index) const) {
  const auto row = static_cast<std::size_t>(coverage.words()) * 8;
  StoredArray out{"U8", {coverage.samples(), static_cast<Index>(row)}, {}};
  out.bytes.resize(row * static_cast<std::size_t>(coverage.samples()));
  for (Index m = 0; m < coverage.samples(); ++m)
    if (const Coverage::Words& words = (coverage.*of)(m); !words.empty())
      std::memcpy(out.bytes.data() + row * static_cast<std::size_t>(m), words.data(), row);
  return out;
}

std::vector<Coverage::Words> bits_from(const SafeTensors& content, const char* name, const Shape& shape,
                                       Index samples) {
  const auto row = static_cast<std::size_t>((shape.size() + 63) / 64);
  std::vector<Coverage::Words> out(static_cast<std::size_t>(samples));
  if (!content.arrays.contains(name)) return out;
  const StoredArray& from = content.array(name);
  if (from.shape != std::vector<Index>{samples, static_cast<Index>(8 * row)} || from.type != "U8")
    throw Error("the bits are of other volumes");
  for (std::size_t m = 0; m < out.size(); ++m) {
    out[m].resize(row);
    std::memcpy(out[m].data(), from.bytes.data() + 8 * row * m, 8 * row);
  }
  return out;
}

bool any_bits(const Coverage& coverage, const Coverage::Words& (Coverage::*of)(Index) const) {
  for (Index m = 0; m < coverage.samples(); ++m)
    if (!(coverage.*of)(m).empty()) return true;
  return false;
}

/// Of everything but the checksum itself.
std::string checksum_of(const SafeTensors& content) {
  ContentHash hash;
  for (const auto& [name, word] : content.metadata)
    if (name != "checksum") hash.add(name + "=" + word);
  for (const auto& [name, array] : content.arrays) {
    hash.add(name + array.type);
    for (const Index extent : array.shape) add(hash, extent);
    hash.add(array.bytes);
  }
  return hash.text();
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
  add(hash, load.masks_later);
  add(hash, load.rule);
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

namespace {

/// Throws where what is there is not as it was written.
template <class Real>
LoadedVolumes<Real> read_whole(const fs::path& numbers, const SafeTensors& content, const VolumeSet& set,
                               const VolumeLoad& load) {
  const auto samples = static_cast<Index>(set.files.size());
  const Design<Real> stored = load_design<Real>(numbers);
  const auto mask = [&](const char* name, const Shape& shape) {
    return content.arrays.contains(name) ? to_bytes(content.array(name), shape, content.file)
                                         : std::vector<std::uint8_t>();
  };
  const Region region(load.shape, mask("region", load.shape));
  if (stored.shape() != region.column_shape() || stored.samples() != samples) throw Error("of other volumes");
  LoadedVolumes<Real> out{stored.with_region(region)};
  out.grid_mask = mask("grid_mask", set.grid.shape);
  out.not_finite = as_counts(to_tensor(content.array("not_finite"), content.file));
  out.not_finite_in_mask = as_counts(to_tensor(content.array("not_finite_in_mask"), content.file));
  out.coverage = std::make_shared<const Coverage>(set.grid.shape, bits_from(content, "lacks", set.grid.shape, samples),
                                                  bits_from(content, "bad", set.grid.shape, samples),
                                                  bits_from(content, "lone_zeros", set.grid.shape, samples));
  if (!content.arrays.contains("rim")) return out;
  const Region rim(set.grid.shape, mask("rim_region", set.grid.shape));
  const StoredArray& values = content.array("rim");
  AlignedVector<Real> x(static_cast<std::size_t>(checked_product(samples, rim.size())));
  if (values.bytes.size() != x.size() * sizeof(Real)) throw Error("of other volumes");
  std::memcpy(x.data(), values.bytes.data(), values.bytes.size());
  out.rim = Design<Real>::owning(rim, samples, std::move(x));
  return out;
}

}  // namespace

template <class Real>
std::optional<LoadedVolumes<Real>> read_cache(const fs::path& folder, const std::string& key, const VolumeSet& set,
                                              const VolumeLoad& load, std::string* why) {
  const fs::path numbers = folder / (key + ".npy"), rest = folder / (key + ".safetensors");
  const auto refuse = [&](const fs::path& file, const std::string& what) -> std::optional<LoadedVolumes<Real>> {
    if (why) *why = file.string() + " " + what + ", so the volumes are read anew and it is written again";
    return {};
  };
  std::error_code failure;
  if (!fs::exists(rest, failure)) return {};
  if (!fs::exists(numbers, failure)) return refuse(numbers, "of the cache is missing");
  try {
    const SafeTensors content = read_safetensors(rest);
    if (content.word("format") != layout) return refuse(rest, "was written by another version of this program");
    if (content.word("checksum") != checksum_of(content))
      return refuse(rest, "was altered (its checksum does not fit)");
    if (content.word("numbers") != hash_file(numbers))
      return refuse(numbers, "was altered or cut short (its checksum does not fit)");
    return read_whole<Real>(numbers, content, set, load);
  } catch (const Error&) {
    return refuse(rest, "cannot be read as it was written");
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
  ContentHash numbers;  // as hash_file() would find it: the header is a multiple of its words
  for (const std::string_view part : parts) numbers.add(part.data(), part.size());
  content.metadata["numbers"] = numbers.text();
  if (!loaded.grid_mask.empty()) content.arrays["grid_mask"] = stored(loaded.grid_mask, set.grid.shape);
  if (!region.whole()) content.arrays["region"] = stored(region.mask(), region.box());
  content.arrays["not_finite"] = stored(std::span<const double>(as_doubles(loaded.not_finite)));
  content.arrays["not_finite_in_mask"] = stored(std::span<const double>(as_doubles(loaded.not_finite_in_mask)));
  if (loaded.coverage) {
    const Coverage& coverage = *loaded.coverage;
    content.arrays["lacks"] = stored_bits(coverage, &Coverage::lacks);
    if (any_bits(coverage, &Coverage::not_finite)) content.arrays["bad"] = stored_bits(coverage, &Coverage::not_finite);
    if (any_bits(coverage, &Coverage::lone_zeros))
      content.arrays["lone_zeros"] = stored_bits(coverage, &Coverage::lone_zeros);
  }
  if (loaded.rim) {
    const std::span<const Real> values = loaded.rim->x();
    content.arrays["rim"] = {sizeof(Real) == 4 ? "F32" : "F64",
                             {static_cast<Index>(values.size())},
                             std::string(reinterpret_cast<const char*>(values.data()), values.size_bytes())};
    if (!loaded.rim->region().whole())
      content.arrays["rim_region"] = stored(loaded.rim->region().mask(), set.grid.shape);
  }
  content.metadata["checksum"] = checksum_of(content);
  write_safetensors(folder / (key + ".safetensors"), content);
}

template std::optional<LoadedVolumes<float>> read_cache(const fs::path&, const std::string&, const VolumeSet&,
                                                        const VolumeLoad&, std::string*);
template std::optional<LoadedVolumes<double>> read_cache(const fs::path&, const std::string&, const VolumeSet&,
                                                         const VolumeLoad&, std::string*);
template void write_cache(const fs::path&, const std::string&, const VolumeSet&, const LoadedVolumes<float>&);
template void write_cache(const fs::path&, const std::string&, const VolumeSet&, const LoadedVolumes<double>&);

}  // namespace sturm
