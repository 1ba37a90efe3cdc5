// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/check_study.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>

#include "sturm/app/data_facts.h"
#include "sturm/core/memory.h"
#include "sturm/core/npy_design.h"
#include "sturm/core/parallel.h"
#include "sturm/core/problems.h"
#include "sturm/imaging/resize.h"
#include "sturm/models/linear/penalised_method.h"

namespace sturm {
namespace {

using nlohmann::ordered_json;

/// The grid of most volumes; those on another are problems, those in another order are told.
std::optional<Grid> check_grids(const CheckOptions& options, StudyCheck& study) {
  std::vector<VolumeInfo> infos;
  for (const VolumeFacts& facts : study.volumes)
    if (facts.error.empty()) infos.push_back(*facts.info);
  if (infos.empty()) return {};
  const Grid grid = common_grid(infos);
  const bool resample = options.input.volumes.on_mismatch == OnMismatch::resample;
  Index turned = 0;
  for (const VolumeInfo& info : infos) {
    const auto order = reorder(info.grid, grid);
    if (!order)
      study.say(resample ? Severity::note : Severity::error,
                info.header_file.string() + ": is " + describe_grid(info.grid) + " where most are " +
                    describe_grid(grid) + (resample ? "; it will be resampled." : "; see `on-mismatch`."));
    else if (!order->trivial())
      ++turned;
  }
  if (turned > 0)
    study.say(Severity::note, plural(turned, "volume") + (turned == 1 ? " has its axes" : " have their axes") +
                                  " in another order than the first, and will be turned without interpolation.");
  return grid;
}

/// What a mask could not be made of: the volumes, all the same, or the file that was named.
void check_mask(const CheckOptions& options, const std::optional<Grid>& grid, StudyCheck& study) {
  const std::string& mask = options.input.mask;
  const auto of_file = [](const std::string& name) {
    return !name.empty() && name != "auto" && name != "none" && name != "union";
  };
  try {
    if (grid && of_file(mask) && mask.ends_with(".npy"))
      load_mask(mask, grid->shape);
    else if (grid && of_file(mask))
      load_mask_volume(mask, *grid, options.input.volumes.on_mismatch);
  } catch (const Error& error) {
    study.say(Severity::error, error.what());
  }
  if (study.volumes.size() > 1 && !study.volumes[0].hash.empty() &&
      std::ranges::all_of(study.volumes, [&](const VolumeFacts& v) { return v.hash == study.volumes[0].hash; }))
    study.say(Severity::error, options.input.name() + ": all volumes are the same, so no voxel tells samples apart.");
}

/// Volumes that are the same under two names. With two labels one of them is wrong.
void check_duplicates(StudyCheck& study) {
  std::map<std::string, Index> first;
  const Table& table = study.table;
  study.same_as.assign(study.volumes.size(), -1);
  for (Index row = 0; row < static_cast<Index>(study.volumes.size()); ++row) {
    const VolumeFacts& facts = study.volumes[row];
    if (facts.hash.empty() || facts.constant) continue;  // zeros are told of already
    const auto [at, is_new] = first.emplace(facts.hash, row);
    if (is_new) continue;
    study.same_as[row] = at->second;
    const std::string label = study.labels.is_null() ? "" : study.labels["column"].get<std::string>();
    const bool differ =
        !label.empty() && table.cell(row, table.column(label)) != table.cell(at->second, table.column(label));
    study.say(differ ? Severity::error : Severity::warning,
              study.files[row].file.string() + " (line " + std::to_string(table.line(row)) +
                  "): is the same volume as " + study.files[at->second].file.string() + " (line " +
                  std::to_string(table.line(at->second)) + ")" +
                  (differ ? ", with another " + label + "." : "; in two folds it would be trained and tested on."));
  }
}

/// Memory of one fit, and of the paper's nested cross-validation the time, from what its parts were measured to take: a
/// prox of 45 us a slice of 43x51, products at 50 GFLOP/s a core, 100 iterations a problem.
void estimate_resources(const Shape& shape, Index samples, StudyCheck& study) {
  const Index volumes = checked_product(samples * shape.size(), sizeof(float));
  const Index fit = bytes_per_fit<float>(*tubal_nuclear_norm(shape), samples);
  const auto cost = [&](double m) {
    const auto n1 = static_cast<double>(shape.n1), n2 = static_cast<double>(shape.n2),
               n3 = static_cast<double>(shape.n3);
    const double prox = (n3 / 2 + 1) * n1 * n2 * std::min(n1, n2) * (45e-6 / (43.0 * 51 * 43));
    return prox + 4 * m * n1 * n2 * n3 / 5e10;
  };
  constexpr double outer = 10, inner = 9, grid = 13 * 13, iterations = 100;
  const double seconds = outer * inner * grid * iterations * cost(0.8 * static_cast<double>(samples)) / threads();
  study.resources = {{"shape", {shape.n1, shape.n2, shape.n3}},
                     {"samples", samples},
                     {"volumes_bytes", volumes},
                     {"fit_bytes", fit},
                     {"cv_bytes_estimate", volumes + fit * threads()},
                     {"cv_seconds_estimate", seconds},
                     {"available_bytes", memory_available()}};
  if (volumes + fit > memory_available())
    study.say(Severity::warning, "the volumes and a fit take " + format_bytes(volumes + fit) + ", and " +
                                     format_bytes(memory_available()) + " are available; use `resize`.");
}

/// The values of an array, read as a fit reads them.
template <class Real>
void check_as_fit(const CheckOptions& options, StudyCheck& study) {
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(options.run)};
  std::vector<Index> lines;
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {options.input.target, options.input.positive, options.input.classes});
    for (Index row = 0; row < table.rows(); ++row)
      if (!std::isnan(target.y[row])) lines.push_back(table.line(row));
    return target;
  };
  const Input<Real> input = load_input<Real>(options.input, plan);
  for (const std::string& odd : odd_samples(input.data, lines)) study.say(Severity::warning, odd);
}

