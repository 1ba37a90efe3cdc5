// SPDX-License-Identifier: BSD-3-Clause
// The part of check_study.h that looks at what the volumes hold.
#include <fmt/core.h>

#include <algorithm>

#include "sturm/app/check_study.h"
#include "sturm/app/coverage_facts.h"
#include "sturm/app/cv_study.h"

namespace sturm {
namespace {

/// What the table says of some of its rows, where the target is clear; those without a target are left out.
std::optional<SampleKeys> keys_of(const CheckOptions& options, const Table& table, std::vector<Index>& rows,
                                  std::string& column) {
  Target target;
  try {
    column = target_column(table, options.input.target);
    const bool classes = options.input.classes || !options.input.positive.empty();
    // Words are classes, whether the user has said so yet or not.
    target = read_target(table, {column, options.input.positive,
                                 options.input.classes || (!classes && !table.numeric(table.column(column)))});
  } catch (const Error&) {
    return {};  // told of already
  }
  const std::vector<Index> missing = rows_without(table, column);
  std::erase_if(rows, [&](Index row) { return std::ranges::binary_search(missing, row); });
  SampleKeys keys;
  std::string groups = group_column(table, options.study.groups);
  if (!table.has(groups)) groups.clear();
  for (const Index row : rows) {
    keys.ids.push_back(fmt::format("{:09}", row));
    keys.y.push_back(target.y[row]);
    if (!groups.empty()) keys.groups.push_back(table.cell(row, table.column(groups)));
  }
  if (std::ranges::find(keys.groups, std::string()) != keys.groups.end()) keys.groups.clear();
  keys.classification = target.classification();
  keys.several = static_cast<Index>(target.names.size());
  if (target.classes) keys.class_names = {{-1, target.classes->negative}, {1, target.classes->positive}};
  for (Index c = 0; c < keys.several; ++c) keys.class_names[static_cast<double>(c)] = target.names[c];
  return keys;
}

/// Bits of a volume, with its voxels in the order of the grid.
Coverage::Words in_order(const Coverage::Words& bits, const VolumeFacts& facts, const Reorder& order) {
  if (order.trivial() || bits.empty()) return bits;
  const Shape& shape = facts.info->grid.shape;
  std::vector<float> values(static_cast<std::size_t>(shape.size()));
  for (std::size_t v = 0; v < values.size(); ++v) values[v] = bits[v / 64] >> (v % 64) & 1 ? 0.0F : 1.0F;
  const std::vector<float> turned = reordered<float>(values, shape, order);
  Coverage::Words out((turned.size() + 63) / 64);
  for (std::size_t v = 0; v < turned.size(); ++v) out[v / 64] |= static_cast<std::uint64_t>(turned[v] == 0) << (v % 64);
  return out;
}

void judge_coverage(const CheckOptions& options, const Coverage& coverage, std::vector<Index> rows, StudyCheck& study) {
  std::string column;
  const std::vector<Index> had = rows;
  const std::optional<SampleKeys> keys = keys_of(options, study.table, rows, column);
  if (!keys || rows.empty()) return;
  std::vector<Index> which;
  for (std::size_t r = 0; r < had.size(); ++r)
    if (std::ranges::binary_search(rows, had[r])) which.push_back(static_cast<Index>(r));
  const Coverage used = coverage.rows_of(which);
  const CoveredVoxels covered = covered_voxels(used, MaskRule::automatic);
  study.coverage = coverage_facts(used, covered.mask, *keys, column, 0);
  study.say(study.coverage->leak ? Severity::warning : Severity::note, study.coverage->sentence);
}

}  // namespace

void check_values(const CheckOptions& options, const Grid& grid, StudyCheck& study) {
  std::vector<VolumeLevel> levels;
  std::vector<Index> rows;
  std::vector<Coverage::Words> lacks, not_finite;
  for (Index row = 0; row < std::ssize(study.volumes); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    levels.push_back(facts.level);
    const bool usable = facts.error.empty() && !facts.bare;
    if (!usable) levels.back().known = false;
    const auto order = usable ? reorder(facts.info->grid, grid) : std::nullopt;
    if (!order) continue;  // resampled volumes cover what they are resampled from: nothing can be said yet
    rows.push_back(row);
    lacks.push_back(in_order(facts.coverage->lacks(0), facts, *order));
    not_finite.push_back(in_order(facts.coverage->not_finite(0), facts, *order));
  }
  const std::vector<std::string> outliers = what_stands_out(levels);
  for (std::size_t row = 0; row < outliers.size(); ++row) {
    if (outliers[row].empty()) continue;
    study.volumes[row].stands_out = outliers[row];
    study.say(Severity::warning, study.files[row].file.string() + ": stands out from the other volumes: " +
                                     outliers[row] + "; look at it, or leave it out.");
  }
  const std::size_t count = lacks.size();
  const Coverage coverage(grid.shape, std::move(lacks), std::move(not_finite), std::vector<Coverage::Words>(count));
  judge_coverage(options, coverage, rows, study);
}

void check_values(const CheckOptions& options, const Design<float>& design, StudyCheck& study) {
  std::vector<Index> rows;
  std::vector<std::string> names;
  for (Index row = 0; row < design.samples(); ++row) {
    rows.push_back(row);
    names.push_back(fmt::format("{}: sample {}", options.input.array, row));
  }
  for (const std::string& sentence : describe_outliers(levels_of(design), names))
    study.say(Severity::warning, sentence);
  judge_coverage(options, coverage_of(design), rows, study);
}

}  // namespace sturm
