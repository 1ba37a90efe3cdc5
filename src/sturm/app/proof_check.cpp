// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/proof_check.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/core/larger.h"
#include "sturm/core/parallel.h"
#include "sturm/models/training_statistics.h"

namespace sturm {
namespace {

/// Four times the rounding of a number in single precision, of which errors of many numbers together hardly ever make
/// more; the rounding of a term of a sum in double; and what is left to the order of sums.
constexpr double single_rounding = 2.4e-7, double_rounding = 4e-15, order_of_sums = 1e-10;
/// What theta may be outside the feasible set, beside the rounding of the volumes: both are computed in double.
constexpr double barely = 1e-9;
/// Rounding of a bound, as a part of what it is added to, that makes it none.
constexpr double most_rounding = 0.01;
/// The scale of a voxel was rounded to the precision of the solver.
constexpr double scale_rounding = 1e-6;

using Numbers = std::vector<double>;

/// Mean and 1 / norm of every volume over its voxels, for `sample`; a constant one becomes 0.
struct Volumes {
  Numbers mean, inverse;
};
template <class Real>
Volumes by_sample(const Design<Real>& x, Normalize normalize) {
  const Index samples = x.samples();
  Volumes out{Numbers(samples, 0.0), Numbers(samples, 1.0)};
  if (normalize != Normalize::sample) return out;
  const auto voxels = static_cast<double>(x.voxels());
  Numbers square(samples), most(samples);
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < samples; ++m) {
      out.mean[m] += static_cast<double>(x.column(v)[m]) / voxels;
      most[m] = std::max(most[m], std::abs(static_cast<double>(x.column(v)[m])));
    }
  for (Index v = 0; v < x.voxels(); ++v)
    for (Index m = 0; m < samples; ++m) square[m] += std::pow(static_cast<double>(x.column(v)[m]) - out.mean[m], 2);
  for (Index m = 0; m < samples; ++m)
    out.inverse[m] = std::sqrt(square[m] / voxels) > constant_below * most[m] ? 1 / std::sqrt(square[m]) : 0;
  return out;
}

/// What one pass over the voxels finds.
struct Products {
  Numbers xw;              ///< <X_m, W>, of centred volumes where they are
  Numbers rounding;        ///< of xw
  double of_mean = 0;      ///< <mean volume, W>
  Numbers z, z_rounding;   ///< scale X'u, of every voxel
  Numbers on_scale;        ///< W / scale
  std::vector<bool> open;  ///< whether W may be other than 0
  Index wrong_scales = 0, not_zero = 0;
};

template <class Real>
class Pass {
 public:
  Pass(const ProofTerms& terms, const Design<Real>& x, std::span<const double> weights, const ProofMap& map,
       const ProofPoint& point, const Numbers& u, bool centred)
      : terms_(terms),
        x_(x),
        weights_(weights),
        map_(map),
        point_(point),
        u_(u),
        centred_(centred),
        by_sample_(by_sample(x, terms.normalize)),
        total_(std::accumulate(weights.begin(), weights.end(), 0.0)) {}

  Products run() const {
    const Index voxels = x_.voxels(), samples = x_.samples(), part = 2048, parts = (voxels + part - 1) / part;
    Products out{Numbers(samples), Numbers(samples), 0, Numbers(voxels), Numbers(voxels), Numbers(voxels), {}};
    std::vector<std::uint8_t> open(voxels);
    std::vector<Sums> sums(parts, Sums{Numbers(samples), Numbers(samples), Numbers(samples)});
    parallel_for(parts, [&](Index p, int) {
      Numbers column(samples);
      for (Index v = p * part; v < std::min(voxels, (p + 1) * part); ++v) open[v] = add(v, column, sums[p], out);
    });
    out.open.assign(open.begin(), open.end());
    Numbers square(samples), size(samples);
    for (const Sums& s : sums) {
      for (Index m = 0; m < samples; ++m) {
        out.xw[m] += s.xw[m];
        square[m] += s.square[m];
        size[m] += s.size[m];
      }
      out.of_mean += s.of_mean;
      out.wrong_scales += s.wrong_scales;
      out.not_zero += s.not_zero;
    }
    for (Index m = 0; m < samples; ++m)
      out.rounding[m] = (terms_.single ? single_rounding * std::sqrt(square[m]) : 0) + double_rounding * size[m];
    return out;
  }

 private:
  struct Sums {
    Numbers xw, square, size;
    double of_mean = 0;
    Index wrong_scales = 0, not_zero = 0;
  };

