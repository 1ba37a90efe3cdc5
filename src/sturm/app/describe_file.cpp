// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/describe_file.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sturm/core/files.h"
#include "sturm/core/json_text.h"
#include "sturm/core/memory.h"
#include "sturm/core/npy.h"
#include "sturm/core/safetensors.h"
#include "sturm/core/table.h"
#include "sturm/models/files/model_file.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

ordered_json describe_npy(const fs::path& file) {
  const NpyHeader header = read_npy_header(file, NpyTypes::floats_and_bytes);
  const std::string types[] = {"", "bytes", "", "", "float32", "", "", "", "float64"};
  const bool array = header.shape.size() == 4, volume = header.shape.size() == 3;
  return {{"kind", array    ? "samples, for `array`"
                   : volume ? "a volume, for `mask`, or the coefficients of a fit"
                            : "an array that no command takes: volumes have 3 axes, samples 4"},
          {"shape", header.shape},
          {"type", types[header.item_bytes] + (header.swapped ? ", other byte order" : "")},
          {"order", header.fortran_order ? "Fortran, the first axis fastest" : "C, the last axis fastest"},
          {"size", format_bytes(header.size() * header.item_bytes)}};
}

ordered_json describe_model(const fs::path& file) {
  const SavedModel saved = read_model(file);
  const Shape& shape = saved.shape;
  double zeros = 0;
  Index support = 0;
  for (const SavedPart& part : saved.parts) {
    support += part.model.support();
    if (part.model.has_map())
      zeros += static_cast<double>(std::ranges::count(part.model.map().coef.flat(), 0.0)) /
               static_cast<double>(shape.size());
  }
  ordered_json facts = {{"kind", "a fitted model, for `model`"},
                        {"method", saved.method},
                        {"shape", {shape.n1, shape.n2, shape.n3}},
                        {"target", saved.target},
                        {"sparsity", zeros / static_cast<double>(saved.parts.size())},
                        {"intercept", saved.parts.front().model.intercept()},
                        {"normalize", to_word(saved.normalize)},
                        {"version", saved.version}};
  if (!saved.names.empty()) {
    facts["labels"] = saved.names;
    facts["intercept"] = nullptr;
  }
  if (support > 0) {
    facts["sparsity"] = nullptr;
    facts["support_vectors"] = support;
  }
  if (saved.classes) facts["labels"] = {saved.classes->negative, saved.classes->positive};
  return facts;
}

ordered_json describe_safetensors(const fs::path& file) {
  const SafeTensors content = read_safetensors(file);
  if (content.word("format") == "sturm-model") return describe_model(file);
  const bool proof = content.word("format") == "sturm-proof";
  ordered_json facts = {
      {"kind", proof ? "the proof of a fit, for sturm verify" : "a safetensors file, not written by sturm fit"}};
  for (const auto& [name, array] : content.arrays) facts[name] = {{"type", array.type}, {"shape", array.shape}};
  return facts;
}

ordered_json describe_fit(const fs::path& folder) {
  ordered_json facts = {{"kind", "a fit, for `model`"}};
  const auto found = parse_json<ordered_json>(read_file(folder / "fit.json"));
  if (!found.is_object()) throw Error({(folder / "fit.json").string()}, "is not a JSON object; fit again.");
  for (const char* key : {"method", "status", "relative_gap", "iterations", "tau", "gamma", "sparsity", "tubal_rank",
                          "n_samples", "shape", "target", "labels", "version"})
    if (found.contains(key)) facts[key] = found[key];
  return facts;
}

ordered_json describe_table(const fs::path& file) {
  const Table table = Table::read(file);
  return {{"kind", "a table, for `labels`"}, {"rows", table.rows()}, {"columns", table.columns()}};
}

std::string as_text(const ordered_json& value, const std::string& between = ", ") {
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (!value.is_array()) return value.is_string() ? value.get<std::string>() : value.dump();
  std::string all;
  for (const ordered_json& item : value) all += (all.empty() ? "" : between) + as_text(item, " ");
  return all;
}

/// What stands between the items of a list.
std::string separator(const std::string& key) {
  if (key == "shape" || key == "voxel_size") return " x ";
  return key == "range" ? " to " : ", ";
}

}  // namespace

ordered_json describe_file(const fs::path& path) {
  if (!fs::exists(path)) throw Error({path.string()}, "does not exist.");
  if (fs::is_directory(path)) {
    if (fs::exists(path / "fit.json")) return describe_fit(path);
    throw Error({path.string()}, "is a folder without fit.json, so it is not the result of a fit.");
  }
  if (path.extension() == ".npy") return describe_npy(path);
  if (path.extension() == ".safetensors") return describe_safetensors(path);
  if (path.extension() == ".tsv" || path.extension() == ".csv") return describe_table(path);
  if (may_be_volume(path)) return describe_volume(path);
  throw Error(
      {path.string()},
      "is of no kind that is read here: .nii, .hdr and .img, .npy, .safetensors, .tsv, .csv, or the folder of a fit.");
}

std::string lines_of_file(const ordered_json& facts) {
  std::string out;
  for (const auto& [key, value] : facts.items()) {
    if (key == "warnings")
      for (const ordered_json& warning : value) out += fmt::format("{:<15} {}\n", "warning", as_text(warning));
    else if (!value.is_null())
      out += fmt::format("{:<15} {}\n", key, as_text(value, separator(key)));
  }
  return out;
}

}  // namespace sturm
