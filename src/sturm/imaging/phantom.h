// SPDX-License-Identifier: BSD-3-Clause
// A synthetic study with a known answer: volumes of smooth noise in the shape of a brain, and in half of them a planted
// signal that is sparse and of low tubal rank.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sturm/core/tensor.h"
#include "sturm/imaging/grid.h"

namespace sturm {

struct PhantomOptions {
  int subjects = 40;
  std::string size = "61x73x61";
  double effect = 1.2;
  int rank = 2;
  int sites = 2;
  double site_effect = 0.5;
  double fwhm = 8;
  std::uint64_t seed = 0;  ///< every command has --seed already
};
template <class Field>
void describe(Field&& field, PhantomOptions& o) {
  field("subjects", o.subjects, "half patients, half controls, one volume each");
  field("size", o.size, "voxels of a volume; the box is always that of a head, so more voxels are smaller");
  field("effect", o.effect, "difference between the groups in the planted region, in standard deviations of the noise");
  field("rank", o.rank, "tubal rank of the planted map: how many separate blobs it has");
  field("sites", o.sites, "scanners; both groups are at each, in equal parts");
  field("site-effect", o.site_effect, "smooth difference between scanners, in standard deviations of the noise");
  field("fwhm", o.fwhm, "smoothness of the noise in millimetres, full width at half maximum");
}

/// "61x73x61" as a shape; throws UsageError naming the option.
Shape parse_shape(const std::string& text, const std::string& option);

struct PhantomSubject {
  std::string id;
  bool patient = false;
  int site = 0;
  double age = 0;
};

/// All that the volumes of a study have in common. A volume depends on the seed and its subject alone.
class Phantom {
 public:
  /// Throws UsageError where an option is out of range.
  explicit Phantom(const PhantomOptions& options);

  const Grid& grid() const { return grid_; }
  const std::vector<PhantomSubject>& subjects() const { return subjects_; }
  /// Two hemispheres, cerebellum and stem: 1 inside.
  const std::vector<std::uint8_t>& mask() const { return mask_; }
  /// What patients have more of, times effect: 1 at its largest; a sum of `rank` outer products with signs in turn.
  const TensorF& truth() const { return truth_; }

  TensorF volume(Index subject) const;

 private:
  TensorF unit_noise(std::uint64_t stream, double fwhm_voxels) const;

  PhantomOptions options_;
  Grid grid_;
  std::vector<PhantomSubject> subjects_;
  std::vector<std::uint8_t> mask_;
  TensorF truth_;
  std::vector<TensorF> site_fields_;
};

}  // namespace sturm
