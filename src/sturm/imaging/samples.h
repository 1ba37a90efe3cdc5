// SPDX-License-Identifier: BSD-3-Clause
// Which file belongs to which row of a table.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sturm/core/problems.h"
#include "sturm/core/table.h"

namespace sturm {

/// One volume of a file, for one row of the table.
struct SampleFile {
  std::filesystem::path file;
  std::optional<Index> volume;  ///< as the table says; not said: the file holds one
  Index row = 0;
  std::string written;  ///< the path as it stands in the table, or as it was made: for outputs
};

/// Where the volumes of a study are, as the user said it: one of the three.
struct SampleSource {
  std::string samples;       ///< a table with a column `path`
  std::string participants;  ///< a table; its volumes are named by `images` or found by `entities`
  std::string images;        ///< 'sub-{participant_id}/x_{session}_*.nii.gz': {COLUMN} stands for the row's value
  std::string bids;          ///< a folder of derivatives with one folder per participant
  std::string entities;      ///< what the name of a volume in it must have: 'task-rest_desc-alff_bold'
  bool allow_outside = false;
  bool several = false;       ///< a row with several files is as many samples; otherwise it is an error
  bool skip_missing = false;  ///< rows without a file are left out; otherwise they are an error
};

/// What is wrong with a row, in one sentence.
struct SampleProblem {
  Index row = 0;
  std::string sentence;
};

/// A table with one row per sample, and the file of each. What is wrong is listed, not thrown, so that all of it can be
/// told at once: a row with a problem has an empty file. Where a row of the table as it was written has several files,
/// columns are added for what their names differ in (ses, run ...).
struct SampleList {
  Table table;
  std::vector<SampleFile> files;  ///< one per row
  std::vector<SampleProblem> problems;
  std::vector<std::string> skipped;  ///< who was left out for want of a file
  std::vector<std::string> notes;    ///< what the user should know, one sentence each
};

/// Reads the table and finds the files. Throws only where there is no table to speak of.
SampleList find_samples(const SampleSource& source);

/// `images` with every {COLUMN} replaced by the row's value. BIDS writes participant_id as sub-01, and people write
/// 'sub-{participant_id}': the sub- is not doubled. Throws where a column does not exist or the row has no value.
std::string fill_template(const std::string& images, const Table& table, Index row);

}  // namespace sturm
