// SPDX-License-Identifier: BSD-3-Clause
// Methods whose objective is the square loss, an l1 norm and a low-rank penalty: Sturm and Remurs.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "sturm/models/method.h"
#include "sturm/penalty/penalty.h"

namespace sturm {

/// The path of settings, balance by balance: strengths are relative to where W becomes zero at that balance.
inline constexpr std::array<double, 5> path_balances = {0.1, 0.3, 0.5, 0.7, 0.9};
inline constexpr std::array<double, 8> path_strengths = {0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002};

/// What one such method is, and what it differs in from the others.
struct PenalisedKind {
  std::string name, title, reference;
  double cost = 1;
  ProofKind proof = ProofKind::none;
  std::function<PenaltyPointer(const Region& region)> penalty;
  std::function<double(const Shape& shape)> automatic_alpha;  ///< the weight of the loss in the method's paper
};

/// min_W,b  (alpha/2) sum_m s_m (y_m - b - <X_m, W>)^2 + tau |W| + gamma |W|_1,    W = 0 outside the mask.
/// All tasks of a call go to the solver as one batch; tasks with the same weights share what is learnt from their rows,
/// and folds share the Gram matrix of the design.
template <class Real>
class PenalisedMethod final : public Method<Real> {
 public:
  explicit PenalisedMethod(PenalisedKind kind) : kind_(std::move(kind)) {}

  std::string name() const override { return kind_.name; }
  std::string title() const override { return kind_.title; }
  std::string reference() const override { return kind_.reference; }
  double cost() const override { return kind_.cost; }
  std::vector<Parameter> parameters() const override;

  /// path: path_strengths times path_balances, relative to where W becomes zero on the task's samples.
  /// paper: {1e-3, 5e-3, ..., 1e3} for each of tau and gamma.
  std::vector<std::vector<double>> grid(const FitData<Real>& data, const FitTask& task, GridKind kind) const override;

  std::vector<double> relative_setting(const FitData<Real>& data, const FitTask& task, double strength,
                                       double balance) const override;
  bool has_sparse_path() const override { return true; }
  bool has_gap() const override { return true; }
  ProofKind proof_kind() const override { return kind_.proof; }
  bool all_at_once() const override { return true; }
  Index bytes(const Region& region, Index samples) const override;

  void fit(const FitData<Real>& data, std::span<const FitTask> tasks, const MethodOptions& options,
           const typename Method<Real>::Take& take) const override;

 private:
  double alpha(const FitData<Real>& data) const;

  PenalisedKind kind_;
};

template <class Real>
std::unique_ptr<Method<Real>> make_sturm();
template <class Real>
std::unique_ptr<Method<Real>> make_remurs();

/// Bytes that a fit needs beside the design matrix: the solver's arrays, Gram matrices, and the proof in double.
template <class Real>
Index bytes_per_fit(const Penalty& penalty, Index samples);

}  // namespace sturm