  /// Whether W may be other than 0 in the voxel.
  bool add(Index v, Numbers& column, Sums& sums, Products& out) const {
    const Index samples = x_.samples();
    double mean = 0, variance = 0, most = 0;
    for (Index m = 0; m < samples; ++m) {
      column[m] = (static_cast<double>(x_.column(v)[m]) - by_sample_.mean[m]) * by_sample_.inverse[m];
      mean += weights_[m] * column[m] / total_;
    }
    double scale = 1;
    if (terms_.normalize == Normalize::voxel) {
      for (Index m = 0; m < samples; ++m) {
        variance += weights_[m] * std::pow(column[m] - mean, 2) / total_;
        if (weights_[m] > 0) most = std::max(most, std::abs(column[m]));
      }
      const double deviation = std::sqrt(variance);
      scale = point_.scale[v];
      const bool constant = deviation <= constant_below * most, nearly = deviation <= 1.001 * constant_below * most;
      const bool right = scale == 0 ? nearly : !constant && std::abs(scale * deviation - 1) <= scale_rounding;
      sums.wrong_scales += !right;
    }
    const double w = map_.coef[v];
    if (scale == 0) {
      sums.not_zero += w != 0;
      return false;
    }
    if (centred_)
      for (double& value : column) value -= mean;
    double z = 0, square = 0, size = 0;
    for (Index m = 0; m < samples; ++m) {
      const double product = u_[m] * column[m];
      z += product;
      square += product * product;
      size += std::abs(product) + std::abs(u_[m] * mean);  // the solver may not have centred before it summed
    }
    out.z[v] = scale * z;
    out.z_rounding[v] = scale * ((terms_.single ? single_rounding * std::sqrt(square) : 0) + double_rounding * size);
    out.on_scale[v] = w / scale;
    if (w == 0) return true;
    for (Index m = 0; m < samples; ++m) {
      const double product = w * column[m];
      sums.xw[m] += product;
      sums.square[m] += product * product;
      sums.size[m] += std::abs(product) + std::abs(w * mean);
    }
    if (centred_) sums.of_mean += w * mean;
    return true;
  }

  const ProofTerms& terms_;
  const Design<Real>& x_;
  std::span<const double> weights_;
  const ProofMap& map_;
  const ProofPoint& point_;
  const Numbers& u_;
  bool centred_;
  Volumes by_sample_;
  double total_;
};

/// Theta of a support vector machine inside its box, and with sum 0: the side that weighs more is made lighter.
Numbers inside_box(const ProofTerms& terms, std::span<const double> y, std::span<const double> weights,
                   std::span<const double> theta, ProofNumbers& out) {
  Numbers beta(theta.begin(), theta.end());
  double above = 0, below = 0;
  for (std::size_t m = 0; m < beta.size(); ++m) {
    const double most = terms.c * weights[m];
    if (most > 0) out.excess = larger(out.excess, std::abs(beta[m]) / most);
    if (!(most > 0) && beta[m] != 0) out.problems.emplace_back("theta is not 0 for a sample of weight 0");
    if (!terms.classes || beta[m] * y[m] >= 0) continue;
    if (beta[m] * y[m] < -barely * most) out.problems.emplace_back("theta has a sign that its class does not allow");
    beta[m] = 0;
  }
  for (double& b : beta) {
    b /= out.excess;
    (b > 0 ? above : below) += std::abs(b);
  }
  if (std::abs(above - below) > 1e-6 * std::max(above, below)) out.problems.emplace_back("theta does not add up to 0");
  for (double& b : beta)
    if ((b > 0 ? above : below) > 0) b *= std::min(above, below) / (b > 0 ? above : below);
  return beta;
}

/// The weighted standard deviation of the targets; 1 where they are all the same.
double deviation(std::span<const double> y, std::span<const double> weights) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  double mean = 0, variance = 0, most = 0;
  for (std::size_t m = 0; m < y.size(); ++m)
    if (weights[m] > 0) mean += weights[m] * y[m] / total;
  for (std::size_t m = 0; m < y.size(); ++m)
    if (weights[m] > 0) {
      variance += weights[m] * std::pow(y[m] - mean, 2) / total;
      most = std::max(most, std::abs(y[m]));
    }
  return std::sqrt(variance) > 1e-13 * most ? std::sqrt(variance) : 1;
}

/// P and D of the square loss.
class Squares {
 public:
  Squares(const ProofTerms& terms, std::span<const double> y, std::span<const double> weights, const ProofMap& map,
          const ProofPoint& point, const Shape& box, const Region& region, ProofNumbers& out)
      : terms_(terms), y_(y), weights_(weights), map_(map), point_(point), box_(box), region_(region), out_(out) {}

