// SPDX-License-Identifier: BSD-3-Clause
// --array and --labels.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "sturm/app/input_parts.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/mask.h"

namespace sturm {
namespace {

/// Throws where a voxel inside the mask is not finite, naming the first such voxel in memory order.
template <class Real>
void check_finite(const Design<Real>& design, const std::vector<std::uint8_t>& mask, const std::vector<Index>& rows,
                  const std::string& file) {
  const Index part = 4096, voxels = design.voxels(), samples = design.samples();
  std::atomic<Index> first{voxels};
  parallel_for((voxels + part - 1) / part, [&](Index p, int) {
    for (Index v = p * part; v < std::min(voxels, (p + 1) * part); ++v) {
      if (!mask.empty() && mask[v] == 0) continue;
      const Real* const x = design.column(v);
      bool bad = false;  // without a branch a sample, so that the loop runs in vectors
      for (Index m = 0; m < samples; ++m) bad |= !(std::abs(x[m]) <= std::numeric_limits<Real>::max());
      if (!bad) continue;
      for (Index before = first; v < before && !first.compare_exchange_weak(before, v);) {
      }
      return;
    }
  });
  if (first == voxels) return;
  const Real* const x = design.column(first);
  const Index m = std::find_if(x, x + samples, [](Real value) { return !std::isfinite(value); }) - x;
  const Shape& s = design.shape();
  const std::string where = std::to_string(first % s.n1) + ", " + std::to_string(first / s.n1 % s.n2) + ", " +
                            std::to_string(first / s.slice());
  throw Error(
      {file},
      "sample " + std::to_string(rows.empty() ? m : rows[m]) + ", voxel (" + where + ") is " + std::to_string(x[m]) +
          ", counted from 0; repair it, or leave the voxel out with `mask`" +
          (std::isinf(x[m]) && sizeof(Real) == 4 ? " (a number too large for f32 needs `precision f64`)." : "."));
}

Rows rows_of_array(const InputOptions& options, const LoadPlan& plan, Index samples) {
  if (options.labels.empty()) return {};
  const Table table = Table::read(options.labels);
  if (table.rows() != samples)
    throw Error({options.labels}, "has " + std::to_string(table.rows()) + " rows below its header where " +
                                      options.array + " has " + std::to_string(samples) +
                                      " samples; they must be the same, in the same order.");
  return read_rows(table, options, plan);
}

}  // namespace

template <class Real>
Input<Real> load_arrays(const InputOptions& options, const LoadPlan& plan) {
  const NpyHeader header = read_design_header(options.array);
  const Shape shape = Shape{header.shape[1], header.shape[2], header.shape[3]}.check();
  Rows rows = rows_of_array(options, plan, header.shape[0]);
  const bool learn = options.mask == "auto";
  std::vector<std::uint8_t> mask;
  if (!options.mask.empty() && options.mask != "none" && !learn) mask = load_mask(options.mask, shape);

  DesignLoad how;
  if (static_cast<Index>(rows.kept.size()) < header.shape[0]) how.rows = rows.kept;
  how.memory = plan.memory;
  const auto check = [&](const Region& region) {
    const Index on_top = plan.on_top ? plan.on_top(region, header.shape[0]) : 0;
    const Index copy = region.whole() ? 0 : header.shape[0] * region.size() * static_cast<Index>(sizeof(Real));
    check_memory(options, plan, design_bytes<Real>(header, how) + copy, on_top);
  };
  // A model of another shape is refused by plan.on_top, which must see the shape of the array.
  const auto columns = [&] { return plan.region && plan.region->box() == shape ? *plan.region : Region(shape, mask); };
  if (!learn) check(columns());
  const Design<Real> design = load_design<Real>(options.array, how);
  if (learn) mask = auto_mask(design);
  const Region region = columns();
  if (learn) check(region);
  check_finite(design, plan.purpose == Purpose::fit ? mask : plan.needed, rows.kept, options.array);
  return {with_rows(part_of(design, {}, region), std::move(rows)), {}, {}};
}

template Input<float> load_arrays(const InputOptions&, const LoadPlan&);
template Input<double> load_arrays(const InputOptions&, const LoadPlan&);

}  // namespace sturm
