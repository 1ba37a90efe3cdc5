// SPDX-License-Identifier: BSD-3-Clause
// What a fit leaves: a model, what it says of the samples it was made from, and what it is worth.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "sturm/core/design.h"
#include "sturm/models/fit_report.h"
#include "sturm/models/normalize.h"
#include "sturm/models/proof_point.h"

namespace sturm {

template <class Real>
class Model;

/// Where a fit ended, so that the same fit can go on to a smaller gap. Only the method that made one knows what it is.
class FitEnd {
 public:
  FitEnd() = default;
  FitEnd(const FitEnd&) = delete;
  FitEnd& operator=(const FitEnd&) = delete;
  virtual ~FitEnd() = default;
  virtual Index bytes() const = 0;
};

/// What a method learnt. The model is made when somebody asks for it, which cross-validation does once in hundreds of
/// fits: what it scores are the decision values of the samples that it left out.
template <class Real>
class FittedModel {
 public:
  /// `columns`: the coefficients, which `make` gets; empty where the method has none.
  using Make = std::function<Model<Real>(std::span<const double> columns)>;
  FittedModel(std::vector<double> values, std::vector<double> columns, Make make);
  FittedModel(const FittedModel&) = delete;
  FittedModel& operator=(const FittedModel&) = delete;
  ~FittedModel();

  /// Of every sample of the design it was fitted on, in the training set or not.
  const std::vector<double>& decision_values() const { return values_; }
  /// Of other volumes of the same shape.
  std::vector<double> decision_values(const Design<Real>& x) const;
  /// On raw volumes; see model.h.
  const Model<Real>& model() const;
  /// Its coefficients, one per column of the design it was fitted on; empty where the method has none.
  std::span<const double> columns() const { return columns_; }

  FitReport report;
  std::shared_ptr<const FitEnd> end;        ///< where MethodOptions::keep_ends asks for it, and the method has one
  std::shared_ptr<const ProofPoint> proof;  ///< where MethodOptions::keep_proofs asks for it

 private:
  std::vector<double> values_, columns_;
  Make make_;
  mutable std::mutex making_;
  mutable std::unique_ptr<const Model<Real>> model_;
};

/// A model that is its coefficients, one per voxel of the region; the report gets intercept and sparsity.
template <class Real>
std::unique_ptr<FittedModel<Real>> fitted_map(const Region& region, std::vector<double> coef, double intercept,
                                              Normalize normalize, std::vector<double> values);

/// The part of the box, and of the region, whose coefficients are 0.
void set_sparsity(FitReport& report, const Region& region, std::span<const double> coef);

}  // namespace sturm
