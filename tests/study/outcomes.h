// SPDX-License-Identifier: BSD-3-Clause
// A study of six samples in three folds, with outcomes made by hand: what its tables must say can be counted.
#pragma once

#include "sturm/study/method_outcomes.h"

namespace sturm::test {

struct HandMade {
  CvFacts facts;
  CvPlan plan;
  CvOutcomes outcomes;

  std::vector<MethodOutcomes> methods() const { return outcomes_by_method(facts, plan, outcomes); }
  FoldOutcome& at(const std::string& task) { return outcomes.at(task).begin()->second.front(); }
};

/// Method svm, without a map, and lasso, with a map of 2 x 2 x 1 voxels. Fold f tests samples f and f + 3; the first
/// three samples are of the first group and site, and the labels are -1, +1, -1, +1, -1, +1.
inline HandMade hand_made(bool classification = true) {
  HandMade out;
  CvFacts& facts = out.facts;
  facts.keys.ids = {"a", "b", "c", "d", "e", "f"};
  facts.keys.groups = {"g1", "g1", "g1", "g2", "g2", "g2"};
  facts.keys.y = classification ? std::vector<double>{-1, 1, -1, 1, -1, 1} : std::vector<double>{1, 2, 3, 4, 5, 6};
  facts.keys.classification = classification;
  facts.sites = {"s1", "s1", "s1", "s2", "s2", "s2"};
  facts.participants = facts.keys.ids;
  facts.target.column = "group";
  facts.target.y = facts.keys.y;
  if (classification) facts.target.classes = Classes{"control", "patient"};
  for (const double y : facts.keys.y)
    facts.target.actual.push_back(classification ? (y > 0 ? "patient" : "control")
                                                 : std::to_string(static_cast<int>(y)));
  facts.score = classification ? Score::accuracy : Score::r2;
  facts.resize = {1};
  out.plan = make_plan({"svm", "lasso"}, {{0, 1, 2, 0, 1, 2}, {"1", "2", "3"}}, {}, 0);
  for (const CvTask& task : out.plan.tasks) {
    FoldOutcome outcome;
    outcome.method = out.plan.families[task.family].front();
    outcome.setting = {0.5};
    outcome.grid = {{1, {0.5}, {0.75, 0.25}, 0.5, {1e-4, 2e-4}, 1}};
    outcome.inner_score = 0.5;
    outcome.objective = 2;
    outcome.relative_gap = 1e-4;
    outcome.iterations = 7;
    outcome.shape = {2, 2, 1};
    if (outcome.method == "lasso") {
      outcome.positive = {0b0101};
      outcome.negative = {0};
      outcome.sparsity = outcome.sparsity_in_mask = 0.5;
    }
    if (task.fold >= 0) {
      const double first = facts.keys.y[task.fold], second = facts.keys.y[task.fold + 3];
      // svm is right but for the first sample of fold 1.
      const bool wrong = outcome.method == "svm" && task.fold == 0 && classification;
      outcome.decision = {wrong ? -first : first, second};
    }
    out.outcomes[task.id][outcome.method] = {outcome};
  }
  return out;
}

}  // namespace sturm::test
