// SPDX-License-Identifier: BSD-3-Clause
// What every method offers, so that commands and experiments know them all alike. See docs/decisions/007-methods.md.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/sturm_model.h"

namespace sturm {

/// What all fits of a call share.
template <class Real>
struct FitData {
  const Design<Real>& design;
  std::span<const std::uint8_t> mask;  ///< empty: every voxel
  Normalize normalize = Normalize::none;
  bool intercept = true;
};

/// One fit: which samples, what they should give, and the hyperparameters.
struct FitTask {
  std::vector<double> y;        ///< one a sample of the design; labels are -1 and +1
  std::vector<double> weights;  ///< one a sample; 0: not in the training set. Empty: all 1
  std::vector<double> setting;  ///< in the order of Method::parameters()
};

/// What a method learnt.
template <class Real>
class FittedModel {
 public:
  FittedModel() = default;
  FittedModel(const FittedModel&) = delete;
  FittedModel& operator=(const FittedModel&) = delete;
  virtual ~FittedModel() = default;

  /// Of every sample of the design it was fitted on, in the training set or not.
  virtual std::vector<double> decision_values() const = 0;
  /// Of other volumes of the same shape.
  virtual std::vector<double> decision_values(const Design<Real>& x) const = 0;
  /// Its coefficients; null where the method has none.
  virtual const LinearModel* linear() const { return nullptr; }

  FitReport report;
};

/// A number that is chosen, for each study, by cross-validation.
struct Parameter {
  std::string name;     ///< also the flag of `sturm fit`
  std::string meaning;  ///< a few words
};

enum class GridKind { path, paper };
template <>
inline std::vector<std::string> names_of<GridKind>() {
  return {"path", "paper"};
}

struct MethodOptions {
  SolverOptions solver;
  double alpha = 1;  ///< weight of the loss; 0: sqrt(max(I1, I2) I3)
  Index memory = 0;  ///< bytes beside the design; 0: no limit
  std::uint64_t seed = 0;
  ProgressCallback progress;
};

template <class Real>
class Method {
 public:
  Method() = default;
  Method(const Method&) = delete;
  Method& operator=(const Method&) = delete;
  virtual ~Method() = default;

  virtual std::string name() const = 0;       ///< as in --method
  virtual std::string title() const = 0;      ///< a line for tables and reports
  virtual std::string reference() const = 0;  ///< whom to cite
  virtual std::vector<Parameter> parameters() const = 0;
  virtual bool regression() const { return true; }  ///< whether y may be other than -1 and +1

  /// Settings to choose from. `task` has all samples that may be looked at; its setting is not.
  virtual std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task,
                                                GridKind kind) const = 0;

  /// Fits every task; `take` gets each model as soon as it is found, in any order.
  using Take = std::function<void(Index task, std::unique_ptr<FittedModel<Real>> model)>;
  virtual void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
                   const Take& take) const = 0;
};

}  // namespace sturm
