// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/files/proof_file.h"

#include <algorithm>

#include "sturm/core/build_info.h"
#include "sturm/core/safetensors.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

constexpr const char* proof_format = "sturm-proof";
constexpr Index digits = 32;  ///< of a hash

/// Adds an array behind those that an array of one axis more holds already.
void append(StoredArray& all, const StoredArray& one) {
  if (all.shape.empty()) {
    all.type = one.type;
    all.shape = one.shape;
    all.shape.insert(all.shape.begin(), 0);
  }
  ++all.shape.front();
  all.bytes += one.bytes;
}

/// The parts along the first axis; throws where there are not `count` (0: as many as there are).
std::vector<StoredArray> along_first(const SafeTensors& content, const StoredArray& all, Index count) {
  if (all.shape.size() < 2 || all.shape.front() < 1 || (count > 0 && all.shape.front() != count))
    throw Error({content.file}, "has an array of the wrong shape; fit the model again with `proof`.");
  std::vector<StoredArray> out;
  const std::size_t bytes = all.bytes.size() / static_cast<std::size_t>(all.shape.front());
  for (Index i = 0; i < all.shape.front(); ++i)
    out.push_back({all.type,
                   {all.shape.begin() + 1, all.shape.end()},
                   all.bytes.substr(static_cast<std::size_t>(i) * bytes, bytes)});
  return out;
}

std::vector<double> numbers(const SafeTensors& content, const std::string& name) {
  const StoredArray& array = content.array(name);
  if (array.shape.size() != 1) throw Error({content.file}, "holds '" + name + "' with more than one axis.");
  const Tensor found = to_tensor(array, content.file + ", " + name);
  return {found.flat().begin(), found.flat().end()};
}

}  // namespace

void write_proof(const fs::path& file, const SavedProof& proof, const Region& region) {
  SafeTensors content;
  StoredArray thetas, splits;
  for (const ProofPoint& part : proof.parts) {
    append(thetas, stored(part.theta));
    StoredArray split;
    for (const Tensor& term : part.split) append(split, stored(term));
    if (!part.split.empty()) append(splits, split);
  }
  const bool several = proof.parts.size() > 1;
  const auto drop_first = [&](StoredArray& array) {
    if (!several) array.shape.erase(array.shape.begin());
  };
  drop_first(thetas);
  content.arrays["theta"] = std::move(thetas);
  if (!splits.shape.empty()) {
    drop_first(splits);
    content.arrays["split"] = std::move(splits);
  }
  const std::vector<double>& scale = proof.parts.front().scale;
  if (!scale.empty()) content.arrays["scale"] = stored(region.spread<double>(scale));
  content.arrays["y"] = stored(proof.y);
  content.arrays["weights"] = stored(proof.weights);
  StoredArray rows{"U8", {static_cast<Index>(proof.rows.size()), digits}, {}};
  for (const std::string& row : proof.rows) rows.bytes += row;
  content.arrays["rows"] = std::move(rows);
  content.metadata = {{"format", proof_format},
                      {"version", build_info().version},
                      {"method", proof.method},
                      {"shape", to_string(region.box())},
                      {"study", proof.study}};
  write_safetensors(file, content);
}

SavedProof read_proof(const fs::path& file) {
  if (!fs::exists(file))
    throw Error({file.string()}, "does not exist; sturm fit writes it where it is asked for with `proof`.");
  const SafeTensors content = read_safetensors(file);
  if (content.word("format") != proof_format)
    throw Error({file.string()}, "is a safetensors file but not a proof written by sturm fit.");
  SavedProof out;
  out.y = numbers(content, "y");
  out.weights = numbers(content, "weights");
  out.study = content.word("study");
  out.method = content.word("method");
  const auto samples = std::ssize(out.y);
  const StoredArray& theta = content.array("theta");
  std::vector<StoredArray> thetas = theta.shape.size() == 1 ? std::vector{theta} : along_first(content, theta, 0);
  const auto parts = std::ssize(thetas);
  std::vector<StoredArray> splits;
  if (content.arrays.contains("split")) {
    const StoredArray& all = content.array("split");
    splits = theta.shape.size() == 1 ? std::vector{all} : along_first(content, all, parts);
  }
  std::vector<double> scale;
  if (content.arrays.contains("scale")) {
    const Tensor found = to_tensor(content.array("scale"), content.file + ", scale");
    scale.assign(found.flat().begin(), found.flat().end());
  }
  for (Index p = 0; p < parts; ++p) {
    ProofPoint& part = out.parts.emplace_back();
    const Tensor found = to_tensor(thetas[p], content.file + ", theta");
    part.theta.assign(found.flat().begin(), found.flat().end());
    part.scale = scale;
    if (!splits.empty())
      for (const StoredArray& term : along_first(content, splits[p], 0))
        part.split.push_back(to_tensor(term, content.file + ", split"));
  }
  const StoredArray& rows = content.array("rows");
  if (rows.type != "U8" || rows.shape != std::vector<Index>{samples, digits})
    throw Error({content.file}, "does not have one hash for each sample.");
  for (Index m = 0; m < samples; ++m)
    out.rows.push_back(rows.bytes.substr(static_cast<std::size_t>(m * digits), static_cast<std::size_t>(digits)));
  for (const ProofPoint& part : out.parts)
    if (std::ssize(part.theta) != samples || std::ssize(out.weights) != samples)
      throw Error({content.file}, "does not have one number of theta and one weight for each sample.");
  return out;
}

}  // namespace sturm
