// SPDX-License-Identifier: BSD-3-Clause
// The study of sturm fit: one method, without scores.
#include <fmt/core.h>

#include <cmath>

#include "sturm/core/build_info.h"
#include "sturm/report/answers.h"
#include "sturm/report/report.h"
#include "sturm/report/trust.h"
#include "sturm/report/words.h"
#include "sturm/results/json.h"

namespace sturm {
namespace {

StudyMethod method_of(const FitResults& f) {
  StudyMethod out;
  out.name = f.method;
  out.title = method_title(f.method);
  out.sparsity = {f.numbers.sparsity, not_known, f.numbers.sparsity_in_mask, not_known};
  out.tubal_rank = f.numbers.tubal_rank;
  StudyModel& model = out.final.emplace();
  model = {.resize = f.resize.value_or(not_known),
           .setting = f.parameters,
           .status = f.numbers.status,
           .relative_gap = f.numbers.relative_gap,
           .iterations = f.numbers.iterations,
           .classes = {}};
  if (!f.classes) return out;
  model.classes = *f.classes;
  for (ClassFit& fit : *model.classes) fit.sigmoid.reset();
  return out;
}

std::vector<Fact> provenance_of(const FitResults& f, const DataFacts& data) {
  std::vector<Fact> out = provenance(f.version);
  out.push_back({"solver", to_word(f.solver)});
  if (!f.precision.empty()) out.push_back({"precision", f.precision});
  out.push_back({"normalize", to_word(f.normalize)});
  const auto add = [&](const char* name, double value) {
    if (!std::isnan(value)) out.push_back({name, to_json(value).dump()});
  };
  add("alpha", f.alpha);
  add("objective", f.numbers.objective);
  add("dual", f.numbers.dual);
  add("intercept", f.numbers.intercept);
  out.push_back({"shape", fmt::format("[{},{},{}]", f.shape[0], f.shape[1], f.shape[2])});
  for (const Fact& hash : data.hashes.value_or(std::vector<Fact>{})) out.push_back(hash);
  return out;
}

}  // namespace

std::vector<Fact> provenance(const std::string& version) {
  std::vector<Fact> out;
  if (!version.empty()) out.push_back({"results written by sturm", version});
  out.push_back({"report written by sturm", std::string(build_info().version) + " (" + build_info().revision + ")"});
  return out;
}

Study study_of_fit(const ResultFolder& folder) {
  const FitResults& f = *folder.fit;
  Study out;
  out.kind = ReportKind::fit;
  out.target = target_of(f.target, f.labels);
  out.counts.samples = f.n_samples;
  if (folder.data.positive) out.counts.positive = *folder.data.positive;
  if (folder.data.class_samples) out.counts.classes = *folder.data.class_samples;
  out.score = measures_of(!out.target.regression(), std::ssize(out.target.several())).front();
  out.part_score = measure_of_parts(!out.target.regression());
  out.methods.push_back(method_of(f));
  out.verdict = fit_verdict(f);
  out.warnings = fit_warnings(f, folder.data);
  out.text = {fit_methods_text(f, folder.data), references_of({f.method}, false, false), folder.data.command};
  out.provenance = provenance_of(f, folder.data);
  out.answers = answers_of_fit(f);
  out.trust = trust_in_fit(out, f, folder.data);
  return out;
}

}  // namespace sturm