  /// theta as it multiplies y, and as it multiplies the volumes.
  Numbers of_labels(bool centred) const {
    Numbers u = point_.theta;
    double sum = 0, total = 0;
    for (std::size_t m = 0; m < u.size(); ++m) {
      sum += u[m];
      total += weights_[m];
    }
    if (centred)
      for (std::size_t m = 0; m < u.size(); ++m) u[m] -= weights_[m] * sum / total;
    return u;
  }

  void run(const Products& found) {
    low_rank_ = terms_.tau > 0 && (terms_.kind == ProofKind::tubal || terms_.kind == ProofKind::unfoldings);
    primal(found);
    dual(found);
  }

  double at_zero() const { return at_zero_; }

 private:
  NormsOfProof norms(const Tensor& a) const {
    return terms_.kind == ProofKind::tubal ? tubal_norms(a) : unfolded_norms(a);
  }

  void primal(const Products& found) {
    double misfit = 0, mean = 0, total = 0, l1 = 0, square = 0;
    for (std::size_t m = 0; m < y_.size(); ++m) {
      mean += weights_[m] * y_[m];
      total += weights_[m];
    }
    mean = terms_.intercept ? mean / total : 0;
    for (std::size_t m = 0; m < y_.size(); ++m) {
      const double s = weights_[m], p = found.xw[m] + found.of_mean, r = y_[m] - map_.intercept - p;
      const double rounding =
          found.rounding[m] + 4e-16 * (std::abs(y_[m]) + std::abs(map_.intercept) + std::abs(found.of_mean));
      if (!(s > 0)) continue;
      misfit += s * r * r / 2;
      at_zero_ += terms_.alpha * s * std::pow(y_[m] - mean, 2) / 2;
      out_.primal_rounding += terms_.alpha * s * (std::abs(r) * rounding + rounding * rounding / 2);
    }
    for (const double v : found.on_scale) {
      l1 += std::abs(v);
      square += v * v;
    }
    out_.primal = terms_.alpha * misfit + terms_.gamma * l1 + terms_.l2 * square / 2;
    if (!low_rank_) return;
    const NormsOfProof found_norms = norms(region_.spread<double>(found.on_scale));
    out_.primal += terms_.tau * found_norms.nuclear;
    if (terms_.single) out_.primal_rounding += terms_.tau * found_norms.rounding;
  }

  void dual(const Products& found) {
    const Numbers u = of_labels(terms_.intercept);
    double along = 0, square = 0;
    for (std::size_t m = 0; m < u.size(); ++m) {
      if (!(weights_[m] > 0)) {
        if (point_.theta[m] != 0) out_.problems.emplace_back("theta is not 0 for a sample of weight 0");
        continue;
      }
      along += y_[m] * u[m];
      square += u[m] / (terms_.alpha * weights_[m]) * u[m] / 2;  // u alone may be too small for a square
    }
    if (terms_.kind == ProofKind::squares && terms_.l2 > 0) {
      out_.dual = along - square;
      for (std::size_t v = 0; v < found.z.size(); ++v)
        if (const double beyond = std::abs(found.z[v]) - terms_.gamma; found.open[v] && beyond > 0) {
          out_.dual -= beyond * beyond / (2 * terms_.l2);
          out_.dual_rounding += beyond * found.z_rounding[v] / terms_.l2;
        }
      return;
    }
    feasible(found);
    const auto at = [&](double excess) { return along / excess - square / (excess * excess); };
    const double c = out_.excess, rounding = out_.excess_rounding;
    out_.dual = at(c);
    out_.dual_rounding =
        std::max(std::abs(at(c + rounding) - out_.dual), std::abs(at(std::max(1.0, c - rounding)) - out_.dual));
    // Where rounding is all that theta is divided by, a bound that has not fallen below it proves nothing.
    if (rounding > most_rounding * c)
      out_.dual_rounding = std::min(10 * std::abs(along) / c, most_rounding * std::abs(out_.primal));
  }

