// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/input.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "sturm/app/input_parts.h"
#include "sturm/core/memory.h"

namespace sturm {
namespace {

void require(bool holds, const char* sentence) {
  if (!holds) throw UsageError(sentence);
}

}  // namespace

std::vector<Index> rows_to_keep(const Table& table, const Target& target, bool drop_missing) {
  std::vector<Index> kept(static_cast<std::size_t>(table.rows()));
  std::iota(kept.begin(), kept.end(), Index{0});
  const std::vector<Index> missing = rows_without(table, target.column);
  if (missing.empty()) return kept;
  if (!drop_missing)
    throw Error({table.name(), 0, target.column},
                "has no value in " + lines_of(table, missing) +
                    "; fill them in, or leave these samples out with `drop-missing`.");
  std::erase_if(kept, [&](Index row) { return std::ranges::binary_search(missing, row); });
  if (kept.empty()) throw Error({table.name(), 0, target.column}, "has no value in any row.");
  return kept;
}

std::vector<double> read_weights(const Table& table, const std::string& name, const std::vector<Index>& rows) {
  const Index column = table.column(name, "weights");
  const std::vector<double> all = table.numbers(column);
  std::vector<double> weights;
  for (const Index row : rows) {
    if (!(all[row] >= 0)) throw Error(table.place(row, column), "a weight (`weights`) is a number from 0.");
    weights.push_back(all[row]);
  }
  if (std::ranges::all_of(weights, [](double w) { return w == 0; }))
    throw Error({table.name(), 0, name}, "every weight is 0, so there is nothing to learn from.");
  return weights;
}

std::string InputOptions::name() const {
  for (const std::string* name : {&array, &source.samples, &source.bids, &source.participants})
    if (!name->empty()) return *name;
  return in_memory ? "arrays in memory" : "";
}

std::optional<MaskRule> InputOptions::learnt_mask() const {
  return mask_rule(mask.empty() && from_volumes() ? "auto" : mask);
}

void check_input_options(const InputOptions& o, Purpose purpose) {
  const SampleSource& s = o.source;
  require(o.positive.empty() || !o.classes, "`positive` names one of two classes, and `classes` asks for all: choose.");
  if (o.in_memory) return;
  require(o.from_volumes() || !o.array.empty(),
          "no input is named: `samples FILE.tsv`, `participants` with `images`, `bids`, or `array` with `labels`.");
  require(!o.from_volumes() || o.array.empty(), "`array` does not go with `samples`, `participants` or `bids`.");
  require(s.samples.empty() || (s.participants.empty() && s.bids.empty() && s.images.empty()),
          "`samples` names the volumes already: leave out `participants`, `images` and `bids`.");
  require(s.participants.empty() || !s.images.empty() || !s.bids.empty(),
          "`participants` needs `images`, such as 'sub-{participant_id}/x.nii.gz', or `bids`.");
  require(s.images.empty() || (!s.participants.empty() && s.bids.empty()), "`images` goes with `participants` alone.");
  require(!s.several || !s.images.empty() || !s.bids.empty(), "`several` goes with `images` or `bids`.");
  require(!s.skip_missing || o.from_volumes(), "`skip-missing` is for volumes: an array has no files of its own.");
  require(s.entities.empty() || !s.bids.empty(), "`entities` goes with `bids`.");
  require(!o.from_volumes() || o.labels.empty(), "`labels` goes with `array`: volumes have their labels in the table.");
  require(o.from_volumes() || !o.labels.empty() || purpose == Purpose::predict,
          "`labels` is missing: a .tsv table with the target, one row per sample of `array`.");
  require(o.resize > 0 && o.resize <= 1, "`resize` is a number above 0 and at most 1, such as 0.5.");
  require(o.resize == 1 || o.from_volumes(), "`resize` is for volumes: resize an array where it is made.");
  require(o.cache.empty() || o.from_volumes(), "`cache` is for volumes: an array in Fortran order is used in place.");
}

void check_memory(const InputOptions& options, const LoadPlan& plan, Index volumes, Index on_top) {
  if (volumes + on_top <= plan.memory) return;
  throw Error({options.name()}, "needs " + std::to_string(volumes + on_top) + " bytes of memory (" +
                                    format_bytes(volumes) + " for the volumes, " + format_bytes(on_top) +
                                    " for the solver), and `memory` is " + format_bytes(plan.memory) +
                                    "; raise it, or use fewer voxels" +
                                    (options.from_volumes() ? " with `resize`." : "."));
}

Rows read_rows(const Table& table, const InputOptions& options, const LoadPlan& plan) {
  Rows rows;
  rows.kept.resize(static_cast<std::size_t>(table.rows()));
  std::iota(rows.kept.begin(), rows.kept.end(), Index{0});
  if (plan.read_target) rows.target = plan.read_target(table);
  if (plan.purpose == Purpose::fit) {
    rows.kept = rows_to_keep(table, rows.target, options.drop_missing);
    if (!options.weights.empty()) rows.weights = read_weights(table, options.weights, rows.kept);
    for (std::size_t r = 0; r < rows.kept.size(); ++r) {
      rows.target.y[r] = rows.target.y[rows.kept[r]];
      rows.target.actual[r] = rows.target.actual[rows.kept[r]];
    }
    rows.target.y.resize(rows.kept.size());
    rows.target.actual.resize(rows.kept.size());
  }
  if (table.has("participant_id")) {
    rows.id_column = "participant_id";
    for (const Index row : rows.kept) rows.ids.push_back(table.cell(row, table.column(rows.id_column)));
  }
  return rows;
}

template <class Real>
Input<Real> load_input(const InputOptions& options, const LoadPlan& plan) {
  check_input_options(options, plan.purpose);
  return options.from_volumes() ? load_samples<Real>(options, plan) : load_arrays<Real>(options, plan);
}

template Input<float> load_input(const InputOptions&, const LoadPlan&);
template Input<double> load_input(const InputOptions&, const LoadPlan&);

}  // namespace sturm
