// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/work_study.h"

#include <fmt/core.h>

#include <algorithm>

#include "sturm/app/cv_files.h"
#include "sturm/app/data_facts.h"
#include "sturm/core/files.h"
#include "sturm/eval/learning.h"
#include "sturm/results/json.h"
#include "sturm/study/cv_results.h"

namespace sturm {

namespace fs = std::filesystem;

namespace {

/// Where the volumes of a size lie.
struct SpaceRecord {
  std::array<Index, 3> shape{};
  std::array<std::array<Number, 4>, 3> affine{};
  Number resize = 1;
  bool masked = false;
};

/// study.json.
struct StudyRecord {
  StudySettings settings;
  std::vector<int> folds;
  std::vector<std::string> fold_names;
  std::vector<std::vector<int>> folds_again;
  std::vector<std::string> ids, groups;
  std::string group_column;
  std::vector<double> y;
  std::vector<std::string> actual;
  std::string target;
  std::vector<std::string> labels;
  std::vector<std::string> participants, paths, sites;
  Score score = Score::accuracy;
  std::vector<double> resize;
  std::vector<OrNull<SpaceRecord>> spaces;
  DataFacts data;
};

}  // namespace

template <>
inline constexpr const char* type_name<SpaceRecord> = "SpaceRecord";
template <>
inline constexpr const char* type_name<StudyRecord> = "StudyRecord";

namespace {

template <class Field>
void describe(Field& field, SpaceRecord& s) {
  field("shape", s.shape);
  field("affine", s.affine);
  field("resize", s.resize);
  field("masked", s.masked);
}

template <class Field>
void describe(Field& field, StudyRecord& s) {
  field("settings", s.settings);
  field("folds", s.folds);
  field("fold_names", s.fold_names);
  field("folds_again", s.folds_again);
  field("ids", s.ids);
  field("groups", s.groups);
  field("group_column", s.group_column);
  field("y", s.y);
  field("actual", s.actual);
  field("target", s.target);
  field("labels", s.labels);
  field("participants", s.participants);
  field("paths", s.paths);
  field("sites", s.sites);
  field("score", s.score);
  field("resize", s.resize);
  field("spaces", s.spaces);
  field("data", s.data);
}

OrNull<SpaceRecord> record_of(const std::optional<Space>& space) {
  if (!space) return {};
  const Shape& s = space->grid.shape;
  SpaceRecord out{{s.n1, s.n2, s.n3}, {}, space->resize, !space->mask.empty()};
  for (std::size_t row = 0; row < 3; ++row) std::ranges::copy(space->grid.affine.rows[row], out.affine[row].begin());
  return out;
}

Space space_from(const SpaceRecord& from) {
  Space out;
  out.grid.shape = Shape{from.shape[0], from.shape[1], from.shape[2]}.check();
  for (std::size_t row = 0; row < 3; ++row) std::ranges::copy(from.affine[row], out.grid.affine.rows[row].begin());
  out.resize = from.resize;
  return out;
}

StudyRecord record_of(const WorkStudy& study) {
  const CvFacts& facts = study.facts;
  StudyRecord out{facts.settings,
                  study.plan.outer.of,
                  study.plan.outer.names,
                  {},
                  facts.keys.ids,
                  facts.keys.groups,
                  facts.keys.group_column,
                  facts.keys.y,
                  facts.target.actual,
                  facts.target.column,
                  facts.target.names,
                  facts.participants,
                  facts.paths,
                  facts.sites,
                  facts.score,
                  facts.resize,
                  {},
                  study.data};
  for (const Folds& deal : study.plan.again) out.folds_again.push_back(deal.of);
  if (facts.target.classes) out.labels = {facts.target.classes->negative, facts.target.classes->positive};
  for (const std::optional<Space>& space : study.spaces) out.spaces.push_back(record_of(space));
  return out;
}

WorkStudy study_from(const StudyRecord& from) {
  WorkStudy out;
  CvFacts& facts = out.facts;
  facts.settings = from.settings;
  facts.keys.ids = from.ids;
  facts.keys.groups = from.groups;
  facts.keys.group_column = from.group_column;
  facts.keys.y = from.y;
  facts.participants = from.participants;
  facts.paths = from.paths;
  facts.sites = from.sites;
  facts.target = {from.target, from.y, from.actual, {}, {}};
  if (from.labels.size() == 2)
    facts.target.classes = Classes{from.labels[0], from.labels[1]};
  else
    facts.target.names = from.labels;
  facts.keys.classification = facts.target.classification();
  facts.keys.several = static_cast<Index>(facts.target.names.size());
  facts.score = from.score;
  facts.resize = from.resize;
  Folds outer{from.folds, from.fold_names};
  std::vector<Folds> again;
  for (const std::vector<int>& of : from.folds_again) again.push_back({of, from.fold_names});
  const std::size_t rows = from.ids.size();
  const auto fits = [rows](std::size_t size) { return size == 0 || size == rows; };
  const auto sound = [&](const Folds& folds) {
    return folds.of.size() == rows && std::ranges::all_of(folds.of, [&](int f) { return f >= 0 && f < outer.count(); });
  };
  if (from.y.size() != rows || from.actual.size() != rows || !fits(from.groups.size()) ||
      !fits(from.participants.size()) || !fits(from.paths.size()) || !fits(from.sites.size()) || !sound(outer) ||
      !std::ranges::all_of(again, sound))
    throw Error("its lists do not have one length");
  const CvOptions& options = from.settings.options;
  out.plan = make_plan(split(options.methods, ','), std::move(outer), parse_folds(options.folds.outer, "outer"),
                       options.permutations, std::move(again), parse_shares(options.learning_curve));
  for (const OrNull<SpaceRecord>& space : from.spaces) {
    out.spaces.push_back(space ? std::optional(space_from(*space)) : std::nullopt);
    out.masked = out.masked || (space && space->resize < 1 && space->masked);
  }
  if (out.spaces.size() != facts.resize.size()) throw Error("it does not have one space for each size");
  out.data = from.data;
  return out;
}

std::string methods_of_task(const CvPlan& plan, const CvTask& task) {
  return join(plan.families[task.family], plan.families[task.family].size());
}

StudyProgress progress_of(const CvPlan& plan, const std::vector<Record>& records) {
  const std::vector<Index> missing = missing_tasks(plan, records);
  double total = 0, left = 0;
  for (const CvTask& task : plan.tasks) total += task.cost;
  for (const Index t : missing) left += plan.tasks[t].cost;
  return {std::ssize(plan.tasks) - std::ssize(missing), std::ssize(plan.tasks), (total - left) / total, not_known};
}

/// "sturm: missing are 2 of 5 outer folds." for every family that lacks something.
std::vector<std::string> what_is_missing(const CvPlan& plan, const std::vector<Record>& records) {
  const std::vector<Index> missing = missing_tasks(plan, records);
  std::vector<std::string> out;
  if (missing.empty()) return out;
  out.push_back(fmt::format(
      "The study is not finished: {} of {} tasks are done; the same sturm cv command continues with the others.",
      plan.tasks.size() - missing.size(), plan.tasks.size()));
  for (std::size_t family = 0; family < plan.families.size(); ++family) {
    Index folds = 0, all = 0, learning = 0, permutations = 0;
    const CvTask* one = nullptr;
    for (const Index t : missing) {
      const CvTask& task = plan.tasks[t];
      if (task.family != family) continue;
      one = &task;
      ++(task.fold < 0 ? all : task.first > 0 ? permutations : task.whole() ? folds : learning);
    }
    if (one == nullptr) continue;
    const std::string names = methods_of_task(plan, *one);
    std::vector<std::string> parts;
    if (folds > 0) parts.push_back(fmt::format("{} of {} outer folds", folds, plan.folds()));
    if (all > 0) parts.emplace_back("the model of all samples with its map");
    if (learning > 0) parts.emplace_back("parts of the learning curve");
    if (permutations > 0) parts.emplace_back("permutations (p counts those that are done)");
    out.push_back(names + ": missing are " + join(parts) + ".");
  }
  return out;
}

}  // namespace

void write_work_study(const fs::path& work, const WorkStudy& study) {
  write_file(work / "study.json", json_text(to_json(record_of(study))) + "\n");
}

WorkStudy read_work_study(const fs::path& work) {
  const fs::path file = work / "study.json";
  std::error_code failure;
  if (!fs::is_regular_file(file, failure))
    throw Error({file.string()},
                "cannot be opened, and without it a journal does not tell whose samples it is of; "
                "start sturm cv once more.");
  try {
    StudyRecord record;
    from_json(nlohmann::ordered_json::parse(read_file(file)), record, "");
    return study_from(record);
  } catch (const std::exception& error) {
    throw Error({file.string()},
                std::string("is not as sturm cv writes it (") + error.what() + "); start sturm cv once more.");
  }
}

bool is_work_folder(const fs::path& folder) {
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(folder, failure)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with("journal-") && name.ends_with(".bin")) return true;
  }
  return false;
}

PartialResults write_partial_results(const fs::path& work, const fs::path& folder) {
  const WorkStudy study = read_work_study(work);
  const StudyRecords records = read_journals(work, identity_of(study.facts.settings));
  const CvOutcomes outcomes = outcomes_of(study.plan, records.records);
  write_cv(folder, result_files(study.facts, study.plan, outcomes), study.facts, study.plan, outcomes, study.spaces);
  write_data(folder, study.data, {}, {});
  std::vector<std::string> missing = what_is_missing(study.plan, records.records);
  if (study.masked)
    missing.emplace_back("Maps of resized volumes reach over the edge of the mask until the study is whole.");
  missing.insert(missing.end(), records.notes.begin(), records.notes.end());
  return {std::move(missing), progress_of(study.plan, records.records)};
}

}  // namespace sturm
