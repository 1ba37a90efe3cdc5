// SPDX-License-Identifier: BSD-3-Clause
// The low-rank norms by their definitions: a Fourier transform in two loops, and LAPACK's singular values.
#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

#include "sturm/app/proof_check.h"
#include "sturm/core/larger.h"
#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"

namespace sturm {
namespace {

/// Eigenvalues of Gram matrices in double, which the solver has for designs in single precision, are off by the
/// rounding of a square: 2e-8 of the largest singular value, for each of them.
constexpr double of_gram = 5e-8;

std::vector<double> singular_values(Index rows, Index columns, std::vector<std::complex<double>> matrix) {
  std::vector<double> out(std::min(rows, columns));
  if (std::ranges::any_of(matrix, [](const std::complex<double>& v) { return v != 0.0; }))
    linalg::host::svd<double>(linalg::SvdKind::values, rows, columns, matrix.data(), out.data(), nullptr, nullptr);
  return out;
}

double sum(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

NormsOfProof tubal_norms(const Tensor& a) {
  const Shape s = a.shape();
  std::vector<std::complex<double>> roots(s.n3);
  for (Index k = 0; k < s.n3; ++k)
    roots[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(s.n3));
  // Slices k and n3 - k are conjugates of each other and have the same singular values.
  const Index slices = s.n3 / 2 + 1;
  std::vector<std::vector<double>> values(slices);
  parallel_for(slices, [&](Index k, int) {
    std::vector<std::complex<double>> slice(s.slice());
    for (Index t = 0; t < s.n3; ++t)
      for (Index v = 0; v < s.slice(); ++v) slice[v] += roots[k * t % s.n3] * a.data()[v + t * s.slice()];
    values[k] = singular_values(s.n1, s.n2, std::move(slice));
  });
  NormsOfProof out{0, 0, {0}};
  for (Index k = 0; k < slices; ++k) {
    const double times = (k == 0 || 2 * k == s.n3 ? 1.0 : 2.0) / static_cast<double>(s.n3);
    out.nuclear += times * sum(values[k]);
    out.rounding += times * of_gram * static_cast<double>(values[k].size()) * values[k].front();
    out.spectral[0] = larger(out.spectral[0], values[k].front());
  }
  return out;
}

NormsOfProof unfolded_norms(const Tensor& a) {
  const Shape s = a.shape();
  const Index extents[] = {s.n1, s.n2, s.n3};
  NormsOfProof out{0, 0, {}};
  for (int mode = 0; mode < 3; ++mode) {
    const Index rows = extents[mode], columns = s.size() / rows;
    std::vector<std::complex<double>> matrix(s.size());
    for (Index v = 0; v < s.size(); ++v) {
      const Index index[] = {v % s.n1, v / s.n1 % s.n2, v / s.slice()};
      const Index column = mode == 0   ? index[1] + s.n2 * index[2]
                           : mode == 1 ? index[0] + s.n1 * index[2]
                                       : index[0] + s.n1 * index[1];
      matrix[index[mode] + rows * column] = a.data()[v];
    }
    const std::vector<double> values = singular_values(rows, columns, std::move(matrix));
    out.nuclear += sum(values) / 3;
    out.rounding += of_gram * static_cast<double>(values.size()) * values.front() / 3;
    out.spectral.push_back(3 * values.front());
  }
  return out;
}

}  // namespace sturm
