// SPDX-License-Identifier: BSD-3-Clause
// Semismooth Newton steps in the dual, for many problems in each pass over X: what the W-step of the batched solver and
// the elastic net with a wide support both minimise, in as many unknowns as there are samples,
//     F(theta) = f(theta) + (rho/2) |W|^2,     W = soft(a + X~'theta / rho, gamma / rho),
//     F' = f'(theta) + X~ W,     F'' = f''(theta) + X~_S X~_S' / rho  with S the support of W,
// and f the conjugate of the loss: |theta|^2 / 2 - y'theta for the square loss, whose f'' is the identity.
#pragma once

#include <cmath>
#include <map>
#include <mutex>
#include <numeric>

#include "sturm/linalg/backend.h"
#include "sturm/solver/problem.h"

namespace sturm {

inline double dot(std::span<const double> a, std::span<const double> b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
inline double norm(std::span<const double> a) { return std::sqrt(dot(a, a)); }

/// X on the device, with the scales and masks of the views that were asked for. Safe to use from many threads.
template <class Real>
class DeviceDesign {
 public:
  DeviceDesign(const Design<Real>& x, linalg::Backend& backend);

  struct Columns {
    linalg::Part<const Real> scale;
    linalg::Bytes mask;
  };
  Columns columns(const View<Real>& view) { return columns(view.scale, view.mask); }
  Columns columns(const std::vector<Real>& scale, const std::vector<std::uint8_t>& mask);

  linalg::Part<const Real> x() const { return x_; }
  Index samples() const { return samples_; }
  Index voxels() const { return voxels_; }
  linalg::Backend& backend() const { return backend_; }
  linalg::Operations<Real>& ops() const { return backend_; }

 private:
  linalg::Backend& backend_;
  linalg::Array<const Real> x_;
  Index samples_, voxels_;
  std::mutex mutex_;  ///< of the maps
  std::map<const void*, linalg::Array<Real>> scales_;
  std::map<const void*, linalg::Array<std::uint8_t>> masks_;
};

/// H = X~_S X~_S' of the support of w, kept up to date as voxels come and go; see linalg::SupportJob.
template <class Real>
class SupportGram {
 public:
  linalg::SupportJob<Real> job(linalg::Backend& backend, const View<Real>& view,
                               const typename DeviceDesign<Real>::Columns& columns, linalg::Part<const Real> w);
  /// X~_S X~_S', full M x M, after the row map.
  std::vector<double> mapped(const RowMap& rows) const;
  bool made() const { return !signs_.empty(); }
  linalg::Bytes signs() const { return signs_; }

 private:
  linalg::Array<std::uint8_t> signs_;
  std::vector<Real> h_;  ///< lower triangle
  int updates_ = 1 << 20;
};

/// The Newton direction -rho (rho D + H)^-1 r, D the diagonal `curvature` (empty: I); a ridge of the size of rounding
/// is added where H has lost definiteness.
std::vector<double> newton_direction(std::vector<double> h, double rho, std::span<const double> r, double epsilon,
                                     std::span<const double> curvature = {});

/// One problem's point and the step it is about to take.
template <class Real>
struct NewtonPoint {
  const View<Real>* view = nullptr;
  typename DeviceDesign<Real>::Columns columns;
  const Loss* loss = square_loss().get();
  Labels labels;
  linalg::Part<const Real> a;  ///< missing: 0
  double rho = 1, gamma = 0;

  std::vector<double> theta, direction, xw;  ///< xw = X~ W
  std::vector<double> slope_of_f;            ///< F' at theta
  std::vector<double> curvature;             ///< of the loss at theta: see Loss::curvature
  linalg::Array<Real> z, z_next, w;          ///< z = X~'theta; z_next = X~'(theta + direction)
  SupportGram<Real> gram;
  double value = 0, slope = 0;  ///< F, and its slope along the direction
  double w_norm2 = 0;
  Index nonzeros = -1;  ///< of W; -1: not known
  bool moves = false;   ///< a direction is at hand
  bool due = true;      ///< W and X~ W are not those of theta and z: the line search has moved them, or they are new
  bool exact = false;   ///< a whole step that left every sign as it was has solved its system: what is left is rounding
  int passes = 0;       ///< over X

  /// |F'|, in the unit of theta.
  double residual() const;
};

/// Passes over X for lists of points.
template <class Real>
class Newton {
 public:
  using List = std::vector<NewtonPoint<Real>*>;

  explicit Newton(DeviceDesign<Real>& x) : x_(x) {}

  /// One pass: each point takes its step, or a shorter one where the whole one does not lower F enough (then W and X~ W
  /// are due, with the next pass), or gets the W and X~ W that are due. Sets slope_of_f of all that are not due.
  void advance(List list);
  /// The next direction of every point, none of which may be due.
  void find_directions(const List& list);

  double seconds_in_products = 0, flops = 0;

 private:
  void shorten(const List& list);
  static double value_at(const NewtonPoint<Real>& p, std::span<const double> theta, double w_norm2);
  static bool too_high(const NewtonPoint<Real>& p, double value, double step);

  DeviceDesign<Real>& x_;
};

}  // namespace sturm
