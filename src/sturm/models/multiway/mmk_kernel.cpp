// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/models/multiway/mmk_kernel.h"

#include <algorithm>
#include <cmath>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"

namespace sturm {
namespace {

/// Eight sums side by side: the order is fixed, and the compiler can keep them in vector registers.
double distance2(std::span<const double> a, std::span<const double> b) {
  double sums[8] = {};
  std::size_t i = 0;
  for (; i + 8 <= a.size(); i += 8)
    for (std::size_t l = 0; l < 8; ++l) {
      const double d = a[i + l] - b[i + l];
      sums[l] += d * d;
    }
  double out = 0;
  for (; i < a.size(); ++i) out += (a[i] - b[i]) * (a[i] - b[i]);
  for (const double s : sums) out += s;
  return out;
}

}  // namespace

CpFeatures features_of(const Cp& model) {
  const Index sizes[3] = {model.shape.n1, model.shape.n2, model.shape.n3};
  CpFeatures out{model.rank(), {}};
  for (Index r = 0; r < model.rank(); ++r) {
    const double share = std::cbrt(model.weights[r]);
    for (int n = 0; n < 3; ++n)
      for (Index i = 0; i < sizes[n]; ++i) out.terms.push_back(share * model.factors[n][i + sizes[n] * r]);
  }
  return out;
}

std::vector<double> term_distances(std::span<const CpFeatures> rows, std::span<const CpFeatures> columns) {
  const auto m = static_cast<Index>(rows.size()), n = static_cast<Index>(columns.size());
  const Index rank = rows.front().rank;
  std::vector<double> out(m * n * rank * rank);
  parallel_for(n * rank, [&](Index column, int) {
    const auto other = columns[column / rank].term(column % rank);
    for (Index a = 0; a < m; ++a)
      for (Index i = 0; i < rank; ++i) out[(column * m + a) * rank + i] = distance2(rows[a].term(i), other);
  });
  return out;
}

std::vector<double> structure_kernel(std::span<const double> distances, Index rows, Index columns, Index rank,
                                     double sigma) {
  std::vector<double> out(rows * columns);
  const double factor = -1 / (2 * sigma * sigma);
  parallel_for(columns, [&](Index b, int) {
    for (Index a = 0; a < rows; ++a) {
      double sum = 0;
      for (Index j = 0; j < rank; ++j)
        for (Index i = 0; i < rank; ++i) sum += std::exp(factor * distances[((b * rank + j) * rows + a) * rank + i]);
      out[a + rows * b] = sum;
    }
  });
  return out;
}

ModeKernels position_kernels(const Shape& shape, double width, double cut) {
  const Index sizes[3] = {shape.n1, shape.n2, shape.n3};
  std::array<std::vector<double>, 3> kernels;
  for (int mode = 0; mode < 3; ++mode) {
    const Index n = sizes[mode];
    std::vector<double>& k = kernels[mode];
    k.resize(n * n);
    for (Index i = 0; i < n; ++i)
      for (Index j = 0; j < n; ++j)
        k[i + n * j] = std::exp(-static_cast<double>((i - j) * (i - j)) / (2 * width * width));
    std::vector<double> vectors = k, values(n);
    linalg::host::eigh<double>(n, vectors.data(), values.data());
    for (double& v : k) v /= values.back();
  }
  return ModeKernels(kernels, cut);
}

}  // namespace sturm
