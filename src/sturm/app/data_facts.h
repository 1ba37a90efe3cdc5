// SPDX-License-Identifier: BSD-3-Clause
// What results tell a reader of the data beside the numbers: data.json, the mean volume and, of a phantom, the truth.
#pragma once

#include <string>
#include <vector>

#include "sturm/app/events.h"
#include "sturm/app/input.h"
#include "sturm/core/output_folder.h"
#include "sturm/report/brain_map.h"
#include "sturm/results/data_facts.h"
#include "sturm/results/study_settings.h"

namespace sturm {

/// Files that a command writes for the report, beside its own.
inline const std::vector<std::string> report_files = {"data.json", "background.nii.gz", "background.npy",
                                                      "truth.nii.gz", "report.html"};

/// What a table says about the samples that are used.
struct TableFacts {
  DataFacts data;                  ///< without the volumes and the command
  std::vector<std::string> sites;  ///< of the rows that are used; empty: there is no such column
  std::vector<std::string> notes;  ///< what the user should know, one sentence each
  std::vector<Index> lines;        ///< of the rows that are used, in their file
};

/// Counts, exclusions, sites, and what `sturm check` says of the table, for a cross-validation where there are options
/// of one. `target` has every row.
TableFacts describe_table(const Table& table, const Target& target, const InputOptions& input,
                          const CvOptions* study = nullptr);

/// Adds those who were left out for want of a file.
void note_skipped(const std::vector<std::string>& skipped, DataFacts& data);

/// Warns of volumes that are the same in every voxel that is used, and of samples with the same volume; `lines` are
/// those of the samples in their table.
template <class Real>
std::vector<std::string> odd_samples(const Dataset<Real>& data, const std::vector<Index>& lines);

/// Says notes and warnings.
void tell(const TableFacts& facts, Events& events);

/// What the volumes say of their space; none for arrays.
std::optional<SpaceFacts> space_facts(const InputOptions& input, const std::optional<Space>& space);

/// What the volumes are: pairs of a name and a value. `shapes` are those of the designs; `space` is none for arrays.
std::vector<Fact> volume_facts(const InputOptions& input, const std::optional<Space>& space, Index samples,
                               const std::vector<Shape>& shapes);

/// The mean over the samples, on the grid of the design.
template <class Real>
BrainMap mean_volume(const Design<Real>& design, const std::optional<Space>& space);

/// What was planted, where the samples are a phantom's.
std::optional<BrainMap> planted_truth(const InputOptions& input);

/// data.json, the background and the truth, into a folder that exists; their names.
std::vector<std::string> write_data(const std::filesystem::path& folder, const DataFacts& data,
                                    const std::optional<BrainMap>& background, const std::optional<BrainMap>& truth);

/// report.html into a folder of results that is called `name`; its own name. Nothing, and a warning, where it cannot be
/// made (the program was built without its page): results are not lost for a report.
std::vector<std::string> write_report(const std::filesystem::path& folder, const std::string& name, Events& events);

/// The last of a folder of results: data.json with its maps, the report unless it is not wanted, then all of it in
/// place. `files` gets their names. Throws Interrupted, with nothing in place, where a stop was asked for.
struct Closing {
  DataFacts data;
  BrainMap background;
  std::optional<BrainMap> truth;
  bool report = true;
};
void publish(OutputFolder& output, const Closing& closing, std::vector<std::string>& files, Events& events);

}  // namespace sturm
