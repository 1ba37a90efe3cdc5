// SPDX-License-Identifier: BSD-3-Clause
// sturm predict: a fitted model on other volumes.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "sturm/cli/commands.h"
#include "sturm/cli/input.h"
#include "sturm/cli/run_options.h"
#include "sturm/cli/signals.h"
#include "sturm/cli/space.h"
#include "sturm/core/files.h"
#include "sturm/core/output_folder.h"
#include "sturm/eval/scores.h"
#include "sturm/models/model_file.h"

namespace sturm::cli {
namespace {

struct PredictCommand {
  CLI::App* app = nullptr;
  InputOptions input;
  RunOptions run;
  std::string model;
};

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
  if (saved.sigmoid) return {saved.sigmoid->probability(decisions.front())};
  std::vector<double> out;
  double sum = 0;
  for (std::size_t c = 0; c < saved.parts.size() && saved.parts[c].sigmoid; ++c) {
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
  if (saved.sigmoid) out += "\tprobability";
  if (!saved.parts.empty() && saved.parts.front().sigmoid)
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
  const LinearModel& model = saved.model;
  if (saved.rbf || saved.mmk || model.normalize == Normalize::sample) return space ? space->mask : model.mask;
  if (!saved.parts.empty()) {
    std::vector<std::uint8_t> any;
    for (const SavedModel& part : saved.parts) {
      const std::vector<std::uint8_t> one = needed_voxels(part, space);
      if (any.empty() || one.empty())
        any = one;
      else
        std::ranges::transform(any, one, any.begin(), std::bit_or<>());
    }
    return any;
  }
  std::vector<std::uint8_t> needed;
  const Tensor coef = space ? coef_on_grid(model.coef, *space) : model.coef;
  for (const double c : coef.flat()) needed.push_back(c != 0);
  return needed;
}

/// How good the predictions are, over the samples whose target is known.
void say_score(const RunOptions& run, const Target& target, const std::vector<double>& decisions) {
  if (!target.names.empty()) {
    const std::vector<double> labels = predicted_labels(decisions, target.y.size());
    Index all = 0, hits = 0;
    for (std::size_t m = 0; m < target.y.size(); ++m) {
      all += !std::isnan(target.y[m]);
      hits += labels[m] == target.y[m];
    }
    if (all == 0) return;
    return say(run, "accuracy {:.1f} % ({} of {}; {} classes)",
               100.0 * static_cast<double>(hits) / static_cast<double>(all), hits, all, target.names.size());
  }
  double n = 0, right = 0, sum_p = 0, sum_y = 0, error = 0;
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    if (std::isnan(target.y[m])) continue;
    n += 1;
    right += (decisions[m] >= 0) == (target.y[m] > 0);
    sum_p += decisions[m];
    sum_y += target.y[m];
    error += (decisions[m] - target.y[m]) * (decisions[m] - target.y[m]);
  }
  if (n == 0) return;
  if (target.classes) return say(run, "accuracy {:.1f} % ({} of {})", 100 * right / n, right, n);
  double py = 0, pp = 0, yy = 0;
  for (std::size_t m = 0; m < target.y.size(); ++m) {
    if (std::isnan(target.y[m])) continue;
    const double p = decisions[m] - sum_p / n, y = target.y[m] - sum_y / n;
    py += p * y;
    pp += p * p;
    yy += y * y;
  }
  const std::string r = pp > 0 && yy > 0 ? fmt::format("{:.3f}", py / std::sqrt(pp * yy)) : "undefined";
  say(run, "correlation {}, root mean square error {:.4g} ({} samples)", r, std::sqrt(error / n), n);
}

template <class Real>
void predict(const PredictCommand& command) {
  const RunOptions& run = command.run;
  const bool to_stdout = run.output == "-";
  std::unique_ptr<OutputFolder> output;
  if (!to_stdout)
    output = std::make_unique<OutputFolder>(run.output, run.force, std::vector<std::string>{"predictions.tsv"});
  const SavedModel saved = read_model(command.model);
  LoadPlan plan{.purpose = Purpose::predict, .memory = memory_budget(run)};
  plan.shape = saved.model.coef.shape();
  std::optional<Space> space;
  if (saved.grid && command.input.from_volumes()) space = to_space(saved);
  if (space) plan.space = &*space;
  plan.needed = needed_voxels(saved, plan.space);
  std::vector<std::uint8_t> columns = needed_voxels(saved, nullptr);
  if (!columns.empty() && std::ranges::all_of(columns, [](std::uint8_t c) { return c == 0; }))
    columns[0] = 1;  // a model of zeros reads no voxel, and a design has one at least
  if (!columns.empty()) plan.region = Region(plan.shape, columns);
  Progress progress(run.progress, {}, run.log_json);
  progress.stage("reading " + command.input.name());
  plan.progress = [&](Index done, Index total) { progress.count(done, total); };
  plan.on_top = [&](const Region& region, Index) {
    const Shape& shape = region.box();
    if (shape != saved.model.coef.shape())
      throw Error(fmt::format("{}: holds volumes of {} where the model {} was fitted to {}; resize them alike.",
                              command.input.name(), to_string(shape), command.model,
                              to_string(saved.model.coef.shape())));
    return Index{0};
  };
  plan.read_target = [&](const Table& table) {
    const std::string column = command.input.target.empty() ? saved.target : command.input.target;
    if (command.input.target.empty() && !table.has(column)) return Target{};
    if (!saved.names.empty()) return read_known_classes(table, column, saved.names);
    return read_known_target(table, column, saved.classes);
  };
  const Input<Real> input = load_input<Real>(command.input, plan);
  const Dataset<Real>& data = input.data;
  progress.close();
  for (const std::string& note : input.notes) say(run, "note: {}", note);
  const std::vector<double> decisions = decision_values(saved, data.design);
  const std::string table = table_of(saved, data, decisions);
  if (to_stdout) {
    fmt::print("{}", table);
  } else {
    on_signal(OnSignal::finish);
    write_file(output->draft() / "predictions.tsv", table);
    if (stop_asked()) throw Interrupted();
    on_signal(OnSignal::ignore);
    output->publish();
    say(run, "{} predictions written to {}", data.design.samples(),
        (std::filesystem::path(run.output) / "predictions.tsv").string());
  }
  say_score(run, data.target, decisions);
}

}  // namespace

void add_predict(CLI::App& program) {
  const auto command = std::make_shared<PredictCommand>();
  CLI::App* const app = program.add_subcommand("predict", "Use a fitted model on other volumes");
  command->app = app;
  app->add_option("--model", command->model, "folder written by sturm fit, or its model.safetensors")
      ->type_name("DIR|FILE");
  add_input_flags(*app, command->input, Purpose::predict);
  add_run_flags(*app, command->run);
  app->get_option("--output")->description("folder for predictions.tsv, or - for stdout");
  app->callback([command] {
    begin_run(*command->app, command->run);
    if (command->model.empty())
      throw UsageError("--model is missing: a folder written by sturm fit, or its model file.");
    command->run.precision == Precision::f32 ? predict<float>(*command) : predict<double>(*command);
  });
}

}  // namespace sturm::cli
