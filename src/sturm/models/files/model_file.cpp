// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/model_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "sturm/core/build_info.h"
#include "sturm/models/files/mmk_file.h"
#include "sturm/models/files/rbf_file.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "sturm-model";

/// The names of the classes: none, negative and positive, or several.
std::vector<std::string> read_labels(const SafeTensors& content) {
  const std::string text = content.word("labels");
  if (text.empty()) return {};
  const json labels = json::parse(text, nullptr, false);
  if (!labels.is_array() || labels.size() < 2 ||
      !std::ranges::all_of(labels, [](const json& label) { return label.is_string(); }))
    throw Error({content.file}, "its metadata 'labels' is not a list of two names or more.");
  return labels.get<std::vector<std::string>>();
}

std::optional<ModelGrid> read_grid(const SafeTensors& content) {
  const std::string text = content.word("grid");
  if (text.empty()) return {};
  const json found = json::parse(text, nullptr, false);
  const auto fail = [&] { throw Error({content.file}, "its metadata 'grid' is not a shape, an affine and a factor."); };
  const auto numbers = [&](const char* key, std::size_t count) {
    if (!found.is_object() || !found.contains(key) || !found[key].is_array() || found[key].size() != count) fail();
    std::vector<double> out;
    for (const json& value : found[key]) {
      if (!value.is_number()) fail();
      out.push_back(value.get<double>());
    }
    return out;
  };
  ModelGrid grid;
  const std::vector<double> shape = numbers("shape", 3), affine = numbers("affine", 12);
  for (const double n : shape)
    if (!(n >= 1 && n <= 1e6 && n == std::floor(n))) fail();
  grid.shape = Shape{static_cast<Index>(shape[0]), static_cast<Index>(shape[1]), static_cast<Index>(shape[2])}.check();
  std::ranges::copy(affine, grid.affine.begin());
  grid.resize = found.contains("resize") && found["resize"].is_number() ? found["resize"].get<double>() : 0;
  if (!(grid.resize > 0 && grid.resize <= 1)) fail();
  if (content.arrays.contains("grid_mask"))
    grid.mask = to_bytes(content.array("grid_mask"), grid.shape, content.file + ", grid_mask");
  return grid;
}

Normalize read_normalize(const SafeTensors& content) {
  try {
    return from_word<Normalize>(content.word("normalize", "none"), "normalize");
  } catch (const UsageError&) {
    throw Error({content.file},
                "asks for the normalisation '" + content.word("normalize") + "', which this version does not know.");
  }
}

std::vector<std::uint8_t> read_mask(const SafeTensors& content, const Shape& shape) {
  if (!content.arrays.contains("mask")) return {};
  return to_bytes(content.array("mask"), shape, content.file + ", mask");
}

/// A class's own arrays: of coefficients a slice, of kernels those under its number.
SafeTensors part_of(const SafeTensors& content, Index part, Index parts) {
  SafeTensors out{{}, content.metadata, content.file};
  const auto slice = [&](const char* name, std::size_t axes) {
    const StoredArray& all = content.array(name);
    if (all.shape.size() != axes || all.shape[0] != parts)
      throw Error({content.file}, std::string("'") + name + "' does not have one part for each of its " +
                                      std::to_string(parts) + " classes.");
    const std::vector<Index> shape =
        axes == 1 ? std::vector<Index>{1} : std::vector<Index>(all.shape.begin() + 1, all.shape.end());
    const std::size_t bytes = all.bytes.size() / static_cast<std::size_t>(parts);
    out.arrays[name] = {all.type, shape, all.bytes.substr(static_cast<std::size_t>(part) * bytes, bytes)};
  };
  if (content.word("kernel").empty()) {
    slice("coef", 4);
    slice("intercept", 1);
    if (content.arrays.contains("sigmoid")) slice("sigmoid", 2);
  }
  const std::string own = std::to_string(part) + "/";
  for (const auto& [name, array] : content.arrays) {
    if (name.starts_with(own)) out.arrays[name.substr(own.size())] = array;
    if (name == "mask") out.arrays[name] = array;
  }
  return out;
}

