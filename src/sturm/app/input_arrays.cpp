// SPDX-License-Identifier: BSD-3-Clause
// --array and --labels.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "sturm/app/input_parts.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/learnt_mask.h"
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
  const Index voxel = design.region().voxel(first);
  const std::string where = std::to_string(voxel % s.n1) + ", " + std::to_string(voxel / s.n1 % s.n2) + ", " +
                            std::to_string(voxel / s.slice());
  throw Error(
      {file},
      "sample " + std::to_string(rows.empty() ? m : rows[m]) + ", voxel (" + where + ") is " + std::to_string(x[m]) +
          ", counted from 0; repair it, or leave the voxel out with `mask`" +
          (std::isinf(x[m]) && sizeof(Real) == 4 ? " (a number too large for f32 needs `precision f64`)." : "."));
}

/// Samples that cover nothing would empty every mask.
void refuse_bare(const Coverage& coverage, const std::vector<Index>& rows, const std::string& file) {
  std::vector<std::string> bare;
  for (Index m = 0; m < coverage.samples(); ++m)
    if (coverage.lacking(m) == coverage.shape().size()) bare.push_back(std::to_string(rows.empty() ? m : rows[m]));
  if (!bare.empty())
    throw Error({file}, (bare.size() == 1 ? "sample " : "samples ") + join(bare) +
                            ", counted from 0, hold nothing but 0 and NaN, so that no voxel is covered by all; leave " +
                            "them out.");
}

/// What is not finite becomes 0; where nothing is, the design as it stands.
template <class Real>
Design<Real> without_gaps(Design<Real> design, const Coverage& coverage) {
  bool any = false;
  for (Index m = 0; m < coverage.samples(); ++m) any = any || !coverage.not_finite(m).empty();
  if (!any) return design;
  AlignedVector<Real> x(design.x().begin(), design.x().end());
  for (Real& value : x)
    if (!std::isfinite(value)) value = 0;
  return Design<Real>::owning(design.region(), design.samples(), std::move(x));
}

Rows rows_of_array(const InputOptions& options, const LoadPlan& plan, Index samples) {
  if (options.in_memory && options.in_memory->table) return read_rows(*options.in_memory->table, options, plan);
  if (options.labels.empty()) return {};
  const Table table = Table::read(options.labels);
  if (table.rows() != samples)
    throw Error({options.labels}, "has " + plural(table.rows(), "row") + " below its header where " + options.array +
                                      " has " + plural(samples, "sample") +
                                      "; they must be the same, in the same order.");
  return read_rows(table, options, plan);
}

/// An array, in a file or in memory, before it is read.
template <class Real>
class Source {
 public:
  explicit Source(const InputOptions& options) : options_(options) {
    if (options.in_memory) {
      given_ = std::get<Design<Real>>(options.in_memory->design);
      shape = given_->shape();
      samples = given_->samples();
    } else {
      header_ = read_design_header(options.array);
      shape = Shape{header_.shape[1], header_.shape[2], header_.shape[3]}.check();
      samples = header_.shape[0];
    }
  }

  /// What reading it takes: an array in memory takes nothing where all of its rows are used.
  Index bytes(const DesignLoad& how) const {
    if (!given_) return design_bytes<Real>(header_, how);
    return how.rows.empty() ? 0 : std::ssize(how.rows) * given_->voxels() * static_cast<Index>(sizeof(Real));
  }
  Design<Real> load(const DesignLoad& how) const {
    return given_ ? part_of(*given_, how.rows, given_->region()) : load_design<Real>(options_.array, how);
  }
  /// Where they lie, if that is known.
  std::optional<Space> space() const {
    if (!options_.in_memory || !options_.in_memory->grid) return {};
    return Space{.grid = *options_.in_memory->grid, .mask = given_->region().mask()};
  }
  /// The voxels that count, where no mask is named.
  Region region() const { return given_ ? given_->region() : Region(shape); }

  Shape shape;
  Index samples = 0;

 private:
  const InputOptions& options_;
  std::optional<Design<Real>> given_;
  NpyHeader header_;
};

}  // namespace

template <class Real>
Input<Real> load_arrays(const InputOptions& options, const LoadPlan& plan) {
  const Source<Real> source(options);
  const Shape shape = source.shape;
  Rows rows = rows_of_array(options, plan, source.samples);
  const bool learns = plan.purpose == Purpose::fit && options.learnt_mask().has_value();
  const MaskRule rule = options.learnt_mask().value_or(MaskRule::automatic);
  std::vector<std::uint8_t> mask = source.region().mask();
  if (plan.purpose == Purpose::fit && !options.mask.empty() && options.mask != "none" && !learns)
    mask = load_mask(options.mask, shape);

  DesignLoad how;
  if (std::ssize(rows.kept) < source.samples) how.rows = rows.kept;
  how.memory = plan.memory;
  const auto check = [&](const Region& region) {
    const Index on_top = plan.on_top ? plan.on_top(region, source.samples) : 0;
    const bool copies = !(region == source.region());
    const Index copy = copies ? source.samples * region.size() * static_cast<Index>(sizeof(Real)) : 0;
    check_memory(options, plan, source.bytes(how) + copy, on_top);
  };
  // A model of another shape is refused by plan.on_top, which must see the shape of the array.
  const auto columns = [&] { return plan.region && plan.region->box() == shape ? *plan.region : Region(shape, mask); };
  if (!learns) check(columns());
  if (plan.outline) {
    Design<Real> noise = stand_in<Real>(static_cast<Index>(rows.kept.size()), shape);  // before the rows go
    return {with_rows(std::move(noise), std::move(rows)),
            {},
            {},
            {},
            {},
            Outline{shape, learns ? shape.size() : columns().size(), !learns}};
  }
  Design<Real> design = source.load(how);
  std::shared_ptr<const Coverage> coverage;
  if (plan.purpose == Purpose::fit) coverage = std::make_shared<const Coverage>(coverage_of(design));
  if (!learns) {
    const bool by_mask = plan.purpose == Purpose::fit && !mask.empty();
    check_finite(design, by_mask ? design.region().gather(std::span<const std::uint8_t>(mask)) : plan.needed, rows.kept,
                 options.name());
    return {with_rows(part_of(design, {}, columns()), std::move(rows)), source.space(), {}, std::move(coverage)};
  }
  refuse_bare(*coverage, rows.kept, options.name());
  design = without_gaps(std::move(design), *coverage);
  if (plan.masks_later) {
    check(design.region());
    return {with_rows(std::move(design), std::move(rows)), {}, {}, std::move(coverage)};
  }
  const LearntMasks<Real> masks(design, {}, coverage, rule);
  design = masks.volumes({}, {});
  check(design.region());
  std::vector<std::string> notes = {
      describe_mask(masks.covered({}), rule, design.region().size(), design.region().box())};
  return {with_rows(std::move(design), std::move(rows)), {}, std::move(notes), std::move(coverage)};
}

template Input<float> load_arrays(const InputOptions&, const LoadPlan&);
template Input<double> load_arrays(const InputOptions&, const LoadPlan&);

}  // namespace sturm
