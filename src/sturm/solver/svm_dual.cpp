// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/solver/svm_dual.h"

#include <libsvm/svm.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <numeric>
#include <optional>

#include "sturm/core/error.h"
#include "sturm/linalg/host.h"

namespace sturm {

/// Row i as LIBSVM wants it: its number, counted from 1, then k(i, 1), k(i, 2) ... and an end.
struct SvmKernel::Nodes {
  std::vector<svm_node> all;
};

SvmKernel::SvmKernel(std::vector<double> values, Index samples, bool degenerate)
    : values_(std::move(values)), samples_(samples), degenerate_(degenerate), nodes_(std::make_unique<Nodes>()) {
  if (static_cast<Index>(values_.size()) != checked_product(samples, samples))
    throw Error("a kernel of " + std::to_string(samples) + " samples is not a matrix of " +
                std::to_string(values_.size()) + " numbers");
  if (degenerate) return;
  nodes_->all.reserve(samples * (samples + 2));
  for (Index i = 0; i < samples; ++i) {
    nodes_->all.push_back({0, static_cast<double>(i + 1)});
    for (Index j = 0; j < samples; ++j) nodes_->all.push_back({static_cast<int>(j + 1), row(i)[j]});
    nodes_->all.push_back({-1, 0});
  }
}
SvmKernel::~SvmKernel() = default;
SvmKernel::SvmKernel(SvmKernel&&) noexcept = default;
SvmKernel& SvmKernel::operator=(SvmKernel&&) noexcept = default;

namespace {

// What LIBSVM is asked for, and where the loop in double ends. From 1e-2 on few samples change sides, and a step of all
// at once does what takes LIBSVM most of its time.
constexpr double coarse = 1e-2, fine = 1e-9, finest = 1e-11;
constexpr double last_digits = 1e-13;  // with a large C they count
constexpr int most_iterations = 1'000'000;
constexpr int patience = 1;  // steps of two coordinates, a sample, before all move at once
constexpr int few = 4;       // steps of all at once that put back what a kernel lost, bounds met on the way among them

/// The one weight of all samples of a class; none where they differ.
std::optional<double> weight_of_class(const SvmProblem& problem, double label) {
  std::optional<double> found;
  for (const SvmTerm& term : problem.terms) {
    if (term.sign != label) continue;
    if (found && *found != term.upper) return {};
    found = term.upper;
  }
  return found;
}

}  // namespace

struct Libsvm {
  /// beta of the terms, which are of two classes.
  static std::vector<double> train(const SvmKernel& kernel, const SvmProblem& of, double negative, double positive) {
    svm_set_print_string_function([](const char*) {});
    std::vector<double> labels;
    std::vector<svm_node*> nodes;
    for (const SvmTerm& term : of.terms) {
      labels.push_back(term.sign);
      nodes.push_back(kernel.nodes_->all.data() + term.row * (kernel.samples() + 2));
    }
    svm_problem problem{static_cast<int>(labels.size()), labels.data(), nodes.data()};
    int classes[] = {-1, 1};
    double weights[] = {negative, positive};
    svm_parameter parameter{};
    parameter.svm_type = C_SVC;
    parameter.kernel_type = PRECOMPUTED;
    parameter.cache_size = std::max(1.0, 4e-6 * static_cast<double>(labels.size() * labels.size()) * 1.1);  // all of it
    parameter.eps = coarse;
    parameter.C = 1;
    parameter.nr_weight = 2;
    parameter.weight_label = classes;
    parameter.weight = weights;
    parameter.shrinking = 1;
    svm_model* model = svm_train(&problem, &parameter);
    std::vector<double> beta(labels.size());
    const double sign = model->label[0] == 1 ? 1 : -1;
    for (int k = 0; k < model->l; ++k) beta[model->sv_indices[k] - 1] = sign * model->sv_coef[0][k];
    svm_free_and_destroy_model(&model);
    return beta;
  }
};

namespace {

/// Sequential minimal optimisation over the terms of one fold: two coordinates a step, the first the one that
/// violates optimality most, the second the one whose step gains most (Fan, Chen and Lin 2005). Where that creeps, as
/// it does with few voxels and a large C, all coordinates inside their bounds move at once, by Newton's method. rest_i
/// = target_i - (K beta)_i.
class Finish {
 public:
  Finish(const SvmKernel& kernel, const SvmProblem& problem, std::vector<double> beta)
      : beta_(std::move(beta)), middle_(problem.middle), unit_(problem.unit) {
    for (const SvmTerm& term : problem.terms) {
      rows_.push_back(term.row);
      low_.push_back(term.sign > 0 ? 0 : -term.upper);
      high_.push_back(term.sign > 0 ? term.upper : 0);
      target_.push_back(term.target);
    }
    const std::size_t n = rows_.size();
    local_.resize(n * n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) local_[i + j * n] = kernel.row(rows_[i])[rows_[j]];
  }