LinearModel read_linear(const SafeTensors& content) {
  LinearModel out{to_tensor(content.array("coef"), content.file + ", coef")};
  const Tensor intercept = to_tensor(content.array("intercept"), content.file + ", intercept");
  out.intercept = intercept.data()[0];
  out.mask = read_mask(content, out.coef.shape());
  if (!std::isfinite(out.intercept) || !std::ranges::all_of(out.coef.flat(), [](double v) { return std::isfinite(v); }))
    throw Error({content.file}, "holds coefficients that are not finite; fit the model again.");
  out.normalize = read_normalize(content);
  return out;
}

/// The extents of the volumes: the last three axes of an array.
Shape volume_shape(const SafeTensors& content, const std::string& name, std::size_t axes) {
  const std::vector<Index>& found = content.array(name).shape;
  if (found.size() != axes) throw Error({content.file}, "'" + name + "' is not an array of volumes.");
  return Shape{found[axes - 3], found[axes - 2], found[axes - 1]}.check();
}

/// A model of the kind that the word `kernel` names.
Model<double> read_kind(const SafeTensors& content) {
  const std::string kernel = content.word("kernel");
  if (kernel.empty()) return Model<double>(read_linear(content));
  if (kernel == "cp") {
    const Shape shape = volume_shape(content, "mask", 3);
    return Model<double>(load_mmk(content, read_normalize(content), shape, read_mask(content, shape)));
  }
  if (kernel != "rbf")
    throw Error({content.file}, "is a model of the kernel '" + kernel + "', which this version does not know.");
  const bool compact = content.arrays.contains("support_columns");
  const Shape shape = compact ? volume_shape(content, "voxel_scale", 3) : volume_shape(content, "support", 4);
  return Model<double>(load_rbf(content, read_normalize(content), read_mask(content, shape)));
}

SavedPart read_part(const SafeTensors& content) {
  SavedPart out{read_kind(content), {}};
  if (content.arrays.contains("sigmoid")) {
    const std::vector<double> numbers = to_numbers(content.array("sigmoid"), 2, content.file + ", sigmoid");
    out.sigmoid = Sigmoid{numbers[0], numbers[1]};
  }
  return out;
}

std::vector<SavedPart> read_parts(const SafeTensors& content, Index count) {
  std::vector<SavedPart> parts;
  for (Index c = 0; c < count; ++c) parts.push_back(read_part(part_of(content, c, count)));
  for (const SavedPart& part : parts)
    if (part.model.shape() != parts.front().model.shape())
      throw Error({content.file}, "its classes have models of volumes of different extents; fit the model again.");
  return parts;
}

void store_kind(const LinearModel& model, SafeTensors& content, bool /*compact*/) {
  content.arrays["coef"] = stored(model.coef);
  content.arrays["intercept"] = stored(std::span(&model.intercept, 1));
}
void store_kind(const RbfModel<double>& model, SafeTensors& content, bool compact) {
  compact ? store_compact_rbf(model, content) : store_rbf(model, content);
  content.metadata["kernel"] = "rbf";
}
void store_kind(const MmkModel& model, SafeTensors& content, bool /*compact*/) {
  store_mmk(model, content);
  content.metadata["kernel"] = "cp";
}

void store(const SavedPart& part, SafeTensors& content, bool compact) {
  std::visit([&](const auto& kind) { store_kind(kind, content, compact); }, part.model.kind());
  if (part.sigmoid) content.arrays["sigmoid"] = stored(std::array{part.sigmoid->slope, part.sigmoid->offset});
}

/// The other way round from part_of.
void store_parts(const std::vector<SavedPart>& parts, SafeTensors& content, bool compact) {
  for (std::size_t c = 0; c < parts.size(); ++c) {
    SafeTensors one;
    store(parts[c], one, compact);
    content.metadata.insert(one.metadata.begin(), one.metadata.end());
    for (auto& [name, array] : one.arrays) {
      if (one.metadata.contains("kernel")) {
        content.arrays[std::to_string(c) + "/" + name] = std::move(array);
        continue;
      }
      StoredArray& all = content.arrays[name];
      all.type = array.type;
      all.shape = {static_cast<Index>(parts.size())};
      if (name != "intercept") all.shape.insert(all.shape.end(), array.shape.begin(), array.shape.end());
      all.bytes += array.bytes;
    }
  }
}

