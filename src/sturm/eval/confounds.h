// SPDX-License-Identifier: BSD-3-Clause
// What the samples differ in besides the target: age, site, motion. It is taken out of every voxel by a regression that
// sees the training samples alone.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/core/table.h"
#include "sturm/models/confound_model.h"

namespace sturm {

/// Numbers a sample.
struct Confounds {
  Index columns = 0;
  std::vector<double> values;           ///< sample by sample
  std::vector<ConfoundColumn> named{};  ///< the columns of a table that they were read from

  bool empty() const { return columns == 0; }
  const double* row(Index sample) const { return values.data() + sample * columns; }
};

/// Columns of a table for the rows given. A column of numbers is one confound; one of words is one for each of its
/// values but the first. Throws where a value is missing or, among numbers, is none; where a column names the samples
/// or people, or is the one to be predicted (`target`; empty: that is not known); and where confounds tell every sample
/// from every other, so that nothing would be left.
Confounds read_confounds(const Table& table, std::span<const std::string> columns, std::span<const Index> rows,
                         const std::string& target = {});

/// The confounds that are categories, with their counts, one sentence each: a user should know that they are.
std::vector<std::string> notes_on_confounds(const Table& table, std::span<const std::string> columns,
                                            std::span<const Index> rows);

/// Of every row, the confounds that a model knows. Throws where a value is missing or is not of the model's kind.
Confounds read_known_confounds(const Table& table, const ConfoundModel& model);

Confounds rows_of(const Confounds& confounds, std::span<const Index> rows);

/// What the confounds explain of every voxel. The coefficients, and the means that they are centred by, are of the
/// samples in `train`; confounds that these do not tell apart share what they explain.
template <class Real>
ConfoundModel fit_confounds(const Design<Real>& x, const Confounds& confounds, std::span<const Index> train);

/// Every voxel less what the model explains of it; the model is of the voxels of a region, all of x's among them.
template <class Real>
Design<Real> without_confounds(const Design<Real>& x, const Confounds& confounds, const ConfoundModel& model,
                               const Region& of_model);

/// Both at once.
template <class Real>
Design<Real> without_confounds(const Design<Real>& x, const Confounds& confounds, std::span<const Index> train) {
  return without_confounds(x, confounds, fit_confounds(x, confounds, train), x.region());
}

}  // namespace sturm