  /// Moves the targets by what the kernel is known to leave out of every sample. beta is close to the solution, and all
  /// coordinates are a little off.
  void move_targets(std::span<const double> by) {
    for (std::size_t i = 0; i < rows_.size(); ++i) target_[i] += by[rows_[i]];
    form_rest();
    face(last_digits * unit_, few);
  }

  /// In rounds, each to a tolerance of its own: `rest` is formed anew between them, and by then it is known how large
  /// the numbers are whose rounding limits the next.
  void run(SvmSolution& out, std::initializer_list<double> rounds, double rounding, int most) {
    for (const double wanted : rounds) {
      const double tolerance = std::max(wanted * unit_, rounding * form_rest());
      while (out.iterations < most && !pairs(tolerance, most, out.iterations)) {
        face(tolerance, 2 * rows_.size() + 20);
        form_rest();
      }
    }
    std::ranges::fill(out.beta, 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) out.beta[rows_[i]] += beta_[i];
    out.intercept = middle_ + intercept();
  }

 private:
  /// rest = target - K beta; the largest sum of |K_ij beta_j|.
  double form_rest() {
    rest_ = target_;
    std::vector<double> sums(rows_.size());
    for (std::size_t j = 0; j < rows_.size(); ++j)
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        rest_[i] -= k(i, j) * beta_[j];
        sums[i] += std::abs(k(i, j) * beta_[j]);
      }
    return rows_.empty() ? 0 : std::ranges::max(sums);
  }

  /// Loops run over i: a column of the kernel is in one piece.
  double k(std::size_t i, std::size_t j) const { return local_[i + j * rows_.size()]; }

  /// Steps of two coordinates, as many as usually do; true where there is nothing left to gain.
  bool pairs(double tolerance, int most, int& iterations) {
    const int last = std::min<int>(most, iterations + patience * static_cast<int>(rows_.size()));
    for (; iterations < last; ++iterations)
      if (!step(tolerance)) return true;
    return false;
  }

  /// To the best point of the face of the box that beta lies on, or of a smaller one whose bounds are met on the way:
  ///     max_d  rest_F'd - 1/2 d'(K_FF + ridge) d,    sum d = 0,
  /// then along d as far as the true objective grows and the box reaches. The ridge is far below what counts, so that
  /// in directions without curvature, of which a kernel of few voxels has many, d is long and a bound is met.
  void face(double tolerance, std::size_t rounds) {
    for (std::size_t round = 0; round < rounds; ++round) {
      std::vector<std::size_t> free;
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (beta_[i] > low_[i] && beta_[i] < high_[i]) free.push_back(i);
      if (free.size() < 2) return;
      const auto [least, most] = std::ranges::minmax(free, {}, [&](std::size_t i) { return rest_[i]; });
      if (rest_[most] - rest_[least] <= tolerance / 2) return;
      const std::vector<double> d = direction(free);
      if (d.empty() || !move(free, d)) return;
    }
  }

  /// Newton's direction; empty where the kernel of the free coordinates is not one.
  std::vector<double> direction(const std::vector<std::size_t>& free) const {
    const auto n = static_cast<Index>(free.size());
    std::vector<double> matrix(free.size() * free.size()), d(free.size()), ones(free.size(), 1.0);
    double trace = 0, middle = 0;
    for (const std::size_t i : free) {
      trace += k(i, i);
      middle += rest_[i] / static_cast<double>(n);
    }
    for (std::size_t a = 0; a < free.size(); ++a) {
      for (std::size_t b = 0; b < free.size(); ++b) matrix[a * free.size() + b] = k(free[a], free[b]);
      matrix[a * free.size() + a] += 1e-12 * trace + std::numeric_limits<double>::min();
      d[a] = rest_[free[a]] - middle;  // what is common to all does not move anything, and only costs digits
    }
    if (!linalg::host::cholesky<double>(n, matrix.data())) return {};
    linalg::host::cholesky_solve<double>(n, matrix.data(), d.data());
    linalg::host::cholesky_solve<double>(n, matrix.data(), ones.data());
    const double share = std::reduce(d.begin(), d.end()) / std::reduce(ones.begin(), ones.end());
    for (std::size_t a = 0; a < free.size(); ++a) d[a] -= share * ones[a];
    return d;
  }

