// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/kernel_svm.h"

#include <libsvm/svm.h>

#include <cmath>
#include <memory>
#include <string>

#include "sturm/core/error.h"

namespace sturm {
namespace {

struct ModelDeleter {
  void operator()(svm_model* model) const { svm_free_and_destroy_model(&model); }
};

void silence() {
  static const bool done = [] {
    svm_set_print_string_function([](const char*) {});
    return true;
  }();
  static_cast<void>(done);
}

/// The samples that count, and the weight of each class; throws where a class has several.
struct Counting {
  std::vector<Index> samples;
  double weight[2] = {0, 0};  ///< of -1 and +1; 0 where there is no such sample
};

Counting counting_samples(std::span<const double> y, std::span<const double> weights) {
  Counting out;
  for (std::size_t m = 0; m < y.size(); ++m) {
    if (!(weights[m] > 0)) continue;
    if (y[m] != 1 && y[m] != -1)
      throw Error("a support vector machine needs labels -1 and +1, and that of sample " + std::to_string(m + 1) +
                  " is " + std::to_string(y[m]));
    out.samples.push_back(static_cast<Index>(m));
    double& weight = out.weight[y[m] > 0];
    if (weight == 0) weight = weights[m];
    if (std::abs(weight - weights[m]) > 1e-12 * weight)
      throw UsageError("a support vector machine takes one weight a class: samples of one class have several here");
  }
  if (out.samples.empty()) throw Error("every sample has a weight of 0: there is nothing to learn from");
  return out;
}

}  // namespace

double KernelSvm::operator()(std::span<const double> kernel_row) const {
  double out = bias;
  for (std::size_t m = 0; m < coef.size(); ++m)
    if (coef[m] != 0) out += coef[m] * kernel_row[m];
  return out;
}

KernelSvm solve_svm(std::span<const double> kernel, std::span<const double> y, std::span<const double> weights,
                    double c) {
  const std::size_t samples = y.size();
  if (weights.size() != samples || kernel.size() != samples * samples)
    throw Error("a support vector machine needs a label, a weight and a row of the kernel matrix a sample");
  if (!(c > 0 && std::isfinite(c))) throw UsageError("--C must be positive and finite, and is " + std::to_string(c));
  const Counting counting = counting_samples(y, weights);
  KernelSvm out{std::vector<double>(samples)};
  if (counting.weight[0] == 0 || counting.weight[1] == 0) {
    out.bias = counting.weight[1] > 0 ? 1 : -1;
    return out;
  }
  silence();
  // LIBSVM's form of a precomputed kernel: (0, own number), (1, k(x, x_1)), ..., (-1, end).
  const std::size_t l = counting.samples.size();
  std::vector<svm_node> nodes(l * (l + 2));
  std::vector<svm_node*> rows(l);
  std::vector<double> labels(l);
  for (std::size_t i = 0; i < l; ++i) {
    rows[i] = &nodes[i * (l + 2)];
    labels[i] = y[counting.samples[i]];
    rows[i][0] = {0, static_cast<double>(i + 1)};
    for (std::size_t j = 0; j < l; ++j) {
      const double value = kernel[counting.samples[i] * samples + counting.samples[j]];
      if (!std::isfinite(value)) throw Error("the kernel matrix of a support vector machine is not finite");
      rows[i][j + 1] = {static_cast<int>(j + 1), value};
    }
    rows[i][l + 1] = {-1, 0};
  }
  svm_problem problem{static_cast<int>(l), labels.data(), rows.data()};
  int classes[2] = {-1, 1};
  double class_weights[2] = {counting.weight[0], counting.weight[1]};
  svm_parameter parameter{};
  parameter.svm_type = C_SVC;
  parameter.kernel_type = PRECOMPUTED;
  parameter.cache_size = 100;
  parameter.eps = 1e-6;
  parameter.C = c;
  parameter.nr_weight = 2;
  parameter.weight_label = classes;
  parameter.weight = class_weights;
  parameter.shrinking = 1;
  const std::unique_ptr<svm_model, ModelDeleter> model(svm_train(&problem, &parameter));
  const double sign = model->label[0];  // LIBSVM's f is positive for the class that it saw first
  for (int i = 0; i < model->l; ++i) out.coef[counting.samples[model->sv_indices[i] - 1]] = sign * model->sv_coef[0][i];
  out.bias = -sign * model->rho[0];
  return out;
}

}  // namespace sturm
