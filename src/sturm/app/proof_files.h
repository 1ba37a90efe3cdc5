// SPDX-License-Identifier: BSD-3-Clause
// proof.safetensors of a fit: which study it is about, and the dual point of each of its parts.
#pragma once

#include <filesystem>

#include "sturm/app/fit_files.h"
#include "sturm/app/input.h"
#include "sturm/core/precision.h"
#include "sturm/results/describe.h"

namespace sturm {

/// How a fit was given its samples, so that they can be found again.
struct RecordedStudy {
  InputOptions input;
  std::string base;  ///< of paths that are not absolute, seen from the folder of the fit
  Precision precision = Precision::f32;
  bool intercept = true, balanced = false;
};
template <>
inline constexpr const char* type_name<RecordedStudy> = "RecordedStudy";
template <class Field>
void describe(Field& field, RecordedStudy& s) {
  field("array", s.input.array);
  field("labels", s.input.labels);
  field("samples", s.input.source.samples);
  field("participants", s.input.source.participants);
  field("images", s.input.source.images);
  field("bids", s.input.source.bids);
  field("entities", s.input.source.entities);
  field("allow-outside", s.input.source.allow_outside);
  field("several", s.input.source.several);
  field("skip-missing", s.input.source.skip_missing);
  field("target", s.input.target);
  field("positive", s.input.positive);
  field("classes", s.input.classes);
  field("weights", s.input.weights);
  field("mask", s.input.mask);
  field("drop-missing", s.input.drop_missing);
  field("resize", s.input.resize);
  field("on-mismatch", s.input.volumes.on_mismatch);
  field("interpolation", s.input.volumes.interpolation);
  field("nan", s.input.volumes.nan);
  field("base", s.base);
  field("precision", s.precision);
  field("intercept", s.intercept);
  field("balanced", s.balanced);
}

/// The paths of a recorded study as they are reached from here: those given now, and those recorded.
InputOptions located(const RecordedStudy& study, const std::filesystem::path& fit, const InputOptions& given);

/// Throws where no proof of the fits of a method can be written.
void require_proof_kind(const std::string& method);

/// A hash of the values of each sample.
template <class Real>
std::vector<std::string> hashes_of_rows(const Design<Real>& x);

/// What is kept of the samples for the file, while they are there.
struct ProofSamples {
  std::vector<double> y, weights;
  std::vector<std::string> rows;
  Region region;
};
template <class Real>
ProofSamples proof_samples(const Dataset<Real>& data, std::span<const double> weights);

/// The file, into a folder that exists; its name. `target` is the folder that it will have.
std::string write_proof_file(const std::filesystem::path& folder, const std::filesystem::path& target,
                             const FitOutcome& fit, const ProofSamples& samples, RecordedStudy study);

}  // namespace sturm