  /// By what theta must be divided. z = G1 + G2, G1 being what G2 leaves. Where that is more than gamma by no more than
  /// the rounding of z, as it is where there is no gamma, G2 may take it instead: the better of the two counts.
  void feasible(const Products& found) {
    Numbers sum(found.z.size());
    for (const Tensor& part : point_.split) {
      const Numbers here = region_.gather<double>(part.flat());
      for (std::size_t v = 0; v < sum.size(); ++v) sum[v] += here[v];
    }
    std::vector<Tensor> other = point_.split;
    double lost = 0, rounding = 0, left_over = 0;
    for (std::size_t v = 0; v < sum.size(); ++v) {
      if (!found.open[v]) continue;
      const double left = found.z[v] - sum[v], mine = found.z_rounding[v];
      const double rest = left - std::clamp(left, -terms_.gamma, terms_.gamma);
      const double taken = std::clamp(rest, -mine, mine);
      for (Tensor& part : other)
        part.data()[region_.voxel(static_cast<Index>(v))] += taken / static_cast<double>(other.size());
      if (std::abs(left) + mine > terms_.gamma) lost += mine * mine;
      left_over = larger(left_over, std::abs(left - taken));
      if (!(terms_.gamma > 0)) continue;
      out_.excess_gamma = larger(out_.excess_gamma, std::abs(left) / terms_.gamma);
      rounding = larger(rounding, mine / terms_.gamma);
    }
    if (low_rank_) out_.excess_tau = dual_norm(point_.split);
    out_.excess = larger(1.0, larger(out_.excess_gamma, out_.excess_tau));
    out_.excess_rounding = barely + rounding;
    if (!low_rank_ || (terms_.gamma > 0 && out_.excess_gamma <= 1)) return;
    const double of_gamma = left_over > 0 ? left_over / terms_.gamma : 0;  // infinite where there is no gamma
    const double moved = dual_norm(other), excess = larger(1.0, larger(of_gamma, moved));
    // No singular value is above sqrt(I3), or 3, times the Frobenius norm.
    const double of_moved = barely + std::sqrt(lost * static_cast<double>(std::max<Index>(9, box_.n3))) / terms_.tau;
    if (terms_.gamma > 0 && !(excess + of_moved < out_.excess + out_.excess_rounding)) return;
    out_.excess = excess;
    out_.excess_tau = moved;
    out_.excess_gamma = of_gamma;
    out_.excess_rounding = of_moved;
  }

  /// Over tau.
  double dual_norm(const std::vector<Tensor>& split) const {
    double out = 0;
    for (std::size_t k = 0; k < split.size(); ++k)
      out = larger(out, norms(split[k]).spectral[terms_.kind == ProofKind::tubal ? 0 : k] / terms_.tau);
    return out;
  }

  const ProofTerms& terms_;
  std::span<const double> y_, weights_;
  const ProofMap& map_;
  const ProofPoint& point_;
  const Shape& box_;
  const Region& region_;
  ProofNumbers& out_;
  bool low_rank_ = false;
  double at_zero_ = 0;
};

/// P and D of a support vector machine.
void margin(const ProofTerms& terms, std::span<const double> y, std::span<const double> weights, const ProofMap& map,
            std::span<const double> beta, const Products& found, ProofNumbers& out) {
  const double tube = terms.classes ? 0 : terms.tube * deviation(y, weights);
  for (std::size_t v = 0; v < found.z.size(); ++v) {
    out.primal += std::pow(found.on_scale[v], 2) / 2;
    out.dual -= found.z[v] * found.z[v] / 2;
    out.dual_rounding += std::abs(found.z[v]) * found.z_rounding[v];
  }
  for (std::size_t m = 0; m < y.size(); ++m) {
    const double f = map.intercept + found.of_mean + found.xw[m], most = terms.c * weights[m];
    const double miss = terms.classes ? 1 - y[m] * f : std::abs(y[m] - f) - tube;
    out.primal += most * std::max(0.0, miss);
    out.primal_rounding += most * (found.rounding[m] + 4e-16 * (std::abs(map.intercept) + std::abs(found.of_mean)));
    out.dual += y[m] * beta[m] - tube * std::abs(beta[m]);
  }
}

