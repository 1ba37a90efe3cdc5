// SPDX-License-Identifier: BSD-3-Clause
// The parts of stagewise.cpp: the data in units, and one term with all its steps at hand.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "sturm/core/parallel.h"
#include "sturm/solver/stagewise.h"

namespace sturm::stagewise {

/// What every term sees: X~ = R' X diag(scale) / (x_unit sqrt(S)), so that J is a plain sum of squares.
template <class Real>
class Units {
 public:
  Units(const Design<Real>& x, const RowMap& rows, std::span<const double> scale) : x_(x), rows_(rows), scale_(scale) {
    for (const double w : rows.weights()) total_ += w;
    if (!x.region().whole()) {
      column_.assign(x.shape().size(), -1);
      for (Index c = 0; c < x.voxels(); ++c) column_[x.region().voxel(c)] = c;
    }
    deviation_ = for_voxels([&](Index, std::span<const double> column) { return std::sqrt(dot(column, column)); });
    for (const double d : deviation_) x_unit_ = std::max(x_unit_, d);
    if (x_unit_ > 0)
      for (double& d : deviation_) d /= x_unit_;
  }

  Index samples() const { return x_.samples(); }
  double x_unit() const { return x_unit_; }
  const Region& region() const { return x_.region(); }
  double deviation(Index column) const { return deviation_[column]; }
  double scale(Index column) const { return scale_.empty() ? 1 : scale_[column]; }

  static double dot(std::span<const double> a, std::span<const double> b) {
    double out = 0;
    for (std::size_t i = 0; i < a.size(); ++i) out += a[i] * b[i];
    return out;
  }

  /// R'a / sqrt(S).
  std::vector<double> mapped(std::span<const double> a) const {
    std::vector<double> out = rows_.apply(a);
    for (double& v : out) v /= std::sqrt(total_);
    return out;
  }

  /// value(column, its mapped numbers, before x_unit) for every column that is not left out; 0 for the others.
  template <class Value>
  std::vector<double> for_voxels(const Value& value) const {
    constexpr Index block = 2048;
    std::vector<double> out(x_.voxels());
    parallel_for((x_.voxels() + block - 1) / block, [&](Index b, int) {
      std::vector<double> column(samples());
      for (Index v = b * block; v < std::min(x_.voxels(), (b + 1) * block); ++v) {
        if (scale(v) == 0) continue;
        double largest = 0;
        for (Index m = 0; m < samples(); ++m) {
          column[m] = scale(v) * static_cast<double>(x_.column(v)[m]);
          if (rows_.weights()[m] > 0) largest = std::max(largest, std::abs(column[m]));
        }
        std::vector<double> centred = mapped(column);
        const double rounding = 1e-13 * largest;  // a constant voxel is 0, not what rounding leaves of it
        for (double& c : centred) c = std::abs(c) <= rounding ? 0 : c;
        out[v] = value(v, centred);
      }
    });
    return out;
  }

  /// z += weight * x_v over all samples, before R'; v is a voxel of the box, and outside the region there is nothing.
  void add_voxel(Index v, double weight, double* z) const {
    const Index at = column_.empty() ? v : column_[v];
    const double c = at < 0 ? 0 : weight * scale(at) / x_unit_;
    if (c == 0) return;
    const Real* column = x_.column(at);
    for (Index m = 0; m < samples(); ++m) z[m] += c * static_cast<double>(column[m]);
  }

