// SPDX-License-Identifier: BSD-3-Clause
// The study of sturm cv. Numbers are those of results.json and the tables.
#include <algorithm>
#include <cmath>

#include "sturm/core/build_info.h"
#include "sturm/report/answers.h"
#include "sturm/report/diagnostics.h"
#include "sturm/report/grid_blocks.h"
#include "sturm/report/paths.h"
#include "sturm/report/report.h"
#include "sturm/report/trust.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

struct Tables {
  std::vector<FoldRow> folds;
  std::vector<GridRow> grid;
  std::vector<NullRow> null;
};

template <class Row>
std::vector<Row> rows_or_none(const ResultFolder& folder, const char* name) {
  return folder.rows<Row>(name).value_or(std::vector<Row>{});
}

StudyModel final_of(const AllSamples& all) {
  StudyModel out{.resize = all.chosen.resize,
                 .setting = {all.chosen.parameters},
                 .status = all.status,
                 .relative_gap = all.relative_gap,
                 .iterations = all.iterations,
                 .classes = {}};
  return out;
}

OrNull<std::array<double, 2>> shown(const std::optional<Range>& interval) {
  OrNull<std::array<double, 2>> out;
  if (interval) out.emplace() = {interval->front(), interval->back()};
  return out;
}

StudyReadable readable_of(const ReadableModel& model) {
  StudyReadable out;
  out.resize = model.setting.resize;
  out.setting = {model.setting.parameters};
  out.inner_score = model.inner_score;
  out.best_score = model.best_score;
  out.standard_error = model.standard_error;
  out.sparsity = model.sparsity;
  out.sparsity_in_mask = model.sparsity_in_mask;
  out.tubal_rank = model.tubal_rank;
  out.relative_gap = model.relative_gap;
  out.status = model.status;
  out.chosen = model.same_as_chosen;
  return out;
}

StudyLearning learning_of(const LearningPoint& point) {
  return {point.fraction, point.samples, point.mean, point.sd, point.pooled, shown(point.interval)};
}

StudyMethod method_of(const std::string& name, const MethodResults& m, const Tables& tables, const Study& study) {
  StudyMethod out;
  out.name = name;
  out.title = m.title;
  for (const auto& [measure, score] : m.scores)
    out.scores[measure] = {score.mean.value_or(not_known),
                           score.sd.value_or(not_known),
                           score.pooled.value_or(not_known),
                           {},
                           shown(score.interval)};
  for (const FoldRow& row : tables.folds) {
    if (row.method != name) continue;
    for (auto& [measure, score] : out.scores)
      if (const auto found = row.scores.find(measure); found != row.scores.end()) score.folds.push_back(found->second);
    out.chosen.push_back({row.fold, row.resize, row.setting, row.inner_score, row.status});
  }
  for (const NullRow& row : tables.null)
    if (row.method == name && !std::isnan(row.score)) out.null_scores.emplace_back(row.score);
  out.interval = out.score(study.score).interval;
  out.p = {m.permutation_p.value_or(not_known), m.binomial_p.value_or(not_known), m.group_p.value_or(not_known)};
  if (m.forced_choice)
    out.forced_choice.emplace() = {*m.forced_choice, m.forced_choice_p.value_or(not_known),
                                   shown(m.forced_choice_interval)};
  if (m.truth) out.truth = *m.truth;
  out.sparsity = {m.sparsity.value_or(not_known), m.sparsity_sd.value_or(not_known),
                  m.sparsity_in_mask.value_or(not_known), m.sparsity_in_mask_sd.value_or(not_known)};
  if (m.confusion) out.confusion = *m.confusion;
  out.fits = {m.inner_fits, m.inner_fits_unconverged, m.inner_worst_gap};
  if (m.all_samples) {
    out.final = final_of(*m.all_samples);
    if (m.all_samples->tubal_rank) out.tubal_rank = *m.all_samples->tubal_rank;
  }
  out.grid = grid_blocks(tables.grid, name);
  if (m.readable) out.readable = readable_of(*m.readable);
  out.path = path_of(tables.grid, name, m);
  if (m.learning)
    for (const LearningPoint& point : *m.learning) out.learning.push_back(learning_of(point));
  return out;
}

