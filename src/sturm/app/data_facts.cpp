// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/data_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <map>
#include <numeric>

#include "sturm/app/check_study.h"
#include "sturm/core/files.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/resize.h"
#include "sturm/report/page.h"
#include "sturm/report/places.h"
#include "sturm/report/report.h"
#include "sturm/results/json.h"

namespace sturm {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_values = 12;  ///< of a column that is counted value by value

/// How often each value of a column stands in the rows that are used; of many numbers their range.
void count_column(const Table& table, Index column, const std::vector<Index>& rows, std::vector<ValueCount>& out) {
  std::map<std::string, Index> counts;
  for (const Index row : rows) ++counts[table.cell(row, column)];
  const std::string& name = table.columns()[column];
  const auto add = [&](const std::string& value, Index count) { out.push_back({name, value, count}); };
  if (counts.size() <= most_values) {
    for (const auto& [value, count] : counts) add(value.empty() ? "n/a" : value, count);
    return;
  }
  if (!table.numeric(column)) {
    add(fmt::format("{} different values", counts.size()), static_cast<Index>(rows.size()));
    return;
  }
  std::vector<double> values;
  for (const Index row : rows)
    if (!table.missing(row, column)) values.push_back(parse_number(table.cell(row, column)));
  const auto [least, most] = std::ranges::minmax(values);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  add(fmt::format("{:.4g} to {:.4g}, mean {:.4g}", least, most, mean), static_cast<Index>(values.size()));
}

std::vector<Index> class_counts(const std::vector<double>& y, const Target& target) {
  std::vector<Index> out(target.names.size());
  for (const double label : y) ++out[static_cast<std::size_t>(label)];
  return out;
}

std::vector<SiteCount> site_counts(const std::vector<std::string>& sites, const Target& target,
                                   const std::vector<Index>& rows) {
  std::map<std::string, std::vector<double>> by_site;
  for (std::size_t r = 0; r < rows.size(); ++r) by_site[sites[r]].push_back(target.y[rows[r]]);
  std::vector<SiteCount> out;
  for (const auto& [site, y] : by_site) {
    SiteCount& entry = out.emplace_back();
    entry.site = site;
    entry.n = std::ssize(y);
    if (!target.names.empty()) {
      entry.class_samples = class_counts(y, target);
    } else if (target.classes) {
      entry.positive = std::ranges::count_if(y, [](double v) { return v > 0; });
    } else {
      const double mean = std::accumulate(y.begin(), y.end(), 0.0) / static_cast<double>(y.size());
      double squares = 0;
      for (const double v : y) squares += (v - mean) * (v - mean);
      entry.mean = mean;
      entry.squares = squares;
    }
  }
  return out;
}

/// Whether the table stands where sturm phantom wrote it.
bool of_phantom(const InputOptions& input) {
  return !input.source.samples.empty() && fs::exists(fs::path(input.source.samples).parent_path() / "phantom.json");
}

}  // namespace

TableFacts describe_table(const Table& table, const Target& target, const InputOptions& input, const CvOptions* study) {
  TableFacts out;
  std::vector<Index> rows;
  const Index label = table.column(target.column);
  for (Index row = 0; row < table.rows(); ++row) {
    if (!table.missing(row, label)) {
      rows.push_back(row);
      out.lines.push_back(table.line(row));
      continue;
    }
    const char* const id = table.has("participant_id") ? "participant_id" : "path";
    const std::string name = table.has(id) ? table.cell(row, table.column(id)) : "";
    out.data.excluded.push_back(
        {name.empty() ? fmt::format("line {}", table.line(row)) : name, "no value of " + target.column});
  }
  for (Index column = 0; column < static_cast<Index>(table.columns().size()); ++column)
    if (!is_id_column(table.columns()[column])) count_column(table, column, rows, out.data.table);
  StudyCheck check{table};
  check_columns({.input = input, .study = study ? *study : CvOptions(), .folds = false}, check);
  // What is an error there ends the work here, in the words of whoever meets it.
  for (const Finding& finding : check.findings)
    if (finding.severity == Severity::warning) out.data.warnings.push_back(finding.sentence);
  for (const Finding& finding : check.findings)
    if (finding.severity == Severity::note) out.notes.push_back(finding.sentence);
  if (!target.names.empty()) {
    std::vector<double> y;
    y.reserve(rows.size());
    for (const Index row : rows) y.push_back(target.y[row]);
    out.data.class_samples = class_counts(y, target);
  }
  if (target.classes) out.data.positive = std::ranges::count_if(rows, [&](Index row) { return target.y[row] > 0; });
  const char* const home = std::getenv("HOME");
  const std::string data_set =
      data_set_name(fs::absolute(input.name()), !input.source.bids.empty(), home == nullptr ? "" : home);
  if (!data_set.empty()) out.data.data_set = data_set;
  const std::string site = input.site.empty() && table.has("site") ? "site" : input.site;
  if (site.empty() || site == "none") return out;
  const Index column = table.column(site, "site");
  for (const Index row : rows) out.sites.push_back(table.missing(row, column) ? "n/a" : table.cell(row, column));
  out.data.site_column = site;
  out.data.sites = site_counts(out.sites, target, rows);
  return out;
}