/// Arrays of the wrong size: what follows could not even be computed.
template <class Real>
bool fits(const ProofTerms& terms, const Design<Real>& x, const ProofMap& map, const ProofPoint& point,
          ProofNumbers& out) {
  const std::size_t terms_of_split = terms.tau > 0 ? terms.kind == ProofKind::tubal        ? 1
                                                     : terms.kind == ProofKind::unfoldings ? 3
                                                                                           : 0
                                                   : 0;
  if (point.split.size() != terms_of_split)
    out.problems.emplace_back("the split does not have the parts of the penalty");
  for (const Tensor& part : point.split)
    if (part.shape() != x.shape()) out.problems.emplace_back("the split is of volumes of another shape");
  if ((terms.normalize == Normalize::voxel) != !point.scale.empty() ||
      (!point.scale.empty() && std::ssize(point.scale) != x.voxels()))
    out.problems.emplace_back("the scale of the voxels does not go with the normalisation");
  const auto finite = [](const auto& numbers) {
    return std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); });
  };
  bool numbers = finite(point.theta) && finite(point.scale) && finite(map.coef) && std::isfinite(map.intercept);
  for (const Tensor& part : point.split) numbers = numbers && finite(part.flat());
  if (!numbers) out.problems.emplace_back("something in it is not a number");
  for (const double weight : {terms.tau, terms.gamma, terms.l2, terms.c, terms.tube})
    if (!(weight >= 0 && std::isfinite(weight))) out.problems.emplace_back("a penalty is not a number from 0");
  if (!(terms.alpha > 0 && std::isfinite(terms.alpha))) out.problems.emplace_back("alpha is not a number above 0");
  if (terms.kind == ProofKind::margin ? !(terms.c > 0) : !(terms.tau > 0 || terms.gamma > 0 || terms.l2 > 0))
    out.problems.emplace_back("without a penalty nothing bounds the objective");
  return out.problems.empty();
}

}  // namespace

template <class Real>
ProofNumbers check_proof(const ProofTerms& terms, const Design<Real>& x, std::span<const double> y,
                         std::span<const double> weights, const ProofMap& map, const ProofPoint& point) {
  ProofNumbers out;
  const double none = std::numeric_limits<double>::quiet_NaN();
  out.primal = out.dual = none;
  if (!fits(terms, x, map, point, out)) return out;
  out.primal = out.dual = 0;
  const bool centred = terms.intercept || terms.normalize == Normalize::voxel;
  Squares squares(terms, y, weights, map, point, x.shape(), x.region(), out);
  const bool machine = terms.kind == ProofKind::margin;
  const Numbers u = machine ? inside_box(terms, y, weights, point.theta, out) : squares.of_labels(centred);
  const Products found = Pass<Real>(terms, x, weights, map, point, u, centred).run();
  double least = 0;
  if (machine) {
    margin(terms, y, weights, map, u, found, out);
    out.excess_rounding = barely;
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t m = 0; m < y.size(); ++m)
      if (weights[m] > 0) {
        low = std::min(low, y[m]);
        high = std::max(high, y[m]);
      }
    least = terms.classes || !(low < high) ? 1 : std::pow((high - low) / 2, 2);
  } else {
    squares.run(found);
    least = squares.at_zero();
  }
  if (found.wrong_scales > 0)
    out.problems.emplace_back("the scale is not 1 / deviation in " + std::to_string(found.wrong_scales) + " voxels");
  if (found.not_zero > 0)
    out.problems.emplace_back("coefficients are not 0 in " + std::to_string(found.not_zero) + " constant voxels");
  // The best intercept for this map: of a support vector machine there is no formula, and the objective tells.
  double largest = 0;
  out.best_intercept = terms.intercept ? 0 : centred ? -found.of_mean : 0;
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (std::size_t m = 0; m < y.size(); ++m) {
    if (terms.intercept) out.best_intercept += weights[m] * (y[m] - found.xw[m] - found.of_mean) / total;
    largest = std::max({largest, std::abs(y[m]), std::abs(found.xw[m]), std::abs(found.of_mean)});
    out.intercept_rounding = std::max(out.intercept_rounding, found.rounding[m]);
  }
  if (machine) out.best_intercept = map.intercept;
  out.intercept_rounding += 1e-10 * largest;
  const double base = std::max(std::abs(out.primal), 1e-12 * least);
  out.primal_rounding += order_of_sums * std::abs(out.primal);
  out.dual_rounding += order_of_sums * std::max(std::abs(out.primal), std::abs(out.dual));
  out.gap = base > 0 ? (out.primal - out.dual) / base : 0;
  out.gap_rounding = base > 0 ? (out.primal_rounding + out.dual_rounding) / base : 0;
  if (!std::isfinite(out.primal) || !std::isfinite(out.dual) || !std::isfinite(out.gap))
    out.problems.emplace_back("something in it is not a number");
  return out;
}

template ProofNumbers check_proof(const ProofTerms&, const Design<float>&, std::span<const double>,
                                  std::span<const double>, const ProofMap&, const ProofPoint&);
template ProofNumbers check_proof(const ProofTerms&, const Design<double>&, std::span<const double>,
                                  std::span<const double>, const ProofMap&, const ProofPoint&);

}  // namespace sturm
