// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/model_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/core/build_info.h"
#include "sturm/core/safetensors.h"
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
    std::vector<Index> shape(all.shape.begin() + 1, all.shape.end());
    if (shape.empty()) shape.push_back(1);
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
  const Shape shape = volume_shape(content, "support", 4);
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

void store_kind(const LinearModel& model, SafeTensors& content) {
  content.arrays["coef"] = stored(model.coef);
  content.arrays["intercept"] = stored(std::span(&model.intercept, 1));
}
void store_kind(const RbfModel<double>& model, SafeTensors& content) {
  store_rbf(model, content);
  content.metadata["kernel"] = "rbf";
}
void store_kind(const MmkModel& model, SafeTensors& content) {
  store_mmk(model, content);
  content.metadata["kernel"] = "cp";
}

void store(const SavedPart& part, SafeTensors& content) {
  std::visit([&](const auto& kind) { store_kind(kind, content); }, part.model.kind());
  if (part.sigmoid) content.arrays["sigmoid"] = stored(std::array{part.sigmoid->slope, part.sigmoid->offset});
}

/// The other way round from part_of.
void store_parts(const std::vector<SavedPart>& parts, SafeTensors& content) {
  for (std::size_t c = 0; c < parts.size(); ++c) {
    SafeTensors one;
    store(parts[c], one);
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

}  // namespace

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

void write_model(const fs::path& file, const SavedModel& saved) {
  SafeTensors content;
  if (saved.parts.size() == 1)
    store(saved.parts.front(), content);
  else
    store_parts(saved.parts, content);
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
  write_safetensors(file, content);
}

SavedModel read_model(const fs::path& file_or_folder) {
  const fs::path file = fs::is_directory(file_or_folder) ? file_or_folder / "model.safetensors" : file_or_folder;
  if (!fs::exists(file))
    throw Error({file.string()}, "does not exist; `model` names a folder written by sturm fit, or its model file.");
  const SafeTensors content = read_safetensors(file);
  if (content.word("format") != format)
    throw Error({file.string()}, "is a safetensors file but not a model written by sturm fit.");
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
  return saved;
}

}  // namespace sturm
