// SPDX-License-Identifier: BSD-3-Clause
// The dual side of a fit as a file: proof.safetensors, from which anybody can find the bound on the objective again.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "sturm/core/region.h"
#include "sturm/models/proof_point.h"

namespace sturm {

struct SavedProof {
  std::vector<ProofPoint> parts;  ///< one, or one per class; the scale is the same in all
  std::vector<double> y;          ///< the targets as they were read, or the numbers of several classes
  std::vector<double> weights;    ///< of the samples
  std::vector<std::string> rows;  ///< a hash of the voxels of each sample, 32 digits
  std::string study;              ///< how the samples were named, as JSON
  std::string method;
};

/// Arrays, all float64 but one: `theta` (M), `y` (M), `weights` (M), `split` (terms x I1 x I2 x I3) where there is a
/// low-rank penalty, `scale` (I1 x I2 x I3, 0 outside the mask) where voxels are normalised, and `rows` (M x 32, the
/// bytes of the hashes). Several classes have one more axis, the first, in `theta` and `split`. Words: format, version,
/// method, shape, study.
void write_proof(const std::filesystem::path& file, const SavedProof& proof, const Region& region);

/// The scale of the parts has one number per voxel of the box.
SavedProof read_proof(const std::filesystem::path& file);

}  // namespace sturm