  /// False where nothing is gained any more.
  bool move(const std::vector<std::size_t>& free, const std::vector<double>& d) {
    std::vector<double> change(rows_.size());  // K d
    for (std::size_t a = 0; a < free.size(); ++a)
      for (std::size_t i = 0; i < rows_.size(); ++i) change[i] += k(i, free[a]) * d[a];
    double slope = 0, curve = 0, length = std::numeric_limits<double>::infinity();
    std::size_t met = free.size();
    for (std::size_t a = 0; a < free.size(); ++a) {
      const std::size_t i = free[a];
      slope += rest_[i] * d[a];
      curve += change[i] * d[a];
      const double room = d[a] > 0 ? (high_[i] - beta_[i]) / d[a] : d[a] < 0 ? (low_[i] - beta_[i]) / d[a] : length;
      if (room < length) {
        length = room;
        met = a;
      }
    }
    if (!(slope > 0) || met == free.size()) return false;
    if (curve > 0 && slope / curve < length) {
      length = slope / curve;
      met = free.size();
    }
    double off = 0;  // of the sum of all, through rounding
    for (std::size_t a = 0; a < free.size(); ++a) {
      const std::size_t i = free[a];
      const double before = beta_[i];
      beta_[i] = a == met ? (d[a] > 0 ? high_[i] : low_[i]) : std::clamp(before + length * d[a], low_[i], high_[i]);
      off += beta_[i] - before;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) rest_[i] -= length * change[i];
    balance(free, off);
    return true;
  }

  /// Takes what the sum of all has gained from a coordinate that has the room for it.
  void balance(const std::vector<std::size_t>& free, double off) {
    for (const std::size_t i : free) {
      if (!(beta_[i] - off > low_[i] && beta_[i] - off < high_[i])) continue;
      beta_[i] -= off;
      for (std::size_t j = 0; j < rows_.size(); ++j) rest_[j] += k(j, i) * off;
      return;
    }
  }

  /// False where there is nothing left to gain.
  bool step(double tolerance) {
    const std::size_t n = rows_.size();
    std::size_t up = n, down = n;
    for (std::size_t i = 0; i < n; ++i)
      if (beta_[i] < high_[i] && (up == n || rest_[i] > rest_[up])) up = i;
    if (up == n) return false;
    double worst = rest_[up], gain = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (!(beta_[j] > low_[j])) continue;
      worst = std::min(worst, rest_[j]);
      const double slope = rest_[up] - rest_[j];
      if (slope > 0 && slope * slope / curvature(up, j) > gain) {
        gain = slope * slope / curvature(up, j);
        down = j;
      }
    }
    if (down == n || rest_[up] - worst <= tolerance) return false;
    const double room_up = high_[up] - beta_[up], room_down = beta_[down] - low_[down];
    const double length = std::min({(rest_[up] - rest_[down]) / curvature(up, down), room_up, room_down});
    beta_[up] = length == room_up ? high_[up] : beta_[up] + length;  // a bound is met exactly
    beta_[down] = length == room_down ? low_[down] : beta_[down] - length;
    for (std::size_t i = 0; i < n; ++i) rest_[i] -= length * (k(i, up) - k(i, down));
    return true;
  }

  double curvature(std::size_t i, std::size_t j) const {
    const double value = k(i, i) + k(j, j) - 2 * k(i, j);
    return std::max(value, 1e-12 * (k(i, i) + k(j, j)) + std::numeric_limits<double>::min());
  }

  /// b = rest_i wherever beta_i is inside its bounds; otherwise the middle of what is allowed.
  double intercept() const {
    double sum = 0, free = 0, least = -std::numeric_limits<double>::infinity(), most = -least;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (beta_[i] < high_[i]) least = std::max(least, rest_[i]);
      if (beta_[i] > low_[i]) most = std::min(most, rest_[i]);
      if (beta_[i] <= low_[i] || beta_[i] >= high_[i]) continue;
      sum += rest_[i];
      ++free;
    }
    return free > 0 ? sum / free : (least + most) / 2;
  }

  std::vector<Index> rows_;
  std::vector<double> local_;  ///< the kernel of the terms
  std::vector<double> beta_, low_, high_, target_, rest_;
  double middle_, unit_;
};

void require_bounds(std::span<const double> y, std::span<const double> upper) {
  if (y.size() != upper.size())
    throw Error("there are " + std::to_string(y.size()) + " labels and " + std::to_string(upper.size()) + " weights");
  for (std::size_t i = 0; i < y.size(); ++i)
    if (!(upper[i] >= 0 && std::isfinite(upper[i])))
      throw Error("the weight of sample " + std::to_string(i + 1) +
                  " times C must be finite and not negative, and is " + std::to_string(upper[i]));
}

/// K beta
std::vector<double> products(const SvmKernel& kernel, std::span<const double> beta) {
  std::vector<double> out(kernel.samples());
  for (Index j = 0; j < kernel.samples(); ++j)
    if (beta[j] != 0)
      for (Index i = 0; i < kernel.samples(); ++i) out[i] += kernel.row(j)[i] * beta[j];
  return out;
}

