// SPDX-License-Identifier: BSD-3-Clause
// What folds and permutations know of the samples: names, groups and targets, never a voxel.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/shape.h"

namespace sturm {

/// One entry per row. All that is drawn at random is drawn in the order of the ids, so that the order of the rows of a
/// table does not matter.
struct SampleKeys {
  std::vector<std::string> ids;                 ///< a name for each row that no other row has
  std::vector<std::string> groups;              ///< empty: every sample is a group of its own
  std::string group_column = "participant_id";  ///< for errors
  std::vector<double> y;
  bool classification = false;                ///< the values of y are classes
  std::map<double, std::string> class_names;  ///< what is not here is called by its number
  Index several = 0;                          ///< classes, 0 to several - 1 in y; 0: they are -1 and +1, or none

  Index rows() const { return static_cast<Index>(ids.size()); }
  std::string class_name(double label) const;
};

/// Throws where two samples have one name, or one has no group or no target.
void check(const SampleKeys& keys);

/// Some of the rows, in the order given: the training rows of an outer fold, to be cut into inner ones.
SampleKeys take(const SampleKeys& keys, std::span<const Index> rows);

/// The rows of each group: groups in the order of their names, the rows of each in the order of their ids.
std::vector<std::vector<Index>> rows_of_groups(const SampleKeys& keys);

/// The classes in order, each once.
std::vector<double> classes_of(std::span<const double> y);

}  // namespace sturm
