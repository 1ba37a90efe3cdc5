// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/wrappers/one_vs_rest.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sturm {
namespace {

/// From good to bad.
int badness(Status status) { return status == Status::zero_solution ? 0 : status == Status::converged ? 1 : 2; }

}  // namespace

std::vector<double> against_rest(std::span<const double> label, int c) {
  std::vector<double> out;
  out.reserve(label.size());
  for (const double l : label) out.push_back(l == c ? 1 : -1);
  return out;
}

std::vector<double> largest_of(std::span<const std::vector<double>> settings) {
  std::vector<double> out = settings.front();
  for (const std::vector<double>& setting : settings)
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::max(out[p], setting[p]);
  return out;
}

FitReport merged_report(std::span<const FitReport> reports) {
  FitReport out = *std::ranges::max_element(reports, {}, &FitReport::iterations);
  out.objective = out.dual = out.sparsity = out.sparsity_in_mask = out.seconds = 0;
  out.intercept = std::numeric_limits<double>::quiet_NaN();
  for (const FitReport& r : reports) {
    out.objective += r.objective;
    out.dual += r.dual;
    out.sparsity += r.sparsity / static_cast<double>(reports.size());
    out.sparsity_in_mask += r.sparsity_in_mask / static_cast<double>(reports.size());
    out.seconds += r.seconds;
    out.relative_gap = std::isnan(r.relative_gap) ? r.relative_gap : std::max(out.relative_gap, r.relative_gap);
    out.tubal_rank = std::max(out.tubal_rank, r.tubal_rank);
    if (badness(r.status) > badness(out.status)) out.status = r.status;
  }
  return out;
}

}  // namespace sturm