/// Where every number is a float, it is stored as one.
void narrow(StoredArray& array) {
  const std::size_t count = array.bytes.size() / sizeof(double);
  std::string floats(count * sizeof(float), '\0');
  for (std::size_t i = 0; i < count; ++i) {
    double wide = 0;
    std::memcpy(&wide, array.bytes.data() + i * sizeof wide, sizeof wide);
    const auto value = static_cast<float>(wide);
    if (static_cast<double>(value) != wide) return;
    std::memcpy(floats.data() + i * sizeof value, &value, sizeof value);
  }
  array.type = "F32";
  array.bytes = std::move(floats);
}

void store_confounds(const ConfoundModel& model, SafeTensors& content) {
  json columns = json::array();
  for (const ConfoundColumn& column : model.columns)
    columns.push_back({{"name", column.name}, {"values", column.values}});
  content.metadata["confounds"] = columns.dump(-1, ' ', false, json::error_handler_t::replace);
  content.arrays["confound_mean"] = stored(model.mean);
  StoredArray coef = stored(model.coef);
  const Index count = std::ssize(model.mean);
  coef.shape = {coef.shape[0] / count, count};
  content.arrays["confound_coef"] = std::move(coef);
}

ConfoundModel read_confound_model(const SafeTensors& content, Index voxels) {
  const std::string text = content.word("confounds");
  if (text.empty()) return {};
  const auto fail = [&](const char* what) {
    throw Error({content.file}, std::string(what) + "; fit the model again.");
  };
  const json found = json::parse(text, nullptr, false);
  ConfoundModel out;
  Index count = 0;
  try {
    for (const json& column : found) {
      out.columns.push_back(
          {column.at("name").get<std::string>(), column.at("values").get<std::vector<std::string>>()});
      count += out.columns.back().values.empty() ? 1 : std::ssize(out.columns.back().values) - 1;
    }
  } catch (const json::exception&) {
    fail("its metadata 'confounds' is not a list of columns");
  }
  if (count < 1) fail("its metadata 'confounds' names no confound");
  out.mean = to_numbers(content.array("confound_mean"), count, content.file + ", confound_mean");
  StoredArray coef = content.array("confound_coef");
  if (coef.shape != std::vector<Index>{voxels, count}) fail("'confound_coef' is not of its voxels and confounds");
  coef.shape = {voxels * count};
  out.coef = to_numbers(coef, voxels * count, content.file + ", confound_coef");
  return out;
}

constexpr Index hash_length = 32;

std::vector<std::string> read_trained_on(const SafeTensors& content) {
  if (!content.arrays.contains("trained_on")) return {};
  const StoredArray& array = content.array("trained_on");
  if (array.type != "U8" || array.shape.size() != 2 || array.shape[1] != hash_length)
    throw Error({content.file}, "'trained_on' is not a list of names; fit the model again.");
  std::vector<std::string> out;
  for (Index i = 0; i < array.shape[0]; ++i) out.push_back(array.bytes.substr(i * hash_length, hash_length));
  return out;
}

/// At most so many voxels tell samples apart where a model reads none.
constexpr Index voxels_to_tell_by = 64;

}  // namespace

std::vector<std::uint8_t> voxels_read(const SavedModel& saved) {
  std::vector<std::uint8_t> read(saved.shape.size());
  for (const SavedPart& part : saved.parts) {
    if (!part.model.has_map() || saved.normalize == Normalize::sample) return saved.mask;
    const std::span<const double> coef = part.model.map().coef.flat();
    for (std::size_t v = 0; v < coef.size(); ++v)
      if (coef[v] != 0) read[v] = 1;
  }
  if (std::ranges::find(read, 1) != read.end()) return read;
  const Region region(saved.shape, saved.mask);
  const Index some = std::min(region.size(), voxels_to_tell_by);
  for (Index i = 0; i < some; ++i) read[region.voxel(region.size() * (2 * i + 1) / (2 * some))] = 1;
  return read;
}

