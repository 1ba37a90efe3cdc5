// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/model_file.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "sturm/core/build_info.h"
#include "sturm/core/safetensors.h"
#include "sturm/models/rbf_file.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* format = "sturm-model";

std::optional<Classes> read_classes(const SafeTensors& content) {
  const std::string text = content.word("labels");
  if (text.empty()) return {};
  const json labels = json::parse(text, nullptr, false);
  if (!labels.is_array() || labels.size() != 2 || !labels[0].is_string() || !labels[1].is_string())
    throw Error(content.file + ": its metadata 'labels' is not a pair of names.");
  return Classes{labels[0].get<std::string>(), labels[1].get<std::string>()};
}

std::optional<ModelGrid> read_grid(const SafeTensors& content) {
  const std::string text = content.word("grid");
  if (text.empty()) return {};
  const json found = json::parse(text, nullptr, false);
  const auto fail = [&] {
    throw Error(content.file + ": its metadata 'grid' is not a shape, an affine and a factor.");
  };
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
    throw Error(content.file + ": asks for the normalisation '" + content.word("normalize") +
                "', which this version does not know.");
  }
}

std::vector<std::uint8_t> read_mask(const SafeTensors& content, const Shape& shape) {
  if (!content.arrays.contains("mask")) return {};
  return to_bytes(content.array("mask"), shape, content.file + ", mask");
}

SavedModel read_linear(const SafeTensors& content) {
  SavedModel saved{{to_tensor(content.array("coef"), content.file + ", coef")}};
  const Tensor intercept = to_tensor(content.array("intercept"), content.file + ", intercept");
  saved.model.intercept = intercept.data()[0];
  saved.model.mask = read_mask(content, saved.model.coef.shape());
  if (!std::isfinite(saved.model.intercept) ||
      !std::ranges::all_of(saved.model.coef.flat(), [](double v) { return std::isfinite(v); }))
    throw Error(content.file + ": holds coefficients that are not finite; fit the model again.");
  saved.model.normalize = read_normalize(content);
  return saved;
}

/// The extents of the volumes: the last three axes of an array.
Shape volume_shape(const SafeTensors& content, const std::string& name, std::size_t axes) {
  const std::vector<Index>& found = content.array(name).shape;
  if (found.size() != axes) throw Error(content.file + ": '" + name + "' is not an array of volumes.");
  return Shape{found[axes - 3], found[axes - 2], found[axes - 1]}.check();
}

SavedModel read_kernel(const SafeTensors& content) {
  if (content.word("kernel") == "cp") {
    const Shape shape = volume_shape(content, "mask", 3);
    SavedModel saved{{Tensor(shape), 0, read_normalize(content), read_mask(content, shape)}};
    saved.mmk = std::make_shared<const MmkModel>(load_mmk(content, saved.model.normalize, shape, saved.model.mask));
    saved.model.intercept = saved.mmk->intercept;
    return saved;
  }
  if (content.word("kernel") != "rbf")
    throw Error(content.file + ": is a model of the kernel '" + content.word("kernel") +
                "', which this version does not know.");
  const Shape shape = volume_shape(content, "support", 4);
  SavedModel saved{{Tensor(shape), 0, read_normalize(content), read_mask(content, shape)}};
  saved.rbf = load_rbf(content, saved.model.normalize, saved.model.mask);
  saved.model.intercept = saved.rbf->intercept;
  return saved;
}

}  // namespace

template <class Real>
std::vector<double> decision_values(const SavedModel& saved, const Design<Real>& x) {
  if (saved.mmk) return decision_values(*saved.mmk, x);
  return saved.rbf ? decision_values(support_alone<Real>(*saved.rbf), x) : decision_values(saved.model, x);
}
template std::vector<double> decision_values(const SavedModel&, const Design<float>&);
template std::vector<double> decision_values(const SavedModel&, const Design<double>&);

void write_model(const fs::path& file, const SavedModel& saved) {
  SafeTensors content;
  if (saved.rbf) {
    store_rbf(*saved.rbf, content);
  } else if (saved.mmk) {
    store_mmk(*saved.mmk, content);
  } else {
    content.arrays["coef"] = stored(saved.model.coef);
    content.arrays["intercept"] = stored(std::span(&saved.model.intercept, 1));
  }
  if (!saved.model.mask.empty()) content.arrays["mask"] = stored(saved.model.mask, saved.model.coef.shape());
  content.metadata.insert({{"format", format},
                           {"version", build_info().version},
                           {"method", saved.method},
                           {"normalize", to_word(saved.model.normalize)},
                           {"shape", to_string(saved.model.coef.shape())},
                           {"target", saved.target}});
  if (saved.rbf) content.metadata["kernel"] = "rbf";
  if (saved.mmk) content.metadata["kernel"] = "cp";
  if (saved.classes)
    content.metadata["labels"] =
        json{saved.classes->negative, saved.classes->positive}.dump(-1, ' ', false, json::error_handler_t::replace);
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
    throw Error(file.string() + ": does not exist; --model names a folder written by sturm fit, or its model file.");
  const SafeTensors content = read_safetensors(file);
  if (content.word("format") != format)
    throw Error(file.string() + ": is a safetensors file but not a model written by sturm fit.");
  SavedModel saved = content.word("kernel").empty() ? read_linear(content) : read_kernel(content);
  saved.method = content.word("method");
  saved.target = content.word("target");
  saved.version = content.word("version");
  saved.classes = read_classes(content);
  saved.grid = read_grid(content);
  return saved;
}

}  // namespace sturm
