// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/work_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <fstream>

#include "sturm/app/cv_files.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/fit_files.h"
#include "sturm/core/files.h"

namespace sturm {

using nlohmann::ordered_json;
namespace fs = std::filesystem;

namespace {

ordered_json to_json(const std::optional<Space>& space) {
  if (!space) return {};
  const Shape& s = space->grid.shape;
  return {{"shape", {s.n1, s.n2, s.n3}},
          {"affine", space->grid.affine.rows},
          {"resize", space->resize},
          {"masked", !space->mask.empty()}};
}

std::optional<Space> space_from(const ordered_json& from) {
  if (from.is_null()) return {};
  Space out;
  const auto shape = from.at("shape").get<std::array<Index, 3>>();
  out.grid.shape = Shape{shape[0], shape[1], shape[2]}.check();
  out.grid.affine.rows = from.at("affine").get<std::array<std::array<double, 4>, 3>>();
  out.resize = from.at("resize").get<double>();
  return out;
}

WorkStudy study_from(const ordered_json& from) {
  WorkStudy out;
  CvFacts& facts = out.facts;
  const auto texts = [&](const char* key) { return from.at(key).get<std::vector<std::string>>(); };
  for (const auto& [key, value] : from.at("settings").items()) facts.settings[key] = value.get<std::string>();
  facts.seed = from.at("seed").get<std::uint64_t>();
  facts.keys.ids = texts("ids");
  facts.keys.groups = texts("groups");
  facts.keys.group_column = from.at("group_column").get<std::string>();
  facts.keys.y = from.at("y").get<std::vector<double>>();
  facts.participants = texts("participants");
  facts.paths = texts("paths");
  facts.sites = texts("sites");
  facts.target = {from.at("target").get<std::string>(), facts.keys.y, texts("actual"), {}};
  if (const auto labels = texts("labels"); labels.size() == 2)
    facts.target.classes = Classes{labels[0], labels[1]};
  else
    facts.target.names = labels;
  facts.keys.classification = facts.target.classification();
  facts.keys.several = static_cast<Index>(facts.target.names.size());
  facts.score = from_word<Score>(from.at("score").get<std::string>(), "score");
  facts.resize = from.at("resize").get<std::vector<double>>();
  Folds outer{from.at("folds").get<std::vector<int>>(), texts("fold_names")};
  const std::size_t rows = facts.keys.ids.size();
  const auto fits = [rows](std::size_t size) { return size == 0 || size == rows; };
  if (facts.keys.y.size() != rows || outer.of.size() != rows || facts.target.actual.size() != rows ||
      !fits(facts.keys.groups.size()) || !fits(facts.participants.size()) || !fits(facts.paths.size()) ||
      !fits(facts.sites.size()) || std::ranges::any_of(outer.of, [&](int f) { return f < 0 || f >= outer.count(); }))
    throw Error("its lists do not have one length");
  out.plan = make_plan(texts("methods"), std::move(outer), parse_folds(from.at("outer").get<std::string>(), "outer"),
                       from.at("permutations").get<Index>());
  for (const ordered_json& space : from.at("spaces")) {
    out.spaces.push_back(space_from(space));
    out.masked = out.masked || (out.spaces.back() && out.spaces.back()->resize < 1 && space.at("masked").get<bool>());
  }
  if (out.spaces.size() != facts.resize.size()) throw Error("it does not have one space a size");
  out.data = from.at("data");
  return out;
}

std::string methods_of_task(const CvPlan& plan, const CvTask& task) {
  return join(plan.families[task.family], plan.families[task.family].size());
}

/// "sturm: missing are 2 of 5 outer folds." for every family that lacks something.
std::vector<std::string> what_is_missing(const CvPlan& plan, const std::vector<Record>& records) {
  const std::vector<Index> missing = missing_tasks(plan, records);
  std::vector<std::string> out;
  if (missing.empty()) return out;
  out.push_back(
      fmt::format("The study is not whole: {} of {} tasks are done; the same sturm cv goes on with the others.",
                  plan.tasks.size() - missing.size(), plan.tasks.size()));
  for (std::size_t family = 0; family < plan.families.size(); ++family) {
    Index folds = 0, all = 0, permutations = 0;
    const CvTask* one = nullptr;
    for (const Index t : missing) {
      const CvTask& task = plan.tasks[t];
      if (task.family != family) continue;
      one = &task;
      ++(task.fold < 0 ? all : task.first > 0 ? permutations : folds);
    }
    if (one == nullptr) continue;
    const std::string names = methods_of_task(plan, *one);
    std::vector<std::string> parts;
    if (folds > 0) parts.push_back(fmt::format("{} of {} outer folds", folds, plan.outer.count()));
    if (all > 0) parts.emplace_back("the model of all samples with its map");
    if (permutations > 0) parts.emplace_back("permutations (p is of those that are whole)");
    out.push_back(names + ": missing are " + join(parts) + ".");
  }
  return out;
}

}  // namespace

void write_work_study(const fs::path& work, const WorkStudy& study) {
  const CvFacts& facts = study.facts;
  ordered_json spaces = ordered_json::array();
  for (const std::optional<Space>& space : study.spaces) spaces.push_back(to_json(space));
  std::vector<std::string> labels = facts.target.names;
  if (facts.target.classes) labels = {facts.target.classes->negative, facts.target.classes->positive};
  const ordered_json all = {{"settings", facts.settings},
                            {"methods", study.plan.methods},
                            {"seed", facts.seed},
                            {"outer", facts.settings.at("--outer")},
                            {"permutations", study.plan.permutations},
                            {"folds", study.plan.outer.of},
                            {"fold_names", study.plan.outer.names},
                            {"ids", facts.keys.ids},
                            {"groups", facts.keys.groups},
                            {"group_column", facts.keys.group_column},
                            {"y", facts.keys.y},
                            {"actual", facts.target.actual},
                            {"target", facts.target.column},
                            {"labels", labels},
                            {"participants", facts.participants},
                            {"paths", facts.paths},
                            {"sites", facts.sites},
                            {"score", to_word(facts.score)},
                            {"resize", facts.resize},
                            {"spaces", spaces},
                            {"data", study.data}};
  write_file(work / "study.json", to_text(all) + "\n");
}

WorkStudy read_work_study(const fs::path& work) {
  const fs::path file = work / "study.json";
  std::ifstream in(file, std::ios::binary);
  if (!in)
    throw Error(file.string() + ": cannot be opened, and without it a journal does not tell whose samples it is of; " +
                "start sturm cv once more.");
  try {
    return study_from(ordered_json::parse(in));
  } catch (const std::exception& error) {
    throw Error(file.string() + ": is not as sturm cv writes it (" + error.what() + "); start sturm cv once more.");
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

std::vector<std::string> write_partial_results(const fs::path& work, const fs::path& folder) {
  const WorkStudy study = read_work_study(work);
  const StudyRecords records = read_journals(work, study.facts.settings);
  const CvOutcomes outcomes = outcomes_of(study.plan, records.records);
  write_cv(folder, result_files(study.facts, study.plan, outcomes), study.facts, study.plan, outcomes, study.spaces);
  write_data(folder, study.data, {}, {});
  std::vector<std::string> missing = what_is_missing(study.plan, records.records);
  if (study.masked)
    missing.emplace_back("Maps of resized volumes reach over the edge of the mask until the study is whole.");
  missing.insert(missing.end(), records.notes.begin(), records.notes.end());
  return missing;
}

}  // namespace sturm
