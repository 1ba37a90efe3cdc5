// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/predictions.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "sturm/app/space.h"
#include "sturm/app/trained_on.h"
#include "sturm/eval/scores.h"
#include "sturm/eval/stored_model.h"

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

/// The voxels of the volumes that must be sound: those that are read, on the grid of the volumes where the model has
/// one and they are not an array.
std::vector<std::uint8_t> needed_voxels(const SavedModel& saved, const std::vector<std::uint8_t>& read,
                                        const Space* space) {
  if (space == nullptr) return read;
  const bool all_of_mask = std::ranges::any_of(saved.parts, [](const auto& p) { return !p.model.has_map(); });
  if (read.empty() || all_of_mask || saved.normalize == Normalize::sample) return space->mask;
  std::vector<std::uint8_t> needed(space->grid.shape.size());
  const auto add = [&](const Tensor& on_model) {
    const Tensor fine = coef_on_grid(on_model, *space);
    for (std::size_t v = 0; v < needed.size(); ++v)
      if (fine.flat()[v] != 0) needed[v] = 1;
  };
  for (const SavedPart& part : saved.parts) add(part.model.map().coef);
  if (std::ranges::find(needed, 1) != needed.end()) return needed;
  Tensor some(saved.shape);  // a model of zeros: samples are told apart by these voxels
  for (std::size_t v = 0; v < read.size(); ++v) some.data()[v] = read[v];
  add(some);
  return needed;
}

/// Of the samples for which `wanted` holds and whose target is known.
std::string score_sentence(const Target& target, const std::vector<double>& decisions,
                           const std::function<bool(std::size_t)>& wanted) {
  std::vector<double> actual, decision;
  const std::size_t width = std::max<std::size_t>(1, target.names.size());
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    if (std::isnan(target.y[m]) || !wanted(m)) continue;
    actual.push_back(target.y[m]);
    decision.insert(decision.end(), decisions.begin() + static_cast<Index>(m * width),
                    decisions.begin() + static_cast<Index>((m + 1) * width));
  }
  if (actual.empty()) return {};
  const double n = static_cast<double>(actual.size());
  if (target.classification()) {
    const std::vector<double> labels = predicted_labels(decision, actual.size());
    Index hits = 0;
    for (std::size_t m = 0; m < actual.size(); ++m) hits += labels[m] == actual[m];
    return fmt::format("accuracy {:.1f} % ({} of {}{})", 100 * static_cast<double>(hits) / n, hits, actual.size(),
                       target.names.empty() ? "" : fmt::format("; {} classes", target.names.size()));
  }
  double error = 0;
  for (std::size_t m = 0; m < actual.size(); ++m) error += (decision[m] - actual[m]) * (decision[m] - actual[m]);
  const double r = pearson(actual, decision);
  return fmt::format("correlation {}, root mean square error {:.4g} ({})",
                     std::isnan(r) ? "undefined" : fmt::format("{:.3f}", r), std::sqrt(error / n),
                     plural(std::ssize(actual), "sample"));
}

/// Samples that the model was trained on say nothing of how good it is, and are told apart.
std::vector<std::string> score_sentences(const Predictions& of) {
  const auto seen = [&](std::size_t m) { return !of.trained_on.empty() && of.trained_on[m] != 0; };
  std::vector<std::string> out;
  const std::string fresh = score_sentence(of.target, of.decisions, [&](std::size_t m) { return !seen(m); }),
                    known = score_sentence(of.target, of.decisions, seen);
  if (!fresh.empty()) out.push_back(fresh + (known.empty() ? "" : " on samples the model was not trained on"));
  if (!known.empty())
    out.push_back(known + " on samples the model was trained on, which says nothing of how good it is on others");
  return out;
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
  const std::vector<std::uint8_t> columns = voxels_read(saved);
  plan.needed = needed_voxels(saved, columns, plan.space);
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
  Confounds confounds;
  plan.read_target = [&](const Table& table) {
    if (!saved.confounds.empty()) confounds = read_known_confounds(table, saved.confounds);
    const std::string column = request.input.target.empty() ? saved.target : request.input.target;
    if (request.input.target.empty() && !table.has(column)) return Target{};
    if (!saved.names.empty()) return read_known_classes(table, column, saved.names);
    Target target = read_known_target(table, column, saved.classes);
    require_same_kind(table, target);
    return target;
  };
  Input<Real> input = load_input<Real>(request.input, plan);
  events.close();
  for (const std::string& note : input.notes) events.note(note);
  const Design<Real>& design = input.data.design;
  if (!saved.confounds.empty() && confounds.empty())
    throw UsageError("the model takes confounds out of the volumes: name a table that has them with `labels`.");
  Predictions out{.samples = design.samples()};
  out.decisions = decisions_of(saved, design, confounds);
  out.table = table_of(saved, input.data, out.decisions);
  out.target = std::move(input.data.target);
  if (!saved.trained_on.empty()) {
    const std::set<std::string> known(saved.trained_on.begin(), saved.trained_on.end());
    for (const std::string& name : names_of_content(saved, design)) out.trained_on.push_back(known.contains(name));
    if (const auto seen = std::ranges::count(out.trained_on, 1); seen > 0)
      events.note(fmt::format("the model was trained on {} of these {}", seen, plural(out.samples, "volume")));
  }
  out.scores = score_sentences(out);
  return out;
}

template Predictions predict<float>(const PredictRequest&, Events&);
template Predictions predict<double>(const PredictRequest&, Events&);

}  // namespace sturm
