// SPDX-License-Identifier: BSD-3-Clause
// What `sturm verify` found of a fit.
#pragma once

#include "sturm/results/describe.h"

namespace sturm {

/// One part of a fit: all of it, or one class against the rest.
struct VerdictPart {
  std::optional<std::string> of_class;
  double objective = not_known, claimed_objective = not_known, objective_rounding = not_known;
  double dual = not_known, claimed_dual = not_known, dual_rounding = not_known;
  double gap = not_known, claimed_gap = not_known, gap_rounding = not_known;
  double excess_gamma = not_known, excess_tau = not_known;
  double intercept = not_known, best_intercept = not_known;
};
template <>
inline constexpr const char* type_name<VerdictPart> = "VerdictPart";
template <class Field>
void describe(Field& field, VerdictPart& p) {
  field("class", p.of_class, "of several");
  field("objective", p.objective, "computed again from the volumes");
  field("claimed_objective", p.claimed_objective, "by fit.json");
  field("objective_rounding", p.objective_rounding, "a difference that rounding explains");
  field("dual", p.dual);
  field("claimed_dual", p.claimed_dual);
  field("dual_rounding", p.dual_rounding);
  field("relative_gap", p.gap);
  field("claimed_relative_gap", p.claimed_gap);
  field("relative_gap_rounding", p.gap_rounding);
  field("l1_excess", p.excess_gamma, "max |G1| / gamma: at most 1 but for rounding");
  field("low_rank_excess", p.excess_tau, "the dual norm of G2 / tau");
  field("intercept", p.intercept);
  field("best_intercept", p.best_intercept, "for this map");
}

struct Verdict {
  bool accepted = false;
  std::string method;
  Index samples = 0;
  std::vector<VerdictPart> parts;
  std::vector<std::string> problems;  ///< one sentence each; none where it is accepted
};
template <>
inline constexpr const char* type_name<Verdict> = "Verdict";
template <class Field>
void describe(Field& field, Verdict& v) {
  field("accepted", v.accepted);
  field("method", v.method);
  field("samples", v.samples);
  field("parts", v.parts);
  field("problems", v.problems);
}

}  // namespace sturm
