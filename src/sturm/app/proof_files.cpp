// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/proof_files.h"

#include <algorithm>

#include "sturm/imaging/content_hash.h"
#include "sturm/models/files/proof_file.h"
#include "sturm/models/registry.h"
#include "sturm/results/json.h"

namespace sturm {

namespace fs = std::filesystem;

InputOptions located(const RecordedStudy& study, const fs::path& fit, const InputOptions& given) {
  InputOptions out = study.input;
  const fs::path base = fit / study.base;
  const auto reach = [&](std::string& path) {
    if (path.empty() || fs::path(path).is_absolute()) return;
    const fs::path there = (base / path).lexically_normal();
    std::error_code unreadable;
    if (fs::exists(there, unreadable)) path = there.string();
  };
  for (std::string* const path :
       {&out.array, &out.labels, &out.source.samples, &out.source.participants, &out.source.bids, &out.mask})
    reach(*path);
  if (given.from_volumes() || !given.array.empty()) {
    out.source = given.source;
    out.array = given.array;
    out.labels = given.labels;
  }
  if (!given.mask.empty()) out.mask = given.mask;
  return out;
}

void require_proof_kind(const std::string& name) {
  if (find_method<double>(name).proof_kind() != ProofKind::none) return;
  std::vector<std::string> with;
  for (const auto& method : methods<double>())
    if (method->proof_kind() != ProofKind::none) with.push_back(method->name());
  throw UsageError("`proof` is for methods whose objective has a dual bound, which are " + join(with, with.size()) +
                   "; " + name + " has none that could be written down.");
}

template <class Real>
std::vector<std::string> hashes_of_rows(const Design<Real>& x) {
  const Index samples = x.samples(), piece = 1024;
  std::vector<ContentHash> rows(samples);
  std::vector<Real> values;
  for (Index first = 0; first < x.voxels(); first += piece) {
    const Index last = std::min(x.voxels(), first + piece);
    for (Index m = 0; m < samples; ++m) {
      values.clear();
      for (Index v = first; v < last; ++v) values.push_back(x.column(v)[m] + Real{0});  // 0 and -0 are one value
      rows[m].add(values.data(), values.size() * sizeof(Real));
    }
  }
  std::vector<std::string> out;
  for (const ContentHash& row : rows) out.push_back(row.text());
  return out;
}

template <class Real>
ProofSamples proof_samples(const Dataset<Real>& data, std::span<const double> weights) {
  ProofSamples out{data.target.y, {weights.begin(), weights.end()}, hashes_of_rows(data.design), data.design.region()};
  if (out.weights.empty()) out.weights.assign(out.y.size(), 1.0);
  return out;
}

std::string write_proof_file(const fs::path& folder, const fs::path& target, const FitOutcome& fit,
                             const ProofSamples& samples, RecordedStudy study) {
  study.base = fs::current_path().lexically_relative(fs::absolute(target).lexically_normal()).string();
  constexpr auto words = nlohmann::ordered_json::error_handler_t::replace;
  SavedProof proof{{},        samples.y, samples.weights, samples.rows, to_json(study).dump(-1, ' ', false, words),
                   fit.method};
  for (const FittedPart& part : fit.parts) proof.parts.push_back(*part.proof);
  write_proof(folder / "proof.safetensors", proof, samples.region);
  return "proof.safetensors";
}

#define STURM_INSTANTIATE(Real)                                          \
  template std::vector<std::string> hashes_of_rows(const Design<Real>&); \
  template ProofSamples proof_samples(const Dataset<Real>&, std::span<const double>);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
