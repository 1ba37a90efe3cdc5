// SPDX-License-Identifier: BSD-3-Clause
// The steps of the solver, as a backend takes them: one job per problem, a list of jobs per call. Letters as in
// solver/batch.h. z, z_next, a, w have one number per column of the design (a voxel of the region); b, q and what the
// prox works on have room for a whole copy of W, in which a Placement says where the columns stand. A mask may be
// missing: every column.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sturm/linalg/array.h"

namespace sturm::linalg {

using Bytes = Part<const std::uint8_t>;

/// One problem's part in sweep(), in this order, each part only where it is asked for:
///     z_next = z + scale .* (X' u)                                     u (z missing: 0)
///     w = soft(a + z_next / rho, gamma / rho), 0 outside the mask       shrinks (a missing: 0); otherwise w = point
///     xw = X (scale .* w), norm2 = |w|^2                                xw
/// Without u, z takes the place of z_next. The scale may be missing: all 1.
template <class Real>
struct SweepJob {
  const Real* u = nullptr;  ///< of the host, one number per sample
  Part<const Real> z;
  Part<Real> z_next;
  bool shrinks = false;
  Part<const Real> a;
  Part<Real> w;            ///< written where it shrinks
  Part<const Real> point;  ///< read where it does not
  double* xw = nullptr;    ///< of the host
  Part<const Real> scale;
  Bytes mask;
  double rho = 1, gamma = 0;
  double norm2 = 0;
  Index nonzeros = 0;   ///< of w, where it is computed
  Index expected = -1;  ///< how many there may be, where the caller can tell: decides on speed, not on bits
};

/// norms2[i] = |soft(a + (z + t_i (z_next - z)) / rho, gamma / rho)|^2 for the steps t_i of the call.
template <class Real>
struct StepsJob {
  Part<const Real> a, z, z_next;
  Bytes mask;
  double rho = 1, gamma = 0;
  std::vector<double> norms2;
};

/// to = times from, or to += times from. May be in place. Without `from`: to = 0, whatever it was.
template <class Real>
struct ScaleJob {
  Part<const Real> from;
  Part<Real> to;
  double times = 1;
  bool add = false;
};

/// to = a + t (b - a). May be in place.
template <class Real>
struct MixJob {
  Part<const Real> a, b;
  Part<Real> to;
  double t = 0;
};

/// The Gram matrix h = X_S diag(scale_S^2) X_S' (lower triangle, of the host) of the support S of w. `signs` holds
/// those of the w that h was made from; h is changed by the columns that enter and leave, or made anew, from S or from
/// `whole` less the rest, where that is cheaper or rounding has piled up.
template <class Real>
struct SupportJob {
  Part<const Real> w;
  Part<const Real> scale;
  Bytes mask;
  Index columns = 0;              ///< inside the mask
  std::span<const double> whole;  ///< X diag(scale^2) X' of all of them, full
  Part<std::uint8_t> signs;
  Real* h = nullptr;
  int* updates = nullptr;  ///< how often h has been changed; a large number: there is none yet
};

/// same = whether w has these signs.
template <class Real>
struct SignsJob {
  Part<const Real> w;
  Bytes signs;
  bool same = false;
};

/// out = nu w + (1 - nu) b + q, with w at its place.
template <class Real>
struct RelaxJob {
  Part<const Real> w;
  const Placement* place = nullptr;
  Part<const Real> b, q;
  Part<Real> out;
};

/// q = nu w + (1 - nu) b + q - next, b = next, and of the columns a = share (b - q), or a += share (b - q). Sums:
/// |w - next|^2, |next - b before|^2, |next|^2, |q|^2.
template <class Real>
struct AcceptJob {
  Part<const Real> w;
  const Placement* place = nullptr;
  Part<Real> b, q;
  Part<const Real> next;
  Part<Real> a;
  double share = 1;
  bool add = false;
  double sums[4] = {};
};

/// Columns from an array: to = times from, or to += times from.
template <class Real>
struct GatherJob {
  Part<const Real> from;
  const Placement* place = nullptr;
  Part<Real> to;
  double times = 1;
  bool add = false;
};

/// Columns into an array that is 0 elsewhere: to = times from.
template <class Real>
struct SpreadJob {
  Part<const Real> from;
  const Placement* place = nullptr;
  Part<Real> to;
  double times = 1;
};

/// One term's part of the split: rho/K q_term everywhere, and in the columns inside the mask an equal share of what
/// makes the parts add up to z - clip(z - rho q, gamma), or to z where gamma is 0. q is the mean of the terms' q.
template <class Real>
struct SplitJob {
  Part<const Real> z, q, q_term;
  const Placement* place = nullptr;
  Bytes mask;
  double rho = 1, gamma = 0;
  int terms = 1;  ///< K
  Part<Real> out;
};

/// most = max |z - times g| inside the mask.
template <class Real>
struct ExcessJob {
  Part<const Real> z, g;
  Bytes mask;
  double times = 1;
  double most = 0;
};

/// out = soft(b + clip(z + rho (b - q), gamma) / (100 rho), gamma / (100 rho)), b = a + q: a point between W and B that
/// is still exactly sparse.
template <class Real>
struct PolishJob {
  Part<const Real> z, a, q;
  Bytes mask;
  double rho = 1, gamma = 0;
  Part<Real> out;
};

/// Of times v and b: away = |times v - b|^2, inner = times v'b, l1 = |b|_1. b missing: of v and 0.
template <class Real>
struct CompareJob {
  Part<const Real> v, b;
  double times = 1;
  double away = 0, inner = 0, l1 = 0;
};

/// max |a|, |a|_1 and |a|^2.
template <class Real>
struct SizeJob {
  Part<const Real> a;
  double most = 0, l1 = 0, square = 0;
};

/// w = soft(a + theta v / rho, gamma / rho) inside the mask, with v'w and |v_S|^2 over the support of w.
template <class Real>
struct RayJob {
  Part<const Real> a, v;
  Bytes mask;
  double theta = 0, rho = 1, gamma = 0;
  Part<Real> w;
  double inner = 0, square = 0;
};

}  // namespace sturm::linalg
