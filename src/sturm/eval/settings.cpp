// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/settings.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "sturm/models/wrappers/one_vs_rest.h"

namespace sturm {
namespace {

template <class Real>
std::vector<std::vector<double>> of_one_class(const Method<Real>& method, const FitData<Real>& data,
                                              const FitTask& task, const NestedOptions& options) {
  if (!options.settings.empty()) {
    std::vector<std::vector<double>> out;
    for (const GivenSetting& given : options.settings) {
      out.push_back(given.values);
      if (std::isnan(given.strength)) continue;
      const std::vector<double> relative = method.relative_setting(data, task, given.strength, given.balance);
      std::ranges::copy(relative, out.back().begin());
    }
    return out;
  }
  std::vector<std::vector<double>> grid = method.grid(data, task, options.grid);
  const std::vector<Parameter> parameters = method.parameters();
  const auto eta = std::ranges::find(parameters, std::string("eta"), &Parameter::name) - parameters.begin();
  if (options.top.empty() || eta == std::ssize(parameters)) return grid;
  const double any = grid.front()[eta];
  std::vector<std::vector<double>> out;
  for (const std::vector<double>& setting : grid) {
    if (setting[eta] != any) continue;
    for (const double percent : options.top) {
      out.push_back(setting);
      out.back()[eta] = percent;
    }
  }
  return out;
}

}  // namespace

template <class Real>
std::vector<std::vector<double>> settings_of(const Method<Real>& method, const FitData<Real>& data,
                                             std::span<const FitTask> classes, const NestedOptions& options) {
  std::vector<std::vector<double>> grid = of_one_class(method, data, classes.front(), options);
  for (const FitTask& task : classes.subspan(1)) {
    const auto other = of_one_class(method, data, task, options);
    if (other.size() != grid.size()) throw std::logic_error("the grids of two classes differ in length");
    for (std::size_t s = 0; s < grid.size(); ++s) grid[s] = largest_of(std::array{grid[s], other[s]});
  }
  return grid;
}

double GridPoint::worst_gap() const {
  double out = 0;
  for (const double gap : gaps)
    if (gap > out) out = gap;
  return out;
}

std::vector<Candidate> candidates_of(std::span<const GridPoint> grid, double GridPoint::*sparsity) {
  std::vector<Candidate> out;
  out.reserve(grid.size());
  for (const GridPoint& point : grid) out.push_back({point.scores, point.*sparsity});
  return out;
}

template std::vector<std::vector<double>> settings_of(const Method<float>&, const FitData<float>&,
                                                      std::span<const FitTask>, const NestedOptions&);
template std::vector<std::vector<double>> settings_of(const Method<double>&, const FitData<double>&,
                                                      std::span<const FitTask>, const NestedOptions&);

}  // namespace sturm
