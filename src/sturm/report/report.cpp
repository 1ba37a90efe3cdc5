// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/parallel.h"
#include "sturm/report/clusters.h"
#include "sturm/report/page.h"
#include "sturm/report/truth_agreement.h"
#include "sturm/report/words.h"
#include "sturm/results/json.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

std::string name_of(const fs::path& folder) {
  fs::path path = fs::absolute(folder).lexically_normal();
  if (!path.has_filename()) path = path.parent_path();
  return path.filename().string();
}

/// A volume to look at: what has no value stays 0 and is the darkest, so that negative values are moved above it.
void raise_above_zero(BrainMap& map) {
  const auto [least, greatest] = std::ranges::minmax(map.values.flat());
  if (least >= 0) return;
  const float lift = 0.1F * (greatest - least) - least;
  for (float& v : map.values.flat())
    if (v != 0) v += lift;
}

/// Collects the volumes, method by method.
class Volumes {
 public:
  Volumes(const ReportRequest& request, const ResultFolder& folder, const std::vector<std::string>& classes)
      : request_(request), folder_(folder), classes_(classes) {
    if (!request.atlas.empty()) atlas_ = read_atlas(request.atlas, request.atlas_labels);
  }

  /// The map of a method, its stability and its clusters; `keep` is larger for better methods.
  void add_method(StudyMethod& method, const std::string& stem, double keep, std::vector<std::string>& missing) {
    const std::string& name = method.name;
    const std::string number = std::to_string(++methods_);
    std::vector<BrainMap> maps = maps_of(stem);
    if (maps.empty()) {
      if (!std::isnan(method.sparsity.mean)) missing.push_back("The map of " + name + " is not in the folder.");
      return;
    }
    const std::optional<BrainMap> stability = find_map(folder_.path, "stability_" + name);
    const BrainMap* const selected = stability ? &*stability : nullptr;
    const Atlas* const atlas = atlas_ ? &*atlas_ : nullptr;
    if (!grid_) grid_ = maps.front().grid();
    in_world_ = maps.front().in_world;
    if (classes_.empty()) {
      ClusterList list = clusters_of(maps.front(), selected, atlas);
      method.clusters = std::move(list.clusters);
      method.cluster_rule = list.rule;
      out_.push_back({"map-" + number, VolumeKind::map, name, "", "Coefficients of " + name, std::move(maps.front()),
                      3 + keep, "", ""});
    }
    // Lists of all classes together are not much longer than one list of two classes may be.
    const std::size_t most = std::max<std::size_t>(10, 120 / std::max<std::size_t>(1, classes_.size()));
    for (std::size_t c = 0; c < classes_.size(); ++c) {
      ClusterList list = clusters_of(maps[c], selected, atlas, most);
      method.class_clusters.push_back({classes_[c], list.rule, std::move(list.clusters)});
      std::string label = name + ": ";
      label += classes_[c];
      out_.push_back({"map-" + number + "-" + std::to_string(c + 1), VolumeKind::map, name, "", std::move(label),
                      std::move(maps[c]), 3 + keep, "", classes_[c]});
    }
    if (stability)
      out_.push_back({"stability-" + number, VolumeKind::stability, name, "",
                      "Share of folds that select a voxel, " + name, *stability, 2 + keep, "", ""});
  }

  /// The selected voxels of each fold.
  void add_folds(const std::string& method, const std::vector<std::string>& folds) {
    std::vector<BrainMap> maps = find_series(folder_.path, "folds_" + method);
    for (std::size_t f = 0; f < std::min(folds.size(), maps.size()); ++f)
      out_.push_back({"fold-" + std::to_string(methods_) + "-" + std::to_string(f + 1), VolumeKind::fold, method,
                      folds[f], "Voxels that " + method + " selects in fold " + folds[f], std::move(maps[f]), 1, "",
                      ""});
  }

  std::vector<ReportVolume> take() {
    add_under(VolumeKind::background, request_.background, request_.background.empty() ? "Mean volume" : "Template", 5);
    add_under(VolumeKind::truth, request_.truth, "What was planted", 4.5);
    parallel_for(std::ssize(out_), [&](Index i, int) { encode(out_[i]); });
    return std::move(out_);
  }

 private:
  /// A volume that maps are laid over: given, or the folder's own. On the grid of the maps.
  void add_under(VolumeKind kind, const fs::path& given, const std::string& label, double keep) {
    const std::string name = to_word(kind);
    std::optional<BrainMap> map = given.empty() ? find_map(folder_.path, name) : read_map(given);
    if (!map) return;
    if (grid_) {
      map = map_on(*map, *grid_, given.empty() ? (folder_.path / name).string() : given.string());
      map->in_world = in_world_;
    }
    if (kind == VolumeKind::background) raise_above_zero(*map);
    out_.push_back({name, kind, "", "", label, std::move(*map), keep, "", ""});
  }