 private:
  const Design<Real>& x_;
  const RowMap& rows_;
  std::span<const double> scale_;
  double total_ = 0, x_unit_ = 0;
  std::vector<double> deviation_;
  std::vector<Index> column_;  ///< of every voxel of the box, -1 outside the region; empty: the voxel itself
};

struct Candidate {
  int mode = 0;
  Index index = 0;
  double change = 0;
  double loss_change = std::numeric_limits<double>::infinity();
  double penalty_change = 0;
  double objective_change = std::numeric_limits<double>::infinity();
};

/// One term under way. raw_[n] (M x I_n) is X contracted with the other two vectors, z_[n] the same after R'.
template <class Real>
class Term {
 public:
  Term(const Units<Real>& units, const Shape& shape, std::vector<double> residual, const StagewiseOptions& options)
      : units_(units),
        size_{shape.n1, shape.n2, shape.n3},
        spacing_{1, shape.n1, shape.slice()},
        m_(units.samples()),
        options_(options),
        residual_(std::move(residual)) {}

  /// The single voxel whose step lowers J most: J(+-eps e_v) - J(0) = -2 eps |x_v'r| + eps^2 (|x_v|^2 + alpha).
  Candidate first() const {
    const double eps = options_.epsilon, unit = units_.x_unit();
    const std::vector<double> product =
        units_.for_voxels([&](Index, std::span<const double> column) { return units_.dot(column, residual_) / unit; });
    Candidate best{3};
    for (Index v = 0; v < static_cast<Index>(product.size()); ++v) {
      const double d = units_.deviation(v);
      if (d == 0) continue;
      const double change = -2 * eps * std::abs(product[v]) + eps * eps * (d * d + options_.alpha);
      if (change < best.loss_change)
        best = {3, units_.region().voxel(v), product[v] > 0 ? eps : -eps, change, eps, change};
    }
    return best;
  }

  void start(const Candidate& at) {
    const std::array<Index, 3> position{at.index % size_[0], at.index / size_[0] % size_[1], at.index / spacing_[2]};
    term_.scale = std::abs(at.change);
    for (int n = 0; n < 3; ++n) {
      term_.w[n].assign(size_[n], 0.0);
      term_.w[n][position[n]] = 1;
    }
    term_.w[0][position[0]] = at.change > 0 ? 1 : -1;
    for (int n = 0; n < 3; ++n) refresh(n);
    find_error();
  }

  /// The best change of -sign(w) eps to an entry of the support, by the penalised objective; an entry that would change
  /// its sign stops at zero.
  Candidate backward(double lambda) const {
    return best_of([&](int n, Index i) {
      const double value = term_.scale * term_.w[n][i];
      Candidate c = changed(n, i, value > 0 ? -std::min(options_.epsilon, value) : std::min(options_.epsilon, -value));
      c.objective_change =
          value == 0 ? std::numeric_limits<double>::infinity() : c.loss_change + lambda * c.penalty_change;
      return c;
    });
  }

  /// The best change of +-eps to any entry, by J.
  Candidate forward() const {
    return best_of([&](int n, Index i) {
      Candidate up = changed(n, i, options_.epsilon), down = changed(n, i, -options_.epsilon);
      Candidate& c = down.loss_change < up.loss_change ? down : up;
      c.objective_change = c.loss_change;
      return c;
    });
  }

  /// Takes the step; false where nothing is left of the term.
  bool step(const Candidate& c) {
    const int n = c.mode;
    std::vector<double>& w = term_.w[n];
    const double before = term_.scale, old = w[c.index];
    const double value = before * old + c.change;
    double after = 0;
    for (Index i = 0; i < size_[n]; ++i) after += i == c.index ? std::abs(value) : std::abs(before * w[i]);
    if (!(after > 0)) return false;
    for (double& v : w) v *= before / after;
    w[c.index] = std::abs(value) <= 1e-12 * before ? 0 : value / after;
    term_.scale = after;
    ++age_;
    const int a = (n + 1) % 3, b = (n + 2) % 3;
    for (const auto& [mode, other] : {std::pair{a, b}, std::pair{b, a}}) {
      if (age_ % 64 == 0) {  // rounding of many small changes has added up
        refresh(mode);
        continue;
      }
      for (double& v : raw_[mode]) v *= before / after;
      add_plane(mode, other, n, c.index, c.change / after);
      map(mode);
    }
    find_error();
    return true;
  }

