// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/predictions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sturm/app/space.h"
#include "sturm/eval/scores.h"
#include "sturm/models/files/model_file.h"

namespace sturm {
namespace {

/// A field of a table: quoted where it would break the row, n/a where there is nothing.
std::string field(const std::string& text) {
  if (text.empty()) return "n/a";
  if (text.find_first_of("\t\r\n\"") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

/// What a sample is taken for, from its decision values: one, or one a class.
std::string predicted(const SavedModel& saved, std::span<const double> decisions) {
  if (!saved.names.empty()) {
    const double label = predicted_labels(decisions, 1).front();
    return std::isnan(label) ? "" : saved.names[static_cast<std::size_t>(label)];
  }
  if (!saved.classes) return fmt::format("{}", decisions.front());
  return decisions.front() >= 0 ? saved.classes->positive : saved.classes->negative;
}

/// Of the positive class, or of each of several, where they add up to 1; empty where the model has none.
std::vector<double> probabilities(const SavedModel& saved, std::span<const double> decisions) {
  if (saved.names.empty() && saved.parts.front().sigmoid)
    return {saved.parts.front().sigmoid->probability(decisions.front())};
  std::vector<double> out;
  double sum = 0;
  for (std::size_t c = 0; c < saved.names.size() && saved.parts[c].sigmoid; ++c) {
    out.push_back(saved.parts[c].sigmoid->probability(decisions[c]));
    sum += out.back();
  }
  for (double& value : out) value = sum > 0 ? value / sum : 1 / static_cast<double>(out.size());
  return out;
}

template <class Real>
std::string table_of(const SavedModel& saved, const Dataset<Real>& data, const std::vector<double>& decisions) {
  const bool known = !data.target.y.empty(), named = !data.paths.empty();
  std::string out = (data.ids.empty() ? "row" : data.id_column) + (named ? "\tpath" : "") + "\tdecision\tpredicted" +
                    (known ? "\tactual" : "");
  for (const std::string& name : saved.names) out += "\t" + field("decision_" + name);
  if (saved.names.empty() && saved.parts.front().sigmoid) out += "\tprobability";
  if (saved.parts.front().sigmoid)
    for (const std::string& name : saved.names) out += "\t" + field("probability_" + name);
  out += "\n";
  const std::size_t each = std::max<std::size_t>(1, saved.names.size());
  for (std::size_t m = 0; m * each < decisions.size(); ++m) {
    const std::span<const double> mine = std::span(decisions).subspan(m * each, each);
    out += data.ids.empty() ? std::to_string(m) : field(data.ids[m]);
    if (named) out += "\t" + field(data.paths[m]);
    out += fmt::format("\t{}\t{}", *std::ranges::max_element(mine), field(predicted(saved, mine)));
    if (known) out += "\t" + field(data.target.actual[m]);
    for (const double decision : mine)
      if (each > 1) out += fmt::format("\t{}", decision);
    for (const double probability : probabilities(saved, mine)) out += fmt::format("\t{}", probability);
    out += "\n";
  }
  return out;
}

/// The voxels that a prediction reads: those with a coefficient, and those that a volume is normalised by. On the grid
/// of the volumes, where the model has one and they are not an array.
std::vector<std::uint8_t> needed_voxels(const SavedModel& saved, const Space* space) {
  std::vector<std::uint8_t> needed;
  for (const SavedPart& part : saved.parts) {
    if (!part.model.has_map() || saved.normalize == Normalize::sample) return space ? space->mask : saved.mask;
    const Tensor coef = space ? coef_on_grid(part.model.map().coef, *space) : part.model.map().coef;
    needed.resize(coef.flat().size());
    for (std::size_t v = 0; v < needed.size(); ++v)
      if (coef.flat()[v] != 0) needed[v] = 1;
  }
  return needed;
}

}  // namespace

template <class Real>
Predictions predict(const PredictRequest& request, Events& events) {
  const SavedModel saved = read_model(request.model);
  LoadPlan plan{.purpose = Purpose::predict, .memory = memory_budget(request.run)};
  plan.shape = saved.shape;
  std::optional<Space> space;
  if (saved.grid && request.input.from_volumes()) space = to_space(saved);
  if (space) plan.space = &*space;
  plan.needed = needed_voxels(saved, plan.space);
  std::vector<std::uint8_t> columns = needed_voxels(saved, nullptr);
  if (!columns.empty() && std::ranges::all_of(columns, [](std::uint8_t c) { return c == 0; }))
    columns[0] = 1;  // a model of zeros reads no voxel, and a design has one at least
  if (!columns.empty()) plan.region = Region(plan.shape, columns);
  events.stage("reading " + request.input.name());
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  plan.whole = [&](const std::function<void()>& work) { do_whole(events, work); };
  plan.on_top = [&](const Region& region, Index) {
    const Shape& shape = region.box();
    if (shape != saved.shape)
      throw Error(fmt::format("{}: holds volumes of {} where the model {} was fitted to {}; resize them alike.",
                              request.input.name(), to_string(shape), request.model, to_string(saved.shape)));
    return Index{0};
  };
  plan.read_target = [&](const Table& table) {
    const std::string column = request.input.target.empty() ? saved.target : request.input.target;
    if (request.input.target.empty() && !table.has(column)) return Target{};
    if (!saved.names.empty()) return read_known_classes(table, column, saved.names);
    return read_known_target(table, column, saved.classes);
  };
  Input<Real> input = load_input<Real>(request.input, plan);
  events.close();
  for (const std::string& note : input.notes) events.note(note);
  Predictions out{.samples = input.data.design.samples()};
  out.decisions = decision_values(saved, input.data.design);
  out.table = table_of(saved, input.data, out.decisions);
  out.target = std::move(input.data.target);
  return out;
}

template Predictions predict<float>(const PredictRequest&, Events&);
template Predictions predict<double>(const PredictRequest&, Events&);

}  // namespace sturm
