// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/fit_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "sturm/app/coverage_facts.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/fit_parts.h"
#include "sturm/app/trained_on.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"
#include "sturm/eval/confounds.h"
#include "sturm/eval/folds.h"
#include "sturm/imaging/content_hash.h"
#include "sturm/models/linear/pattern.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"
#include "sturm/models/wrappers/platt.h"

namespace sturm {
namespace {

/// Where volumes have values, whether that gives the target away, and which stand out: what is said of the latter.
template <class Real>
std::vector<std::string> judge_volumes(const Input<Real>& input, std::uint64_t seed, DataFacts& about, Events& events) {
  const Dataset<Real>& data = input.data;
  SampleKeys keys;
  std::vector<std::string> names = data.paths;
  for (Index m = 0; m < data.design.samples(); ++m) {
    keys.ids.push_back(fmt::format("{:09}", m));
    if (data.paths.empty()) names.push_back(data.ids.empty() ? fmt::format("sample {}", m) : data.ids[m]);
  }
  if (std::ranges::find(data.ids, std::string()) == data.ids.end()) keys.groups = data.ids;
  keys.y = data.target.y;
  keys.classification = data.target.classification();
  keys.several = static_cast<Index>(data.target.names.size());
  for (Index c = 0; c < keys.several; ++c) keys.class_names[static_cast<double>(c)] = data.target.names[c];
  std::vector<std::uint8_t> mask = input.space ? input.space->mask : data.design.region().mask();
  const CoverageFacts& found =
      about.coverage.emplace(coverage_facts(*input.coverage, mask, keys, data.target.column, seed));
  if (found.leak)
    events.warn("WARNING: " + found.sentence);
  else
    events.detail(found.sentence);
  std::vector<std::string> outliers = describe_outliers(levels_of(data.design), names);
  for (const std::string& outlier : outliers) events.warn("warning: " + outlier);
  return outliers;
}

/// With the setting that the user gave.
template <class Real>
MadeFit fit_as_given(const FitRequest& request, Events& events) {
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(request.run)};
  plan.on_top = [&](const Region& region, Index samples) {
    return find_method<Real>(request.method).bytes(region, samples);
  };
  TableFacts table_facts;
  Confounds confounds;
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {request.input.target, request.input.positive, request.input.classes});
    CvOptions named;
    named.confounds = request.confounds;
    table_facts = describe_table(table, target, request.input, &named);
    confounds = read_confounds(table, split(request.confounds, ','), rows_with(table, target.column), target.column);
    return target;
  };
  events.stage("reading " + request.input.name());
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  plan.whole = [&](const std::function<void()>& work) { do_whole(events, work); };
  Input<Real> input = load_input<Real>(request.input, plan);
  const Dataset<Real>& data = input.data;
  events.close();
  for (const std::string& note : input.notes) events.note(note);
  note_skipped(input.skipped, table_facts.data);
  const std::vector<std::string> odd = odd_samples(data, table_facts.lines);
  table_facts.data.warnings.insert(table_facts.data.warnings.end(), odd.begin(), odd.end());
  tell(table_facts, events);
  DataFacts about = std::move(table_facts.data);
  const std::vector<std::string> outliers = judge_volumes(input, request.run.seed, about, events);
  input.coverage.reset();
  for (const std::vector<std::string>& more : {table_facts.notes, input.notes, outliers})
    about.warnings.insert(about.warnings.end(), more.begin(), more.end());
  events.detail(fmt::format("{}: {} of {}, {}; {}, up to {} of memory", request.input.name(),
                            plural(data.design.samples(), "sample"), to_string(data.design.shape()),
                            data.target.classification() ? "a classification" : "a regression",
                            plural(threads(), "thread"), format_bytes(plan.memory)));

  events.stage("preparing");
  MadeFit out = fit_dataset(request, data, input.space, confounds, plan.memory,
                            [&](const FitProgress& now) { return events.report(now); });
  out.about = std::move(about);
  out.about.facts = volume_facts(request.input, input.space, data.design.samples(), {data.design.shape()});
  out.about.space = space_facts(request.input, input.space);
  out.about.facts.push_back({"coverage", out.about.coverage->sentence});
  out.about.hashes = hashes_of({data.ids, data.id_column}, data.target, data.design);
  out.background = mean_volume(data.design, input.space);
  if (request.proof) out.proof = proof_samples(data, training_weights_of(request, data));
  return out;
}

}  // namespace

template <class Real>
std::vector<Fact> hashes_of(const SampleNames& names, const Target& target, const Design<Real>& design) {
  ContentHash table, volumes;
  for (const std::string& id : names.ids) table.add(id);
  for (const std::string& label : target.actual) table.add(label);
  volumes.add(design.x().data(), design.x().size() * sizeof(Real));
  return {{"hash of the table", table.text()}, {"hash of the volumes", volumes.text()}};
}

std::vector<std::string> fit_file_names() {
  std::vector<std::string> out = fit_files;
  out.insert(out.end(), report_files.begin(), report_files.end());
  return out;
}

template <class Real>
FitDone run_fit(const FitRequest& request, OutputFolder& output, Events& events) {
  if (request.probabilities && !request.confounds.empty())
    throw UsageError(
        "`probabilities` are learnt on folds that share one set of volumes, and `confounds` would be taken out of each "
        "fold anew: leave one of them out.");
  if (request.proof && (request.choosing.choose || !request.confounds.empty()))
    throw UsageError(option_name("proof") +
                     " is of a setting that is given and of the volumes as they are read: leave out " +
                     option_name(request.choosing.choose ? "choose" : "confounds") + ".");
  if (request.proof) require_proof_kind(request.method);
  MadeFit made = request.choosing.choose ? choose_and_fit<Real>(request, events) : fit_as_given<Real>(request, events);
  FitDone out{std::move(made.outcome), {}, {}};
  events.enter(Phase::writing);  // until here nothing is on disk
  out.facts = fit_facts(out.outcome, made.target, request.model, to_word(request.run.precision), made.space);
  made.about.command = request.command;
  out.files = write_fit(output.draft(), out.outcome, made.saved, out.facts, made.space);
  if (made.proof)
    out.files.push_back(
        write_proof_file(output.draft(), output.target(), out.outcome, *made.proof,
                         {request.input, {}, request.run.precision, request.model.intercept, request.balanced}));
  made.saved = {};  // the report reads what it shows from the files, and needs the room
  for (FittedPart& part : out.outcome.parts) part.pattern.reset();
  publish(output, {made.about, *made.background, planted_truth(request.input), request.report}, out.files, events);
  events.close();
  return out;
}

#define STURM_INSTANTIATE(Real)                                              \
  template FitDone run_fit<Real>(const FitRequest&, OutputFolder&, Events&); \
  template std::vector<Fact> hashes_of(const SampleNames&, const Target&, const Design<Real>&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