  /// The map of a method, or one per class where there are several; empty where there is no file.
  std::vector<BrainMap> maps_of(const std::string& stem) const {
    std::vector<BrainMap> out;
    if (classes_.empty()) {
      if (std::optional<BrainMap> map = find_map(folder_.path, stem)) out.push_back(std::move(*map));
      return out;
    }
    out = find_series(folder_.path, stem);
    if (!out.empty() && out.size() != classes_.size())
      throw Error({(folder_.path / stem).string()}, "holds " + plural(static_cast<Index>(out.size()), "map") +
                                                        " where there are " + std::to_string(classes_.size()) +
                                                        " classes; make it again.");
    return out;
  }

  const ReportRequest& request_;
  const ResultFolder& folder_;
  std::vector<std::string> classes_;  ///< of more than two; empty otherwise
  std::optional<Atlas> atlas_;
  std::optional<Grid> grid_;
  bool in_world_ = false;
  int methods_ = 0;
  std::vector<ReportVolume> out_;
};

/// How the maps agree with what was planted: as results.json says, or as the volumes do where another truth is given.
void add_agreement(const ReportRequest& request, const ResultFolder& folder, Report& report) {
  Study& study = report.study;
  const bool given = !request.truth.empty();
  std::optional<BrainMap> truth, mean;
  if (given || is_planted_target(study.target.column, study.target.classes)) {
    truth = given ? read_map(request.truth) : find_map(folder.path, "truth");
    mean = find_map(folder.path, "background");
  }
  for (StudyMethod& method : study.methods) {
    if (given) method.truth.reset();
    for (const ReportVolume& volume : report.volumes) {
      if (volume.kind != VolumeKind::map || volume.method != method.name || !volume.of_class.empty()) continue;
      if (method.truth || !truth || !mean) continue;
      if (const std::optional<TruthAgreement> found = agreement_with(*truth, volume.map, *mean)) method.truth = *found;
    }
    if (method.truth)
      study.sentences.truth = fmt::format(
          "{} were planted. Dice is the overlap with as many of the voxels that have the strongest weights; AUC is the "
          "chance that a planted voxel has a stronger weight than another (0.5 by guessing); the rank correlation is "
          "that "
          "of weights and planted values, signs and all. Voxels that are 0 in every volume are left out.",
          plural(method.truth->planted, "voxel"));
  }
}

/// From 0 to 1, by the mean of the headline score.
double worth(const StudyMethod& method, Measure score) {
  const double mean = method.score(score).mean;
  return std::isnan(mean) ? 0 : 0.5 + std::atan(mean) / 4;
}

}  // namespace

Report make_report(const ReportRequest& request) {
  const ResultFolder folder = read_results(request.folder);
  const bool cv = folder.cv.has_value();
  Report report{cv ? study_of_cv(folder) : study_of_fit(folder), {}};
  Study& study = report.study;
  study.title = request.title.empty() ? name_of(request.folder) : request.title;
  if (!study.text.command.empty()) study.text.command += " -o " + shell_word(study.title);
  study.missing = request.missing;
  study.missing.insert(study.missing.end(), folder.missing.begin(), folder.missing.end());
  Volumes volumes(request, folder, study.target.several());
  for (StudyMethod& method : study.methods) {
    if (auto trace = folder.rows<TraceRow>(cv ? "trace_" + method.name + ".tsv" : "trace.tsv"))
      method.trace = thinned(std::move(*trace));
    volumes.add_method(method, cv ? "map_" + method.name : "coef", worth(method, study.score), study.missing);
    std::vector<std::string> folds;
    for (const StudyChoice& choice : method.chosen) folds.push_back(choice.fold);
    volumes.add_folds(method.name, folds);
  }
  study.data = {folder.data.table, folder.data.facts, folder.data.excluded, folder.data.warnings};
  report.volumes = volumes.take();
  add_agreement(request, folder, report);
  return report;
}

std::string report_page(std::string_view page, Report report, Index limit) {
  Study& study = report.study;
  const auto tell_of_volumes = [&](std::vector<std::string> left_out) {
    study.volumes.clear();
    for (const ReportVolume& volume : report.volumes) study.volumes.push_back(facts_of(volume));
    study.left_out = std::move(left_out);
    return to_json(study);
  };
  // The sentences about what is left out, and the elements of the volumes, take a little more.
  const auto around =
      static_cast<Index>(page.size() + inert_json(tell_of_volumes({})).size() + 400 * (report.volumes.size() + 1));
  const nlohmann::ordered_json told = tell_of_volumes(fit_into(report.volumes, limit - around));
  std::vector<PageVolume> files;
  for (ReportVolume& volume : report.volumes) files.emplace_back(volume.id, std::move(volume.file));
  return fill_page(page, told, files);
}

}  // namespace sturm
