// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/cli/cv_plan.h"

#include <fmt/core.h>

#include "sturm/app/effort.h"
#include "sturm/core/memory.h"
#include "sturm/terminal/progress.h"

namespace sturm::cli {

/// The paper is silent on normalisation and on the number of iterations: unit-norm samples are the scaling for which
/// its rho = 1 is sane, and 500 iterations are what is run.
void apply_preset(const CLI::App& app, Preset preset, bool from_volumes, CvOptions& o) {
  if (preset != Preset::paper) return;
  const auto given = [&](const char* flag) { return !app.get_option(flag)->empty(); };
  if (!given("--grid")) o.grid = GridKind::paper;
  if (!given("--outer")) o.folds.outer = "10";
  if (!given("--inner")) o.folds.inner = "9";
  if (!given("--resize") && from_volumes) o.resize = "0.3,0.5,0.7";
  if (!given("--top")) o.top = "1,5,10,50,100";
  if (!given("--alpha")) o.alpha = 0;
  if (!given("--normalize")) o.normalize = Normalize::sample;
  if (!given("--no-intercept")) o.intercept = false;
  if (!given("--solver")) o.solver.solver = SolverKind::paper;
}

template <class Real>
std::vector<std::string> plan_lines(const CvStudy<Real>& study, const RunSettings& run, Index missing) {
  std::vector<std::string> lines;
  const Index samples = study.facts.keys.rows();
  Index bytes = 0;
  bool exact = true;
  for (const Outline& outline : study.outlines) {
    bytes += checked_product(samples, outline.voxels * static_cast<Index>(sizeof(Real)));
    exact &= outline.exact;
  }
  lines.push_back(fmt::format("{}, {}, {}: {}, {} of them to do", plural(samples, "sample"),
                              plural(study.plan.folds(), "outer fold"), plural(study.plan.permutations, "permutation"),
                              plural(static_cast<Index>(study.plan.tasks.size()), "task"), missing));
  lines.push_back(fmt::format("volumes in memory: {}{}; --memory allows {} in all", exact ? "" : "at most ",
                              format_bytes(bytes), format_bytes(memory_budget(run))));
  if (!exact) lines.push_back("no voxel was read: each training set learns its own mask, and may use fewer voxels");
  lines.push_back(fmt::format("{:<24} {:>12} {:>14} {:>14}", "methods", "fits", "about", "memory"));
  for (const std::vector<std::string>& family : study.plan.families) {
    const Effort one = effort_of(study, family);
    const Index folds = 1 + study.plan.folds() * (1 + study.plan.permutations + std::ssize(study.plan.shares));
    // A part of a training set takes less by its share; a sparser model beside the chosen one is one fit.
    double whole = 1 + static_cast<double>(study.plan.folds() * (1 + study.plan.permutations));
    for (const double share : study.plan.shares) whole += share * study.plan.folds();
    const Index readable = readable_fits(study, family);
    std::string name;
    for (const std::string& member : family) name += (name.empty() ? "" : ", ") + member;
    lines.push_back(fmt::format("{:<24} {:>12} {:>14} {:>14}", name, one.fits * folds + readable,
                                format_seconds(one.seconds * whole), format_bytes(bytes + one.bytes)));
  }
  return lines;
}

template std::vector<std::string> plan_lines(const CvStudy<float>&, const RunSettings&, Index);
template std::vector<std::string> plan_lines(const CvStudy<double>&, const RunSettings&, Index);

}  // namespace sturm::cli