  const StagewiseTerm& term() const { return term_; }
  /// The residual that it leaves.
  const std::vector<double>& error() const { return error_; }

 private:
  /// J and |W|_1 after w_n changes, from  J(v + c e_i) - J(v) = c^2 |z_i|^2 - 2 c z_i'e + alpha beta (2 c v_i + c^2)
  /// with v = s w_n, e the residual of the term, beta = prod of |w_k|^2 over the other modes.
  Candidate changed(int n, Index i, double c) const {
    const double value = term_.scale * term_.w[n][i];
    const double loss =
        c * c * square_[n][i] - 2 * c * product_[n][i] + options_.alpha * beta_[n] * (2 * c * value + c * c);
    return {n, i, c, loss, std::abs(value + c) - std::abs(value), 0};
  }

  template <class Make>
  Candidate best_of(const Make& make) const {
    Candidate best;
    for (int n = 0; n < 3; ++n)
      for (Index i = 0; i < size_[n]; ++i) {
        const Candidate c = make(n, i);
        if (c.objective_change < best.objective_change) best = c;
      }
    return best;
  }

  /// raw_[mode] += weight * X contracted with e_index in mode `fixed` and w_other.
  void add_plane(int mode, int other, int fixed, Index index, double weight) {
    for (Index j = 0; j < size_[other]; ++j) {
      const double w = term_.w[other][j];
      if (w == 0) continue;
      for (Index i = 0; i < size_[mode]; ++i)
        units_.add_voxel(index * spacing_[fixed] + j * spacing_[other] + i * spacing_[mode], weight * w,
                         &raw_[mode][m_ * i]);
    }
  }

  void refresh(int mode) {
    const int other = (mode + 1) % 3, fixed = (mode + 2) % 3;
    raw_[mode].assign(m_ * size_[mode], 0.0);
    for (Index i = 0; i < size_[fixed]; ++i)
      if (term_.w[fixed][i] != 0) add_plane(mode, other, fixed, i, term_.w[fixed][i]);
    map(mode);
  }

  void map(int mode) {
    z_[mode].resize(raw_[mode].size());
    square_[mode].assign(size_[mode], 0.0);
    for (Index i = 0; i < size_[mode]; ++i) {
      const std::vector<double> column = units_.mapped({&raw_[mode][m_ * i], static_cast<std::size_t>(m_)});
      std::copy(column.begin(), column.end(), &z_[mode][m_ * i]);
      square_[mode][i] = units_.dot(column, column);
    }
  }

  /// e = r - s Z_n w_n, by the mode whose Z is at hand, and all products with it.
  void find_error() {
    error_ = residual_;
    for (Index i = 0; i < size_[0]; ++i) {
      const double value = term_.scale * term_.w[0][i];
      if (value == 0) continue;
      for (Index m = 0; m < m_; ++m) error_[m] -= value * z_[0][m_ * i + m];
    }
    std::array<double, 3> norm2{};
    for (int n = 0; n < 3; ++n) norm2[n] = units_.dot(term_.w[n], term_.w[n]);
    for (int n = 0; n < 3; ++n) {
      beta_[n] = norm2[(n + 1) % 3] * norm2[(n + 2) % 3];
      product_[n].resize(size_[n]);
      for (Index i = 0; i < size_[n]; ++i)
        product_[n][i] = units_.dot({&z_[n][m_ * i], static_cast<std::size_t>(m_)}, error_);
    }
  }

  const Units<Real>& units_;
  std::array<Index, 3> size_, spacing_;
  Index m_;
  const StagewiseOptions& options_;
  std::vector<double> residual_, error_;
  StagewiseTerm term_;
  std::array<std::vector<double>, 3> raw_, z_, square_, product_;
  std::array<double, 3> beta_{};
  int age_ = 0;
};

}  // namespace sturm::stagewise
