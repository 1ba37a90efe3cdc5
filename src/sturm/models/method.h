// SPDX-License-Identifier: BSD-3-Clause
// What every method offers, so that commands and experiments know them all alike. See docs/decisions/007-methods.md.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/linalg/backend.h"
#include "sturm/models/fitted_model.h"
#include "sturm/models/normalize.h"
#include "sturm/solver/options.h"
#include "sturm/solver/progress.h"

namespace sturm {

/// What all fits of a call share. The voxels of the design's region are those that count.
template <class Real>
struct FitData {
  /// The columns of a mask on the box (empty: all that the design has).
  FitData(linalg::Backend& on, const Design<Real>& x, std::span<const std::uint8_t> mask = {},
          Normalize how = Normalize::none, bool with_intercept = true, double loss = 1,
          std::optional<double> of_regression = {})
      : backend(on),
        design(masked(x, mask)),
        normalize(how),
        intercept(with_intercept),
        alpha(loss),
        tube(of_regression) {}

  linalg::Backend& backend;
  Design<Real> design;
  Normalize normalize = Normalize::none;
  bool intercept = true;
  double alpha = 1;  ///< weight of a square loss; 0: the one of the method's paper
  /// A regression, and the errors that support vector machines do not count, in standard deviations of the training
  /// targets. None: y is -1 and +1.
  std::optional<double> tube;
};

/// One fit: which samples, what they should give, and the hyperparameters.
struct FitTask {
  std::vector<double> y;        ///< one per sample of the design; classes are -1 and +1
  std::vector<double> weights;  ///< one per sample; 0: not in the training set. Empty: all 1
  std::vector<double> setting;  ///< in the order of Method::parameters()
  /// The end of the same fit with a larger gap, where it goes on; null: from nothing.
  std::shared_ptr<const FitEnd> from = nullptr;
  bool kept = false;   ///< the model predicts or is saved: a machine's last digits are worth their time
  bool trace = false;  ///< FitReport::trace is wanted, where the method has one; of a single task it always is
};

/// A number that is chosen, for each study, by cross-validation.
struct Parameter {
  std::string name;                                         ///< also the flag of `sturm fit`
  std::string meaning;                                      ///< a few words
  double usual = std::numeric_limits<double>::quiet_NaN();  ///< what `sturm fit` takes unless told; NaN: must be told
  bool relative = false;                                    ///< relative_setting() knows it: --strength in its place
};

enum class GridKind { path, paper };
template <>
inline std::vector<std::string> names_of<GridKind>() {
  return {"path", "paper"};
}

struct MethodOptions {
  SolverOptions solver;
  /// Bytes beside the design; 0: no limit. What grows with tasks or folds under way is held below it (the batches of
  /// Sturm and Remurs, the folds of the linear methods) or refused (the distances of MMK, which grow with its rank).
  /// An M x M matrix and a few volumes, which every method has, are not counted.
  Index memory = 0;
  std::uint64_t seed = 0;
  ProgressCallback progress;
  bool keep_ends = false;    ///< models tell where their fits ended
  bool keep_proofs = false;  ///< and their dual points, where proof_kind() says that there are any
  /// The settings are a person's and not a grid's: one that cannot teach anything is refused.
  bool given_setting = false;
};

/// Goes on from what another method has chosen.
template <class Real>
class Refiner {
 public:
  Refiner() = default;
  Refiner(const Refiner&) = delete;
  Refiner& operator=(const Refiner&) = delete;
  virtual ~Refiner() = default;

  /// Fits tasks whose samples and labels are those of `selection`, and whose settings begin with its setting.
  virtual void fit(std::span<const FitTask> tasks, const FittedModel<Real>& selection,
                   const std::function<void(Index task, std::unique_ptr<FittedModel<Real>> model)>& take) const = 0;
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
  bool has_parameter(std::string_view name) const {
    const std::vector<Parameter> all = parameters();
    return std::ranges::find(all, name, &Parameter::name) != all.end();
  }
  virtual bool needs_intercept() const { return false; }  ///< FitData::intercept may not be false
  /// Knows nothing of the volumes: a row to compare with, and never the best of a table.
  virtual bool is_baseline() const { return false; }
  /// The method whose voxels it goes on from ("X + SVM"); empty where it stands alone.
  virtual std::string selects_with() const { return {}; }
  /// About what a task takes, in units of the linear SVM's: what `sturm cv --dry-run` reckoned for 96 volumes at 0.3
  /// and 0.5 of 91x109x91; 1 where nobody measured. Only the shares of parts and the time that is left depend on it.
  virtual double cost() const { return 1; }

  /// Settings to choose from. `task` has all samples that may be looked at; its setting is not.
  virtual std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task,
                                                GridKind kind) const = 0;

  /// Values of the relative parameters, which come first: `strength` times the penalties at which the coefficients
  /// become zero. `balance` is the part of the low-rank penalty where there are two: 0 none of it, 1 nothing else.
  virtual std::vector<double> relative_setting(const FitData<Real>& /*data*/, const FitTask& /*task*/,
                                               double /*strength*/, double /*balance*/) const {
    return {};
  }

  /// Whether its penalty makes coefficients exactly 0, so that its settings are a path from few voxels to many, of
  /// which a sparser one may predict as well.
  virtual bool has_sparse_path() const { return false; }

  /// Whether fits take much less time where MethodOptions::solver asks for a larger gap.
  virtual bool has_gap() const { return false; }

  /// Whether all tasks of a call are under way at once, memory permitting, and not one a fold after the other.
  virtual bool all_at_once() const { return false; }

  /// What the dual point of a fit is made of, where there is one that can be written down and checked by somebody else.
  virtual ProofKind proof_kind() const { return ProofKind::none; }

  /// About the bytes that one fit takes beside the design.
  virtual Index bytes(const Region& region, Index samples) const {
    const auto number = static_cast<Index>(sizeof(double));
    return number * (checked_product(4, region.size()) + checked_product(4 * samples, samples));
  }

  /// Fits every task; `take` gets each model as soon as it is found, in any order and on any thread, several at a time.
  using Take = std::function<void(Index task, std::unique_ptr<FittedModel<Real>> model)>;
  virtual void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
                   const Take& take) const = 0;

  /// Of a method that builds on another's models ("X + SVM"): its second half alone, so that both methods can share the
  /// first. Null for the others.
  virtual std::unique_ptr<Refiner<Real>> refiner(const FitData<Real>& /*data*/) const { return nullptr; }
};

}  // namespace sturm
