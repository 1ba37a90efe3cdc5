// SPDX-License-Identifier: BSD-3-Clause
// The parts of loading that arrays and volumes share, and the two ways themselves.
#pragma once

#include "sturm/app/input.h"

namespace sturm {

/// What a table says about the samples that are used.
struct Rows {
  Target target;
  std::vector<double> weights;
  std::vector<Index> kept;  ///< rows of the table, rising
  std::string id_column;
  std::vector<std::string> ids;
};

/// The rows to work on; those without a target are an error unless the user lets them go.
std::vector<Index> rows_to_keep(const Table& table, const Target& target, bool drop_missing);

/// A weight for each of the rows: a number from 0, not all of them 0.
std::vector<double> read_weights(const Table& table, const std::string& name, const std::vector<Index>& rows);

Rows read_rows(const Table& table, const InputOptions& options, const LoadPlan& plan);

/// Throws where the volumes and what comes on top of them take more than the plan allows.
void check_memory(const InputOptions& options, const LoadPlan& plan, Index volumes, Index on_top);

/// A dataset of these rows.
template <class Real>
Dataset<Real> with_rows(Design<Real> design, Rows rows) {
  return {std::move(design), std::move(rows.target), std::move(rows.weights), rows.id_column, std::move(rows.ids), {}};
}

template <class Real>
Input<Real> load_arrays(const InputOptions& options, const LoadPlan& plan);

template <class Real>
Input<Real> load_samples(const InputOptions& options, const LoadPlan& plan);

}  // namespace sturm