void check_array(const CheckOptions& options, StudyCheck& study) {
  try {
    const NpyHeader header = read_design_header(options.input.array);
    estimate_resources(Shape{header.shape[1], header.shape[2], header.shape[3]}.check(), header.shape[0], study);
    if (header.shape[0] == study.table.rows()) check_values(options, load_design<float>(options.input.array), study);
    if (header.shape[0] == study.table.rows() && !study.readable) return;  // nothing says which rows are used
    options.run.precision == Precision::f32 ? check_as_fit<float>(options, study)
                                            : check_as_fit<double>(options, study);
  } catch (const Error& error) {
    if (std::ranges::find(study.findings, error.what(), &Finding::sentence) == study.findings.end())
      study.say(Severity::error, error.what());
  }
}

/// Equal findings counted: notes first, errors last, where they are seen.
void count_findings(StudyCheck& study) {
  std::vector<Finding> out;
  for (const Severity severity : {Severity::note, Severity::warning, Severity::error}) {
    std::vector<std::string> sentences;
    for (const Finding& finding : study.findings)
      if (finding.severity == severity) sentences.push_back(finding.sentence);
    for (std::string& sentence : counted(sentences)) out.push_back({severity, std::move(sentence)});
  }
  study.findings = std::move(out);
}

}  // namespace

StudyCheck check_study(const CheckOptions& options, const std::function<void(Index, Index)>& progress) {
  check_input_options(options.input, Purpose::check);
  if (!options.input.from_volumes()) {
    StudyCheck study{Table::read(options.input.labels)};
    check_columns(options, study);
    check_array(options, study);
    count_findings(study);
    return study;
  }
  SampleList list = find_samples(options.input.source);
  StudyCheck study{std::move(list.table), std::move(list.files)};
  for (const std::string& note : list.notes) study.say(Severity::note, note + ".");
  study.volumes.resize(study.files.size());
  for (const SampleProblem& problem : list.problems) study.volumes[problem.row].error = problem.sentence;
  std::mutex mutex;
  Index done = 0;
  const auto total = static_cast<Index>(study.files.size());
  parallel_for(total, [&](Index row, int) {
    if (study.volumes[row].error.empty()) study.volumes[row] = check_volume(study.files[row]);
    const std::lock_guard lock(mutex);
    if (progress) progress(++done, total);
  });
  for (const VolumeFacts& facts : study.volumes) {
    if (!facts.error.empty()) study.say(Severity::error, facts.error);
    for (const std::string& warning : facts.warnings)
      study.say(facts.bare ? Severity::error : Severity::warning, warning);
  }
  const std::optional<Grid> grid = check_grids(options, study);
  check_columns(options, study);
  check_duplicates(study);
  check_mask(options, grid, study);
  if (grid) check_values(options, *grid, study);
  if (grid) estimate_resources(resized_shape(grid->shape, options.input.resize), total, study);
  count_findings(study);
  return study;
}

}  // namespace sturm
