// SPDX-License-Identifier: BSD-3-Clause
// Reading input: from the files and columns that name it to a Dataset.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "sturm/app/stand_in.h"
#include "sturm/core/dataset.h"
#include "sturm/core/table.h"
#include "sturm/imaging/load.h"
#include "sturm/imaging/standard_space.h"

namespace sturm {

/// Volumes and their table that a program has in memory already.
struct SamplesInMemory {
  std::variant<Design<float>, Design<double>> design;  ///< of the precision of the run; its region is the mask
  std::optional<Table> table;                          ///< one row per sample of the design
  std::optional<Grid> grid{};                          ///< where the voxels lie; none: nowhere
};

/// Where volumes and labels are, as the user said it.
struct InputOptions {
  std::shared_ptr<const SamplesInMemory> in_memory{};  ///< in place of all files
  std::string array;
  std::string labels;
  SampleSource source;
  VolumeOptions volumes;
  std::string cache;
  double resize = 1;
  std::string target;
  std::string positive;
  bool classes = false;
  std::string weights;
  std::string site;  ///< column; empty: site where there is one; none: no sites
  std::string mask;  ///< a file, none, auto or union; empty: auto for volumes, none for arrays
  bool drop_missing = false;

  bool from_volumes() const { return !source.samples.empty() || !source.participants.empty() || !source.bids.empty(); }
  /// The file or folder that names the samples, for words to the user.
  std::string name() const;
  /// How masks are learnt from the volumes; none: they are given, or there is none.
  std::optional<MaskRule> learnt_mask() const;
};

enum class Purpose { fit, predict, check, cv };

/// Throws UsageError where no input is named, or two are.
void check_input_options(const InputOptions& options, Purpose purpose);

/// The grid that volumes lie on, before they were resized to the shape of the design.
struct Space {
  Grid grid;
  double resize = 1;
  std::vector<std::uint8_t> mask;  ///< on the grid: outside, values count as 0. Empty: every voxel
  DeclaredSpace declared{};        ///< what the volumes themselves say
};

template <class Real>
struct Input {
  Dataset<Real> data;
  std::optional<Space> space;                  ///< none: arrays, which lie nowhere
  std::vector<std::string> notes;              ///< what the user should know, one sentence each
  std::shared_ptr<const Coverage> coverage{};  ///< which voxels each sample covers, before any mask
  std::optional<Design<Real>> rim{};           ///< with masks_later: see LoadedVolumes
  std::optional<Outline> outline{};            ///< where no voxels were read: the design is a stand-in
  std::vector<std::string> skipped{};          ///< who was left out for want of a file
};

/// What the caller asks of the input.
struct LoadPlan {
  Purpose purpose = Purpose::fit;
  Index memory = 0;  ///< the most bytes for volumes and what comes on top of them
  std::function<Index(const Region&, Index samples)> on_top;  ///< the bytes of what comes on top; none: 0
  std::vector<std::uint8_t> needed;  ///< for a prediction: the voxels that must be finite; empty: all
  std::optional<Region> region;      ///< and the columns that the model reads
  bool outline = false;              ///< read tables, headers and mask files alone: no voxels
  bool masks_later = false;          ///< each training set learns its own mask: load all that one may hold
  std::function<Target(const Table&)> read_target;  ///< how the labels' table is read; none: it has no target
  const Space* space = nullptr;                     ///< for a prediction: the model's. Volumes are brought to its grid
  Shape shape;                                      ///< with space: of the model's coefficients
  std::function<void(Index done, Index total)> progress;
  /// Runs work that must not be cut in half, such as writing a file of the cache; none: it is just run.
  std::function<void(const std::function<void()>& work)> whole;
};

/// Reads and checks all that is named. Throws where files do not fit each other, a fit's target is missing (but
/// for drop_missing), or a voxel inside the mask is not a finite number.
template <class Real>
Input<Real> load_input(const InputOptions& options, const LoadPlan& plan);

}  // namespace sturm
