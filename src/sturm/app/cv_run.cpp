// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/cv_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>

#include "sturm/app/cv_files.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/standings.h"
#include "sturm/app/work_study.h"
#include "sturm/core/output_folder.h"
#include "sturm/core/parallel.h"
#include "sturm/study/cv_results.h"
#include "sturm/study/lock.h"

namespace sturm {
namespace {

/// The journals' records; those of another study are removed where the user says so.
StudyRecords read_or_begin(const CvRequest& request, const StudyIdentity& identity) {
  try {
    return read_journals(request.work, identity);
  } catch (const Error&) {
    if (!request.force) throw;
    remove_journals(request.work);
    return {};
  }
}

template <class Real>
DataFacts data_of(const CvRequest& request, const CvStudy<Real>& study) {
  DataFacts data = study.data;
  data.command = request.command;
  return data;
}

template <class Real>
void run_missing(const CvRequest& request, const CvStudy<Real>& study, const std::vector<Record>& records,
                 const std::vector<Index>& mine, Events& events) {
  if (mine.empty()) return;
  const CvPlan& plan = study.plan;
  Journal journal(request.work, parse_shard(request.shard).name(), identity_of(study.facts.settings));
  write_work_study(request.work, {study.facts, plan, study.spaces, data_of(request, study)});
  double total = 0, left = 0;
  for (const CvTask& task : plan.tasks) total += task.cost;
  for (const Index t : mine) left += plan.tasks[t].cost;
  double done = total - left;
  events.stage("cross-validation");
  Standings standings(study.facts, plan);
  for (const Record& record : records) {
    const auto task = std::ranges::find(plan.tasks, record.task, &CvTask::id);
    if (task != plan.tasks.end()) standings.add(*task, record.payload);
  }
  // Tasks share the threads, and the memory in equal parts.
  const Index at_once = tasks_at_once(study.nested, plan, static_cast<Index>(mine.size()));
  NestedStudy<Real> nested = study.nested;
  nested.options.method.memory /= at_once;
  std::mutex mutex;  // of all that follows but the tasks themselves
  std::atomic<bool> failed = false;
  std::map<Index, double> under_way;
  std::size_t begun = 0, finished = 0;
  const auto run_next = [&] {
    std::unique_lock lock(mutex);
    if (begun == mine.size()) return false;
    const Index t = mine[begun++];
    const CvTask& task = plan.tasks[t];
    lock.unlock();
    const std::string payload = run_task<Real>(nested, plan, task, [&](Index fits, Index all) {
      const std::lock_guard here(mutex);
      // More fits may turn out to be needed; what was done stays done.
      const double share = all > 0 ? static_cast<double>(fits) / static_cast<double>(all) : 0;
      under_way[t] = std::max(under_way[t], 0.95 * task.cost * share);
      double parts = 0;
      for (const auto& [index, part] : under_way) parts += part;
      events.advance((done + parts) / total,
                     fmt::format("task {} of {}: {}{}", finished + 1, mine.size(), task.id, standings.best()));
      return !failed;
    });
    lock.lock();
    if (failed) throw Interrupted();
    do_whole(events, [&] { journal.append(task.id, payload); });
    ++finished;
    under_way.erase(t);
    done += task.cost;
    standings.add(task, payload);
    return true;
  };
  side_by_side(at_once, [&](Index) {
    try {
      while (run_next()) {
      }
    } catch (...) {
      if (!failed.exchange(true)) throw;  // the others were asked to stop
    }
  });
}

CvDone was_there(const CvRequest& request) {
  CvDone out{.end = CvEnd::was_there};
  std::ifstream in(std::filesystem::path(request.output) / "results.json", std::ios::binary);
  out.results.assign(std::istreambuf_iterator<char>(in), {});
  return out;
}

template <class Real>
CvDone write_results(const CvRequest& request, const CvStudy<Real>& study, const std::vector<Record>& records,
                     OutputFolder& output, Events& events) {
  const Lock lock(std::filesystem::path(request.work) / "results.lock", "the results in " + request.output,
                  [&](const std::string& holder) {
                    events.say(fmt::format("{} writes {}; waiting for it", holder, request.output));
                  });
  if (holds_results_of(request.output, study.facts.settings)) {
    events.say(request.output + " holds the results of this study now.");
    return was_there(request);
  }
  events.enter(Phase::writing);
  const CvOutcomes outcomes = outcomes_of(study.plan, records);
  const std::optional<BrainMap> truth = planted_truth(request.input);
  const BrainMap mean = mean_volume(study.nested.resolutions.back().design, study.spaces.back());
  const ResultFiles tables =
      result_files(study.facts, study.plan, outcomes,
                   truth ? agreement_with_truth(*truth, mean, study.facts, study.plan, outcomes, study.spaces)
                         : Named<TruthAgreement>{});
  CvDone out;
  out.files = write_cv(output.draft(), tables, study.facts, study.plan, outcomes, study.spaces);
  std::vector<std::string> notes;
  std::ranges::move(write_models(output.draft(), study, outcomes, notes), std::back_inserter(out.files));
  for (const std::string& note : notes) events.note(note);
  publish(output, {data_of(request, study), mean, truth, request.report}, out.files, events);
  for (const auto& [name, text] : tables) {
    if (name == "table.md") out.table = text;
    if (name == "results.json") out.results = text;
  }
  return out;
}

}  // namespace

void check_places(const CvRequest& request) {
  parse_shard(request.shard);
  place_for_folder(request.output, "output");
  place_for_folder(request.work, "work");
  std::error_code failure;
  if (lies_in(std::filesystem::current_path(failure), request.output))
    throw Error({request.output}, "is the folder you are in or one above it; give `output` the name of a new folder.");
  refuse_inside(request.output, {{"work", request.work}, {"cache", request.input.cache}});
}

template <class Real>
Index tasks_to_do(const CvRequest& request, const CvStudy<Real>& study) {
  const OutputFolder output(request.output, request.force, cv_file_names(study.plan.methods));
  StudyRecords before;
  try {
    // Where no voxels were read, nobody knows what they are; nor, of an array, what its samples are called.
    std::vector<std::string> any;
    if (!study.outlines.empty()) any.emplace_back("the volumes");
    if (!study.outlines.empty() && !request.input.from_volumes()) any.emplace_back("the table");
    before = read_journals(request.work, identity_of(study.facts.settings), any);
  } catch (const Error&) {
    if (!request.force) throw;  // otherwise the journals of another study go when the work begins
  }
  return std::ssize(missing_tasks(study.plan, before.records));
}

template <class Real>
CvDone run_cv(const CvRequest& request, const CvStudy<Real>& study, Events& events) {
  const Shard shard = parse_shard(request.shard);
  if (holds_results_of(request.output, study.facts.settings)) {
    events.say(request.output + " holds the results of this study already.");
    return was_there(request);
  }
  OutputFolder output(request.output, request.force, cv_file_names(study.plan.methods));
  const StudyIdentity identity = identity_of(study.facts.settings);
  const StudyRecords before = read_or_begin(request, identity);
  for (const std::string& note : before.notes) events.note(note);
  std::vector<Index> missing = missing_tasks(study.plan, before.records);
  std::vector<std::string> ids;
  std::vector<double> costs;
  for (const CvTask& task : study.plan.tasks) {
    ids.push_back(task.id);
    costs.push_back(task.cost);
  }
  std::vector<Index> mine = tasks_of(shard, ids, costs);
  std::erase_if(mine, [&](Index t) { return !std::ranges::binary_search(missing, t); });
  if (before.records.empty())
    events.say(fmt::format("{}, {}{}, {}: {}", plural(study.facts.keys.rows(), "sample"),
                           plural(study.plan.outer.count(), "outer fold"),
                           study.plan.deals() > 1 ? fmt::format(" dealt {} times", study.plan.deals()) : "",
                           plural(std::ssize(study.plan.methods), "method"), plural(std::ssize(mine), "task")));
  else
    events.say(
        fmt::format("{} of {} tasks are done already; going on", before.records.size(), study.plan.tasks.size()));
  run_missing(request, study, before.records, mine, events);
  events.close();
  const StudyRecords after = read_journals(request.work, identity);
  missing = missing_tasks(study.plan, after.records);
  if (!missing.empty()) return {.end = CvEnd::part, .missing = std::ssize(missing)};
  return write_results(request, study, after.records, output, events);
}

#define STURM_INSTANTIATE(Real)                                       \
  template Index tasks_to_do(const CvRequest&, const CvStudy<Real>&); \
  template CvDone run_cv(const CvRequest&, const CvStudy<Real>&, Events&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