template <class Real>
std::vector<double> decision_values(const SavedModel& saved, const Design<Real>& x) {
  const std::size_t count = saved.parts.size();
  std::vector<double> out(x.samples() * count);
  for (std::size_t c = 0; c < count; ++c) {
    const std::vector<double> one = decision_values(saved.parts[c].model, x);
    for (std::size_t m = 0; m < one.size(); ++m) out[m * count + c] = one[m];
  }
  return out;
}
template std::vector<double> decision_values(const SavedModel&, const Design<float>&);
template std::vector<double> decision_values(const SavedModel&, const Design<double>&);

SafeTensors content_of(const SavedModel& saved, bool compact) {
  SafeTensors content;
  if (saved.parts.size() == 1)
    store(saved.parts.front(), content, compact);
  else
    store_parts(saved.parts, content, compact);
  if (const auto coef = content.arrays.find("coef"); coef != content.arrays.end()) narrow(coef->second);
  if (!saved.mask.empty()) content.arrays["mask"] = stored(saved.mask, saved.shape);
  content.metadata.insert({{"format", format},
                           {"version", build_info().version},
                           {"method", saved.method},
                           {"normalize", to_word(saved.normalize)},
                           {"shape", to_string(saved.shape)},
                           {"target", saved.target}});
  std::vector<std::string> labels = saved.names;
  if (saved.classes) labels = {saved.classes->negative, saved.classes->positive};
  if (!labels.empty()) content.metadata["labels"] = json(labels).dump(-1, ' ', false, json::error_handler_t::replace);
  if (saved.grid) {
    const Shape& s = saved.grid->shape;
    content.metadata["grid"] =
        json{{"shape", {s.n1, s.n2, s.n3}}, {"affine", saved.grid->affine}, {"resize", saved.grid->resize}}.dump();
    if (!saved.grid->mask.empty()) content.arrays["grid_mask"] = stored(saved.grid->mask, s);
  }
  if (!saved.confounds.empty()) store_confounds(saved.confounds, content);
  if (!saved.trained_on.empty()) {
    StoredArray& names = content.arrays["trained_on"];
    names = {"U8", {std::ssize(saved.trained_on), hash_length}, {}};
    for (const std::string& name : saved.trained_on) names.bytes += name;
  }
  return content;
}

void write_model(const fs::path& file, const SavedModel& saved) { write_safetensors(file, content_of(saved)); }

SavedModel model_of(const SafeTensors& content) {
  const std::vector<std::string> labels = read_labels(content);
  SavedModel saved;
  if (labels.size() > 2) {
    saved.parts = read_parts(content, std::ssize(labels));
    saved.names = labels;
  } else {
    saved.parts.push_back(read_part(content));
  }
  if (labels.size() == 2) saved.classes = Classes{labels[0], labels[1]};
  saved.shape = saved.parts.front().model.shape();
  saved.normalize = read_normalize(content);
  saved.mask = read_mask(content, saved.shape);
  saved.method = content.word("method");
  saved.target = content.word("target");
  saved.version = content.word("version");
  saved.grid = read_grid(content);
  saved.confounds = read_confound_model(content, Region(saved.shape, saved.mask).size());
  saved.trained_on = read_trained_on(content);
  return saved;
}

SavedModel read_model(const fs::path& file_or_folder) {
  const fs::path file = fs::is_directory(file_or_folder) ? file_or_folder / "model.safetensors" : file_or_folder;
  if (!fs::exists(file))
    throw Error({file.string()}, "does not exist; `model` names a folder written by sturm fit, or its model file.");
  const SafeTensors content = read_safetensors(file);
  if (content.word("format") != format)
    throw Error({file.string()}, "is a safetensors file but not a model written by sturm fit.");
  return model_of(content);
}

}  // namespace sturm
