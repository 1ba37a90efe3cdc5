// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/confounds.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "sturm/core/parallel.h"
#include "sturm/linalg/host.h"

namespace sturm {
namespace {

constexpr Index block = 1024;  ///< voxels per piece of work

/// P with  coefficients = P x  for the centred confounds C of the training samples: the pseudo-inverse of C, by the
/// eigenvectors of C'C. Columns x samples, samples fastest.
std::vector<double> pseudo_inverse(const std::vector<double>& c, Index samples, Index columns) {
  std::vector<double> vectors(columns * columns), values(columns);
  for (Index p = 0; p < columns; ++p)
    for (Index q = 0; q < columns; ++q) {
      double sum = 0;
      for (Index m = 0; m < samples; ++m) sum += c[m * columns + p] * c[m * columns + q];
      vectors[p + q * columns] = sum;
    }
  // Columns to length 1 first: age in years and motion in millimetres count alike in what is called dependent.
  std::vector<double> length(columns, 1);
  for (Index p = 0; p < columns; ++p)
    if (const double square = vectors[p + p * columns]; square > 0) length[p] = std::sqrt(square);
  for (Index p = 0; p < columns; ++p)
    for (Index q = 0; q < columns; ++q) vectors[p + q * columns] /= length[p] * length[q];
  linalg::host::eigh<double>(columns, vectors.data(), values.data());
  const double least = 1e-10 * std::max(1e-300, values.back());
  std::vector<double> out(columns * samples);
  for (Index e = 0; e < columns; ++e) {
    if (values[e] <= least) continue;
    const double* v = vectors.data() + e * columns;
    for (Index m = 0; m < samples; ++m) {
      double projection = 0;
      for (Index q = 0; q < columns; ++q) projection += v[q] * c[m * columns + q] / length[q];
      for (Index p = 0; p < columns; ++p) out[p * samples + m] += v[p] / length[p] * projection / values[e];
    }
  }
  return out;
}

}  // namespace

Confounds read_confounds(const Table& table, std::span<const std::string> columns, std::span<const Index> rows) {
  std::vector<std::vector<double>> found;
  for (const std::string& name : columns) {
    const Index column = table.column(name);
    for (const Index row : rows)
      if (table.missing(row, column))
        throw Error(table.place(row, column),
                    "has no value, and it is a confound; fill it in, or leave " + name + " out of `confounds`.");
    if (table.numeric(column)) {
      const std::vector<double> all = table.numbers(column);
      found.emplace_back();
      for (const Index row : rows) found.back().push_back(all[row]);
      continue;
    }
    std::set<std::string> words;
    for (const Index row : rows) words.insert(table.cell(row, column));
    words.erase(words.begin());
    for (const std::string& word : words) {
      found.emplace_back();
      for (const Index row : rows) found.back().push_back(table.cell(row, column) == word ? 1 : 0);
    }
  }
  Confounds out{static_cast<Index>(found.size()), {}};
  for (std::size_t m = 0; m < rows.size(); ++m)
    for (const std::vector<double>& column : found) out.values.push_back(column[m]);
  return out;
}

Confounds rows_of(const Confounds& confounds, std::span<const Index> rows) {
  Confounds out{confounds.columns, {}};
  for (const Index row : rows)
    out.values.insert(out.values.end(), confounds.row(row), confounds.row(row) + confounds.columns);
  return out;
}

template <class Real>
Design<Real> without_confounds(const Design<Real>& x, const Confounds& confounds, std::span<const Index> train) {
  const Index columns = confounds.columns, samples = x.samples(), known = static_cast<Index>(train.size());
  std::vector<double> mean(columns), centred(samples * columns);
  for (const Index m : train)
    for (Index p = 0; p < columns; ++p) mean[p] += confounds.row(m)[p] / static_cast<double>(known);
  for (Index m = 0; m < samples; ++m)
    for (Index p = 0; p < columns; ++p) centred[m * columns + p] = confounds.row(m)[p] - mean[p];
  std::vector<double> of_train;
  for (const Index m : train)
    of_train.insert(of_train.end(), centred.begin() + m * columns, centred.begin() + (m + 1) * columns);
  const std::vector<double> inverse = pseudo_inverse(of_train, known, columns);
  AlignedVector<Real> out(x.x().begin(), x.x().end());
  parallel_for((x.voxels() + block - 1) / block, [&](Index piece, int) {
    std::vector<double> coefficient(columns);
    for (Index v = piece * block; v < std::min(x.voxels(), (piece + 1) * block); ++v) {
      Real* voxel = out.data() + v * samples;
      double middle = 0;  // against cancellation where a voxel's mean is large
      for (const Index m : train) middle += static_cast<double>(voxel[m]) / static_cast<double>(known);
      for (Index p = 0; p < columns; ++p) {
        coefficient[p] = 0;
        for (Index m = 0; m < known; ++m)
          coefficient[p] += inverse[p * known + m] * (static_cast<double>(voxel[train[m]]) - middle);
      }
      for (Index m = 0; m < samples; ++m) {
        double explained = 0;
        for (Index p = 0; p < columns; ++p) explained += centred[m * columns + p] * coefficient[p];
        voxel[m] = static_cast<Real>(static_cast<double>(voxel[m]) - explained);
      }
    }
  });
  return Design<Real>::owning(x.region(), samples, std::move(out));
}

template Design<float> without_confounds(const Design<float>&, const Confounds&, std::span<const Index>);
template Design<double> without_confounds(const Design<double>&, const Confounds&, std::span<const Index>);

}  // namespace sturm
