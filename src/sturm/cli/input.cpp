// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/input.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/core/memory.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"

namespace sturm::cli {
namespace {

/// "line 3, 4 and 9 more" of the rows in their table.
std::string lines_of(const Table& table, const std::vector<Index>& rows) {
  std::vector<std::string> lines;
  lines.reserve(rows.size());
  for (const Index row : rows) lines.push_back(std::to_string(table.line(row)));
  return (rows.size() == 1 ? "line " : "lines ") + join(lines, 5);
}

/// The rows to work on; those without a target are an error unless the user lets them go.
std::vector<Index> rows_to_keep(const Table& table, const Target& target, bool drop_missing) {
  std::vector<Index> kept(static_cast<std::size_t>(table.rows()));
  std::iota(kept.begin(), kept.end(), Index{0});
  const std::vector<Index> missing = rows_without(table, target.column);
  if (missing.empty()) return kept;
  if (!drop_missing)
    throw Error(table.name() + ", column " + target.column + ": has no value in " + lines_of(table, missing) +
                "; fill them in, or leave these samples out with --drop-missing.");
  std::erase_if(kept, [&](Index row) { return std::ranges::binary_search(missing, row); });
  if (kept.empty()) throw Error(table.name() + ", column " + target.column + ": has no value in any row.");
  return kept;
}

std::vector<double> read_weights(const Table& table, const std::string& name, const std::vector<Index>& rows) {
  const Index column = table.column(name);
  const std::vector<double> all = table.numbers(column);
  std::vector<double> weights;
  for (const Index row : rows) {
    if (!(all[row] >= 0)) throw Error(table.place(row, column) + ": a weight (--weights) is a number from 0.");
    weights.push_back(all[row]);
  }
  if (std::ranges::all_of(weights, [](double w) { return w == 0; }))
    throw Error(table.name() + ", column " + name + ": every weight is 0, so there is nothing to learn from.");
  return weights;
}

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
  throw Error(file + ": sample " + std::to_string(rows.empty() ? m : rows[m]) + ", voxel (" + where + ") is " +
              std::to_string(x[m]) + ", counted from 0; repair it, or leave the voxel out with --mask" +
              (std::isinf(x[m]) && sizeof(Real) == 4 ? " (a number too large for f32 needs --precision f64)." : "."));
}

void check_memory(const InputOptions& options, const LoadPlan& plan, Index volumes, Index on_top) {
  if (volumes + on_top <= plan.memory) return;
  throw Error(options.array + ": needs " + std::to_string(volumes + on_top) + " bytes of memory (" +
              format_bytes(volumes) + " for the volumes, " + format_bytes(on_top) +
              " for the solver), and --memory is " + format_bytes(plan.memory) + "; raise it, or use fewer voxels.");
}

/// What the labels' table says about the rows of the array.
struct Rows {
  Target target;
  std::vector<double> weights;
  std::vector<Index> kept;
  std::string id_column;
  std::vector<std::string> ids;
};

Rows read_rows(const InputOptions& options, const LoadPlan& plan, Index samples) {
  const Table table = Table::read(options.labels);
  if (table.rows() != samples)
    throw Error(options.labels + ": has " + std::to_string(table.rows()) + " rows below its header where " +
                options.array + " has " + std::to_string(samples) +
                " samples; they must be the same, in the same order.");
  Rows rows;
  rows.kept.resize(static_cast<std::size_t>(samples));
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

}  // namespace

void add_input_flags(CLI::App& app, InputOptions& options, Purpose purpose) {
  const auto option = [&app](const char* name, std::string& value, const char* help, const char* type) {
    return app.add_option(name, value, help)->type_name(type)->group("Input");
  };
  option("--array", options.array, "volumes: samples x I1 x I2 x I3, float32 or float64", "X.npy");
  option("--labels", options.labels, "table with a header and a row a sample, in the same order", "Y.tsv");
  option("--target", options.target, "column to predict; may be left out where there is one beside the ids", "COL");
  if (purpose == Purpose::predict) return;
  option("--positive", options.positive, "classify: this value is +1, every other -1", "VALUE");
  option("--weights", options.weights, "column with the samples' weights", "COL");
  option("--mask", options.mask, "voxels to use (not 0), or none for all", "FILE.npy|none")->capture_default_str();
  app.add_flag("--drop-missing", options.drop_missing, "leave out samples whose target is missing")->group("Input");
}

template <class Real>
Dataset<Real> load_dataset(const InputOptions& options, const LoadPlan& plan) {
  if (options.array.empty()) throw UsageError("--array is missing: an .npy file of samples x I1 x I2 x I3.");
  if (options.labels.empty() && plan.purpose == Purpose::fit)
    throw UsageError("--labels is missing: a .tsv table with the target, a row a sample of --array.");
  const NpyHeader header = read_design_header(options.array);
  const Shape shape = Shape{header.shape[1], header.shape[2], header.shape[3]}.check();
  const Rows rows = options.labels.empty() ? Rows{} : read_rows(options, plan, header.shape[0]);
  std::vector<std::uint8_t> mask;
  if (options.mask != "none") mask = load_mask(options.mask, shape);

  DesignLoad how;
  if (static_cast<Index>(rows.kept.size()) < header.shape[0]) how.rows = rows.kept;
  how.memory = plan.memory;
  check_memory(options, plan, design_bytes<Real>(header, how), plan.on_top ? plan.on_top(shape, header.shape[0]) : 0);
  Dataset<Real> data{load_design<Real>(options.array, how)};
  check_finite(data.design, plan.purpose == Purpose::fit ? mask : plan.needed, rows.kept, options.array);
  data.target = rows.target;
  data.weights = rows.weights;
  data.mask = std::move(mask);
  data.id_column = rows.id_column;
  data.ids = rows.ids;
  return data;
}

template Dataset<float> load_dataset(const InputOptions&, const LoadPlan&);
template Dataset<double> load_dataset(const InputOptions&, const LoadPlan&);

}  // namespace sturm::cli