void note_skipped(const std::vector<std::string>& skipped, DataFacts& data) {
  for (const std::string& name : skipped) data.excluded.push_back({name, "no file"});
}

void tell(const TableFacts& facts, Events& events) {
  for (const std::string& note : facts.notes) events.note(note);
  for (const std::string& warning : facts.data.warnings) events.warning(warning);
}

std::vector<Fact> volume_facts(const InputOptions& input, const std::optional<Space>& space, Index samples,
                               const std::vector<Shape>& shapes) {
  std::vector<Fact> out;
  const auto add = [&](const char* name, const std::string& value) { out.push_back({name, value}); };
  add("input", input.name());
  add("samples", std::to_string(samples));
  const Shape& whole = space ? space->grid.shape : shapes.back();
  add("voxels", to_string(whole));
  if (space) {
    const Point size = voxel_size(space->grid.affine);
    add("voxel size", fmt::format("{:.4g} x {:.4g} x {:.4g} mm", size[0], size[1], size[2]));
    add("orientation", orientation(space->grid.affine));
  }
  std::vector<std::string> resized;
  for (const Shape& shape : shapes)
    if (shape != whole) resized.push_back(to_string(shape));
  if (!resized.empty()) add("resized to", join(resized, resized.size()));
  return out;
}

std::optional<SpaceFacts> space_facts(const InputOptions& input, const std::optional<Space>& space) {
  if (!space) return {};
  return SpaceFacts{space->declared.entity, space->declared.form_code, of_phantom(input)};
}

template <class Real>
BrainMap mean_volume(const Design<Real>& design, const std::optional<Space>& space) {
  BrainMap out{TensorF(design.shape()), {}, space.has_value()};
  if (space) out.affine = resized_grid(space->grid, design.shape()).affine;
  const Index samples = design.samples();
  constexpr Index part = 4096;
  parallel_for((design.voxels() + part - 1) / part, [&](Index p, int) {
    for (Index v = p * part; v < std::min(design.voxels(), (p + 1) * part); ++v) {
      const Real* const x = design.column(v);
      double sum = 0;
      for (Index m = 0; m < samples; ++m) sum += static_cast<double>(x[m]);
      out.values.data()[design.region().voxel(v)] = static_cast<float>(sum / static_cast<double>(samples));
    }
  });
  return out;
}

template BrainMap mean_volume(const Design<float>&, const std::optional<Space>&);
template BrainMap mean_volume(const Design<double>&, const std::optional<Space>&);

std::optional<BrainMap> planted_truth(const InputOptions& input) {
  if (!of_phantom(input)) return {};
  return find_map(fs::path(input.source.samples).parent_path(), "truth");
}

std::vector<std::string> write_data(const fs::path& folder, const DataFacts& data,
                                    const std::optional<BrainMap>& background, const std::optional<BrainMap>& truth) {
  std::vector<std::string> names = {"data.json"};
  write_file(folder / "data.json", json_text(to_json(data)) + "\n");
  if (background) names.push_back(write_map(folder, "background", *background, "mean of the volumes"));
  if (truth) names.push_back(write_map(folder, "truth", *truth, "planted by sturm phantom"));
  return names;
}

std::vector<std::string> write_report(const fs::path& folder, const std::string& name, Events& events) {
  std::string report;
  try {
    const std::string page = empty_page();
    report = report_page(page, make_report({.folder = folder, .name = name}));
  } catch (const Error& error) {  // the results are worth having without it
    events.warn(std::string("no report: ") + error.what());
    return {};
  }
  write_file(folder / "report.html", report);  // a full disk, though, is an error as for any other file
  return {"report.html"};
}

void publish(OutputFolder& output, const Closing& closing, std::vector<std::string>& files, Events& events) {
  const auto add = [&](std::vector<std::string> more) { std::ranges::move(more, std::back_inserter(files)); };
  add(write_data(output.draft(), closing.data, closing.background, closing.truth));
  if (closing.report) add(write_report(output.draft(), output.target().filename().string(), events));
  stop_if_asked(events);
  events.enter(Phase::written);
  output.publish();
}

}  // namespace sturm
