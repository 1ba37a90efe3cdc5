// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/report.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/core/build_info.h"
#include "sturm/core/parallel.h"
#include "sturm/imaging/gzip.h"
#include "sturm/report/anatomy.h"
#include "sturm/report/answers.h"
#include "sturm/report/bibtex.h"
#include "sturm/report/clusters.h"
#include "sturm/report/figures.h"
#include "sturm/report/first_map.h"
#include "sturm/report/map_words.h"
#include "sturm/report/page.h"
#include "sturm/report/paper_figure.h"
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
      out_.push_back({"stability-" + number, VolumeKind::stability, name, "", "Agreement of folds on the sign, " + name,
                      *stability, 2 + keep, "", ""});
  }

  /// The map of the sparsest setting within one standard error of the best, where it is another one, and its clusters.
  void add_readable(StudyMethod& method, double keep) {
    if (!method.readable || method.readable->chosen) return;
    std::vector<BrainMap> maps = maps_of("readable_" + method.name);
    const std::optional<BrainMap> stability = find_map(folder_.path, "stability_" + method.name);
    const std::size_t most = classes_.empty() ? 50 : std::max<std::size_t>(10, 120 / classes_.size());
    for (std::size_t c = 0; c < maps.size(); ++c) {
      ClusterList list = clusters_of(maps[c], stability ? &*stability : nullptr, atlas_ ? &*atlas_ : nullptr, most);
      if (classes_.empty()) {
        method.readable->clusters = std::move(list.clusters);
        method.readable->cluster_rule = list.rule;
      } else {
        method.readable->class_clusters.push_back({classes_[c], list.rule, std::move(list.clusters)});
      }
    }
    add_maps(VolumeKind::readable, method.name, "Readable map of ", std::move(maps), 3 + keep);
  }

  /// The forward patterns of a linear method.
  void add_pattern(const std::string& method, const std::string& stem, double keep) {
    add_maps(VolumeKind::pattern, method, "Forward pattern of ", maps_of(stem), 1 + keep);
  }

  /// The selected voxels of each fold.
  void add_folds(const std::string& method, const std::vector<std::string>& folds) {
    std::vector<BrainMap> maps = find_series(folder_.path, "folds_" + method);
    for (std::size_t f = 0; f < std::min(folds.size(), maps.size()); ++f)
      out_.push_back({"fold-" + std::to_string(methods_) + "-" + std::to_string(f + 1), VolumeKind::fold, method,
                      folds[f], "Voxels that " + method + " selects in fold " + folds[f], std::move(maps[f]), 1, "",
                      ""});
  }

  /// The anatomy, and what was planted. Says what the anatomy is, and why.
  std::string add_under_maps() {
    Anatomy anatomy = choose_anatomy(request_.background, folder_, grid_, in_world_);
    if (anatomy.map)
      out_.push_back({to_word(VolumeKind::background), VolumeKind::background, "", "", anatomy.label,
                      std::move(*anatomy.map), 5, "", ""});
    add_truth();
    return anatomy.why;
  }

  std::vector<ReportVolume> take() {
    parallel_for(std::ssize(out_), [&](Index i, int) { encode(out_[i]); });
    return std::move(out_);
  }

 private:
  /// Maps of the method that was added last: one, or one per class.
  void add_maps(VolumeKind kind, const std::string& method, const char* what, std::vector<BrainMap> maps, double keep) {
    for (std::size_t c = 0; c < maps.size(); ++c) {
      const std::string of_class = classes_.empty() ? "" : classes_[c];
      const std::string id = to_word(kind) + "-" + std::to_string(methods_);
      out_.push_back({of_class.empty() ? id : id + "-" + std::to_string(c + 1), kind, method, "",
                      what + method + (of_class.empty() ? "" : ": " + of_class), std::move(maps[c]), keep, "",
                      of_class});
    }
  }

  /// What was planted: given, or the folder's own. On the grid of the maps.
  void add_truth() {
    const fs::path& given = request_.truth;
    const std::string name = to_word(VolumeKind::truth);
    std::optional<BrainMap> map = given.empty() ? find_map(folder_.path, name) : read_map(given);
    if (!map) return;
    if (grid_) {
      map = map_on(*map, *grid_, given.empty() ? (folder_.path / name).string() : given.string());
      map->in_world = in_world_;
    }
    out_.push_back({name, VolumeKind::truth, "", "", "What was planted", std::move(*map), 4.5, "", ""});
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

/// The brain on the first screen.
void add_pictures(Report& report) {
  const std::optional<ReadableMap> map = readable_map(report.study, report.volumes);
  if (!map) return;
  const auto under = std::ranges::find(report.volumes, VolumeKind::background, &ReportVolume::kind);
  report.study.where = where_of(report.study, *map);
  report.pictures = brain_pictures(report.study, *map, under == report.volumes.end() ? nullptr : &under->map);
  for (const BrainPicture& picture : report.pictures) report.study.where.pictures.push_back(picture.told);
}

/// What was asked, where nobody says how to call it.
std::string title_of(const Study& study, const DataFacts& data) {
  const bool volumes = std::ranges::count(data.facts, "voxel size", &Fact::name) > 0;
  return question_of(study, data.data_set.value_or(""), volumes);
}

/// Folders whose names are not told: that of the table, and that of the results.
Places places_of(const ReportRequest& request, const DataFacts& data) {
  Places out;
  for (const Fact& fact : data.facts)
    if (fact.name == "input") out.add_folder(fs::path(fact.value).parent_path());
  for (const fs::path& folder : {request.work, request.folder})
    if (!folder.empty()) out.add_folder(fs::absolute(folder));
  return out;
}

/// The figure for a paper, in the study and as elements. It may take an eighth of the page: where it would take more,
/// PDF goes first, as SVG can be made into it.
std::vector<PageFile> embedded_figures(Report& report, Index limit) {
  std::vector<PageFile> out;
  Index total = 0;
  std::vector<std::pair<StudyFigure, std::string>> figures = page_figures(report);
  parallel_for(std::ssize(figures),
               [&](Index i, int) { figures[i].second = base64(gzip_compress(figures[i].second)); });
  for (const auto& [figure, bytes] : figures) total += static_cast<Index>(bytes.size());
  report.study.figures.clear();
  for (const char* kind : {"svg", "pdf"}) {
    if (total > limit / 8) std::erase_if(figures, [&](const auto& f) { return f.first.name.ends_with(".pdf"); });
    for (auto& [figure, bytes] : figures)
      if (figure.name.ends_with(kind)) {
        report.study.figures.push_back(figure);
        out.emplace_back(figure.id, std::move(bytes));
      }
  }
  return out;
}

}  // namespace