/// What each term has of the beta of its sample.
std::vector<double> by_terms(const SvmProblem& problem, std::span<const double> beta) {
  std::vector<double> out;
  for (const SvmTerm& term : problem.terms) out.push_back(term.sign * std::max(0.0, term.sign * beta[term.row]));
  return out;
}

}  // namespace

std::vector<double> decision_values(const SvmKernel& kernel, const SvmSolution& solution) {
  std::vector<double> out = products(kernel, solution.beta);
  for (double& value : out) value += solution.intercept;
  return out;
}

SvmProblem class_problem(std::span<const double> y, std::span<const double> upper) {
  require_bounds(y, upper);
  SvmProblem out{static_cast<Index>(y.size()), {}};
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(upper[i] > 0)) continue;
    if (y[i] != 1 && y[i] != -1)
      throw Error("a support vector machine separates two classes, and the label of sample " + std::to_string(i + 1) +
                  " is neither -1 nor +1; name the positive class with `positive`");
    out.terms.push_back({static_cast<Index>(i), y[i], y[i], upper[i]});
  }
  return out;
}

SvmProblem tube_problem(std::span<const double> y, std::span<const double> upper, double tube) {
  require_bounds(y, upper);
  SvmProblem out{static_cast<Index>(y.size()), {}};
  double least = std::numeric_limits<double>::infinity(), most = -least;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(upper[i] > 0)) continue;
    if (!std::isfinite(y[i])) throw Error("the target of sample " + std::to_string(i + 1) + " is not a finite number");
    least = std::min(least, y[i]);
    most = std::max(most, y[i]);
  }
  if (least < most) out.unit = (most - least) / 2;
  if (least <= most) out.middle = least + (most - least) / 2;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (!(upper[i] > 0)) continue;
    out.terms.push_back({static_cast<Index>(i), 1, y[i] - out.middle - tube, upper[i]});
    out.terms.push_back({static_cast<Index>(i), -1, y[i] - out.middle + tube, upper[i]});
  }
  return out;
}

SvmSolution solve_svm(const SvmKernel& kernel, const SvmProblem& problem) {
  if (problem.samples != kernel.samples())
    throw Error("there are " + std::to_string(kernel.samples()) + " volumes and " + std::to_string(problem.samples) +
                " labels");
  if (problem.terms.empty()) throw Error("every sample has a weight of 0: there is nothing to learn from");
  SvmSolution out;
  out.beta.resize(kernel.samples());
  const auto of_one_class = [&](const SvmTerm& term) { return term.sign == problem.terms.front().sign; };
  if (std::ranges::all_of(problem.terms, of_one_class)) {
    out.intercept = problem.terms.front().target;
    out.status = Status::zero_solution;
    return out;
  }
  const bool classes = std::ranges::all_of(problem.terms, [](const SvmTerm& term) { return term.target == term.sign; });
  const auto negative = weight_of_class(problem, -1), positive = weight_of_class(problem, 1);
  std::vector<double> start(problem.terms.size());
  if (classes && negative && positive && !kernel.degenerate())
    start = Libsvm::train(kernel, problem, *negative, *positive);
  Finish finish(kernel, problem, std::move(start));
  if (problem.last_digits)
    finish.run(out, {coarse, fine, finest}, 1e-13, most_iterations);
  else
    finish.run(out, {coarse, fine}, 1e-13, most_iterations);
  if (out.iterations == most_iterations) out.status = Status::iteration_limit;
  if (std::ranges::all_of(out.beta, [](double b) { return b == 0; })) out.status = Status::zero_solution;

  const std::vector<double> values = products(kernel, out.beta), beta = by_terms(problem, out.beta);
  const double b = out.intercept - problem.middle;
  double square = 0, reward = 0, loss = 0;
  for (std::size_t t = 0; t < beta.size(); ++t) {
    const SvmTerm& term = problem.terms[t];
    const double value = values[term.row];
    square += beta[t] * value;
    reward += term.target * beta[t];
    loss += term.upper * std::max(0.0, term.sign * (term.target - value - b));
  }
  out.objective = square / 2 + loss;
  out.dual = reward - square / 2;
  out.relative_gap =
      (out.objective - out.dual) / std::max(1e-12 * problem.unit * problem.unit, std::abs(out.objective));
  return out;
}

SvmSolution corrected(const SvmKernel& kernel, const SvmProblem& problem, const SvmSolution& solution,
                      std::span<const double> values) {
  SvmSolution out = solution;
  if (solution.status == Status::zero_solution) return out;
  std::vector<double> by = products(kernel, solution.beta);
  for (std::size_t i = 0; i < by.size(); ++i) by[i] -= values[i];
  Finish finish(kernel, problem, by_terms(problem, solution.beta));
  finish.move_targets(by);
  finish.run(out, {last_digits}, 1e-15, out.iterations + 2 * patience * static_cast<int>(problem.terms.size()));
  return out;
}

}  // namespace sturm
