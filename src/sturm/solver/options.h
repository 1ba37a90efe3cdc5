// SPDX-License-Identifier: BSD-3-Clause
// How hard the solver works.
#pragma once

#include "sturm/core/options.h"

namespace sturm {

enum class SolverKind { certified, paper };
template <>
inline std::vector<std::string> names_of<SolverKind>() {
  return {"certified", "paper"};
}

enum class Status { converged, iteration_limit, zero_solution };
template <>
inline std::vector<std::string> names_of<Status>() {
  return {"converged", "iteration_limit", "zero_solution"};
}

struct SolverOptions {
  SolverKind solver = SolverKind::certified;
  double gap = 1e-3;
  int iterations = 0;
  double rho = 1;
  double relaxation = 1.7;
};
template <class Field>
void describe(Field&& field, SolverOptions& o) {
  field("solver", o.solver, "certified: to a proven gap; paper: Algorithm 2 as printed, rho and iterations fixed");
  field("gap", o.gap, "certified: stop when the relative duality gap is below this");
  field("iterations", o.iterations, "stop here at the latest (0: 20000, or 500 with `solver paper`)");
  field("rho", o.rho, "paper: the penalty of the augmented Lagrangian");
  field("relaxation", o.relaxation, "certified: over-relaxation, in [1, 2)");
}

}  // namespace sturm