/// Groups of one sample each are the predictions, and are not listed twice.
template <class Row>
std::vector<StudyPart> parts_of(const std::vector<Row>& rows) {
  std::vector<StudyPart> out;
  if (std::ranges::all_of(rows, [](const Row& row) { return row.n == 1; })) return out;
  for (const Row& row : rows)
    out.push_back({row.method, row.part, row.n, row.score.empty() ? not_known : row.score.begin()->second});
  return out;
}

/// By option name, in words.
std::vector<Fact> provenance_of(const CvResults& results) {
  std::vector<Fact> out = provenance(results.version);
  if (!results.settings) return out;
  for (auto [name, value] : in_words(*results.settings)) {
    if (value.empty()) continue;
    std::ranges::replace(name, '-', ' ');
    out.push_back({name.starts_with("the ") ? name.substr(4) : name, value});
  }
  return out;
}

}  // namespace

StudyTarget target_of(const std::string& column, const std::optional<std::vector<std::string>>& labels) {
  StudyTarget out;
  out.column = column;
  if (!labels || labels->size() < 2) return out;
  out.classes = *labels;
  if (labels->size() > 2) return out;
  out.negative = labels->front();
  out.positive = labels->back();
  return out;
}

std::vector<TraceRow> thinned(std::vector<TraceRow> trace) {
  constexpr Index most = 1000;
  const Index rows = std::ssize(trace), step = std::max<Index>(1, (rows + most - 1) / most);
  std::vector<TraceRow> out;
  for (Index row = 0; row < rows; ++row)
    if (row % step == 0 || row + 1 == rows) out.push_back(trace[row]);
  return out;
}

Study study_of_cv(const ResultFolder& folder) {
  const CvResults& r = *folder.cv;
  const Tables tables{rows_or_none<FoldRow>(folder, "folds.tsv"), rows_or_none<GridRow>(folder, "grid.tsv"),
                      rows_or_none<NullRow>(folder, "null.tsv")};
  Study out;
  out.kind = ReportKind::cv;
  out.target = target_of(r.target, r.labels);
  out.counts.samples = r.samples;
  if (r.positive_samples) out.counts.positive = *r.positive_samples;
  if (r.class_samples) out.counts.classes = *r.class_samples;
  if (r.groups) out.counts.groups = r.groups->count;
  if (r.groups) out.counts.group_column = r.groups->column;
  out.counts.folds = r.outer_folds;
  out.score = measure_of(r.score);
  out.part_score = measure_of_parts(r.classification());
  out.chance = chance_of(out.score, r.chance.value_or(not_known));
  out.majority = r.majority.value_or(not_known);
  out.permutations = r.permutations;
  out.smallest_p = r.smallest_p.value_or(not_known);
  std::vector<std::string> names;
  for (const auto& [name, method] : r.methods) {
    out.methods.push_back(method_of(name, method, tables, out));
    names.push_back(name);
  }
  for (const PredictionRow& p : rows_or_none<PredictionRow>(folder, "predictions.tsv"))
    out.predictions.push_back(
        {p.method, p.participant_id, p.path, p.fold, p.actual, p.predicted, p.decision, p.site.value_or("")});
  for (StudyMethod& method : out.methods) add_diagnostics(out, tables.grid, method);
  out.groups = parts_of(rows_or_none<GroupRow>(folder, "groups.tsv"));
  out.sites = parts_of(rows_or_none<SiteRow>(folder, "sites.tsv"));
  out.comparisons = r.comparisons.value_or(std::vector<Comparison>{});
  out.pairs = pair_verdicts(out);
  out.sentences = {interval_sentence(r), p_sentence(r), forced_choice_sentence(r), paired_sentence(r, false), {}};
  out.verdict = cv_verdict(out);
  if (const std::string compared = comparison_sentence(r); !compared.empty()) out.verdict += " " + compared;
  if (const StudyMethod* const best = best_method(out)) out.best = best->name;
  out.warnings = cv_warnings(folder.data, out);
  out.text = {cv_methods_text(r), references_of(names, true, r.permutations > 0), folder.data.command};
  for (std::string& reference : references_of_statistics(r)) out.text.references.push_back(std::move(reference));
  out.provenance = provenance_of(r);
  out.answers = answers_of_cv(out, r);
  out.trust = trust_in_cv(out, r, folder.data);
  return out;
}

}  // namespace sturm