Report make_report(const ReportRequest& request) {
  const ResultFolder folder = read_results(request.folder);
  const bool cv = folder.cv.has_value();
  Report report{cv ? study_of_cv(folder) : study_of_fit(folder), {}, {}, places_of(request, folder.data)};
  Study& study = report.study;
  study.title = request.title.empty() ? title_of(study, folder.data) : request.title;
  study.folder = request.name.empty() ? name_of(request.folder) : request.name;
  if (!study.text.command.empty()) study.text.command += " -o " + shell_word(study.folder);
  study.missing = request.missing;
  study.progress = request.progress;
  study.missing.insert(study.missing.end(), folder.missing.begin(), folder.missing.end());
  Volumes volumes(request, folder, study.target.several());
  for (StudyMethod& method : study.methods) {
    if (auto trace = folder.rows<TraceRow>(cv ? "trace_" + method.name + ".tsv" : "trace.tsv"))
      method.trace = thinned(std::move(*trace));
    const double keep = worth(method, study.score);
    volumes.add_method(method, cv ? "map_" + method.name : "coef", keep, study.missing);
    volumes.add_readable(method, keep);
    volumes.add_pattern(method.name, cv ? "pattern_" + method.name : "pattern", keep);
    std::vector<std::string> folds;
    for (const StudyChoice& choice : method.chosen) folds.push_back(choice.fold);
    volumes.add_folds(method.name, folds);
  }
  study.data = {folder.data.table, folder.data.facts, folder.data.excluded, folder.data.warnings};
  study.anatomy = volumes.add_under_maps();
  report.volumes = volumes.take();
  add_agreement(request, folder, report);
  study.first_map = first_map(study, report.volumes);
  for (ReportVolume& volume : report.volumes)
    if (study.first_map && volume.kind == study.first_map->kind && volume.method == study.first_map->method)
      volume.keep = 6;  // the one that is left out last
  explain_maps(study, report.volumes);
  add_pictures(report);
  study.text.caption = paper_caption(report);
  study.text.bibtex = bibtex_of(study.text.references, build_info().version);
  return report;
}

namespace {

std::vector<std::string> files_in(const Study& study) {
  std::vector<std::string> out;
  for (const StudyPrediction& prediction : study.predictions) out.push_back(prediction.path);
  for (const Excluded& excluded : study.data.excluded) out.push_back(excluded.sample);
  return out;
}

}  // namespace

std::string report_page(std::string_view page, Report report, Index limit) {
  Study& study = report.study;
  const std::vector<PageFile> figures = embedded_figures(report, limit);
  Index of_figures = 0;
  for (const auto& [id, text] : figures) of_figures += static_cast<Index>(text.size()) + 100;
  const auto tell_of_volumes = [&](std::vector<std::string> left_out) {
    study.volumes.clear();
    for (const ReportVolume& volume : report.volumes) study.volumes.push_back(facts_of(volume));
    study.left_out = std::move(left_out);
    nlohmann::ordered_json told = to_json(study);
    report.places.leave_out_of(told, files_in(study));
    return told;
  };
  std::vector<PageFile> pictures;
  for (const BrainPicture& picture : report.pictures) pictures.emplace_back(picture.told.id, base64(picture.svg));
  Index of_pictures = 0;
  for (const auto& [id, file] : pictures) of_pictures += static_cast<Index>(file.size()) + 100;
  // The sentences about what is left out, and the elements of the volumes, take a little more.
  const auto around =
      static_cast<Index>(page.size() + inert_json(tell_of_volumes({})).size() + 400 * (report.volumes.size() + 1)) +
      of_pictures + of_figures;
  const nlohmann::ordered_json told = tell_of_volumes(fit_into(report.volumes, limit - around));
  std::vector<PageFile> files;
  for (ReportVolume& volume : report.volumes) files.emplace_back(volume.id, std::move(volume.file));
  return fill_page(page, told, files, pictures, figures);
}

}  // namespace sturm
