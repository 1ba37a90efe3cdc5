// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/eval/confounds.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "sturm/core/parallel.h"
#include "sturm/core/target.h"
#include "sturm/core/text.h"
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

/// How often each category stands in the rows.
std::map<std::string, Index> categories_of(const Table& table, Index column, std::span<const Index> rows) {
  std::map<std::string, Index> counts;
  for (const Index row : rows) ++counts[table.cell(row, column)];
  return counts;
}

/// Throws where a column cannot be a confound, whatever its values.
void check_column(const Table& table, Index column, const std::string& target) {
  const std::string& name = table.columns()[column];
  const std::string way_out = "; leave it out of `confounds`.";
  if (!name.empty() && name == target)
    throw Error({table.name(), 0, name},
                "is what is to be predicted, so as a confound it would leave nothing" + way_out);
  if (name == "path" || name == "row" || name.empty() || names_people(table, column))
    throw Error({table.name(), 0, name}, "names samples or people, and a confound describes them" + way_out);
}

}  // namespace

Confounds read_confounds(const Table& table, std::span<const std::string> columns, std::span<const Index> rows,
                         const std::string& target) {
  std::vector<std::vector<double>> found;
  std::vector<ConfoundColumn> named;
  const auto samples = static_cast<Index>(rows.size());
  for (const std::string& name : columns) {
    const Index column = table.column(name, "confounds");
    check_column(table, column, target);
    for (const Index row : rows)
      if (table.missing(row, column))
        throw Error(table.place(row, column),
                    "has no value, and it is a confound; fill it in, or leave " + name + " out of `confounds`.");
    named.push_back({name, {}});
    if (table.meant_as_numbers(column)) {
      const std::vector<double> all = table.numbers(column);
      found.emplace_back();
      for (const Index row : rows) found.back().push_back(all[row]);
      continue;
    }
    refuse_near_twins(table, column);
    std::map<std::string, Index> categories = categories_of(table, column, rows);
    if (const auto count = static_cast<Index>(categories.size()); count == samples && samples > 1)
      throw Error({table.name(), 0, name}, "holds words, another one in each of the " + std::to_string(samples) +
                                               " samples (" + clipped(categories.begin()->first) +
                                               " ...), so as a confound it would leave nothing; " +
                                               "write it as numbers, or leave it out of `confounds`.");
    for (const auto& [word, count] : categories) named.back().values.push_back(word);
    categories.erase(categories.begin());
    for (const auto& [word, count] : categories) {
      found.emplace_back();
      for (const Index row : rows) found.back().push_back(table.cell(row, column) == word ? 1 : 0);
    }
  }
  Confounds out{static_cast<Index>(found.size()), {}, std::move(named)};
  if (out.columns >= samples && samples > 1)
    throw Error({table.name()}, plural(out.columns, "confound") + " (each category but one is one) of " +
                                    plural(samples, "sample") + " would leave nothing; name fewer in `confounds`.");
  for (std::size_t m = 0; m < rows.size(); ++m)
    for (const std::vector<double>& column : found) out.values.push_back(column[m]);
  return out;
}

Confounds read_known_confounds(const Table& table, const ConfoundModel& model) {
  Confounds out{0, {}, model.columns};
  std::vector<std::vector<double>> found;
  for (const ConfoundColumn& known : model.columns) {
    if (!table.has(known.name))
      throw Error({table.name()}, "has no column '" + known.name +
                                      "', which the model takes out of the volumes as a confound; add it, measured as "
                                      "for the training samples.");
    const Index column = table.column(known.name);
    for (Index row = 0; row < table.rows(); ++row) {
      const std::string& value = table.cell(row, column);
      if (value.empty())
        throw Error(table.place(row, column),
                    "has no value, and the model takes this confound out of the volumes; fill it in, or leave the row "
                    "out.");
      if (!known.values.empty() && std::ranges::find(known.values, value) == known.values.end())
        throw Error(table.place(row, column), "is '" + value + "', and the model was trained on " + join(known.values) +
                                                  " alone; correct it, or leave the row out.");
    }
    if (known.values.empty()) found.push_back(table.numbers(column));
    for (std::size_t w = 1; w < known.values.size(); ++w) {
      found.emplace_back();
      for (Index row = 0; row < table.rows(); ++row)
        found.back().push_back(table.cell(row, column) == known.values[w] ? 1 : 0);
    }
  }
  out.columns = std::ssize(found);
  for (Index row = 0; row < table.rows(); ++row)
    for (const std::vector<double>& column : found) out.values.push_back(column[row]);
  return out;
}

std::vector<std::string> notes_on_confounds(const Table& table, std::span<const std::string> columns,
                                            std::span<const Index> rows) {
  std::vector<std::string> notes;
  for (const std::string& name : columns) {
    const Index column = table.column(name);
    if (table.meant_as_numbers(column)) continue;
    std::vector<std::string> words;
    for (const auto& [word, count] : categories_of(table, column, rows))
      words.push_back(clipped(word) + " (" + std::to_string(count) + ")");
    notes.push_back("confound " + name + " holds words and is taken as " + std::to_string(words.size()) +
                    (words.size() == 1 ? " category" : " categories") + ": " + join(words, 20) + ".");
  }
  return notes;
}

Confounds rows_of(const Confounds& confounds, std::span<const Index> rows) {
  Confounds out{confounds.columns, {}, confounds.named};
  for (const Index row : rows)
    out.values.insert(out.values.end(), confounds.row(row), confounds.row(row) + confounds.columns);
  return out;
}

template <class Real>
ConfoundModel fit_confounds(const Design<Real>& x, const Confounds& confounds, std::span<const Index> train) {
  const Index columns = confounds.columns, known = std::ssize(train);
  ConfoundModel out{confounds.named, std::vector<double>(columns), std::vector<double>(x.voxels() * columns)};
  for (const Index m : train)
    for (Index p = 0; p < columns; ++p) out.mean[p] += confounds.row(m)[p] / static_cast<double>(known);
  std::vector<double> centred;
  for (const Index m : train)
    for (Index p = 0; p < columns; ++p) centred.push_back(confounds.row(m)[p] - out.mean[p]);
  const std::vector<double> inverse = pseudo_inverse(centred, known, columns);
  parallel_for((x.voxels() + block - 1) / block, [&](Index piece, int) {
    for (Index v = piece * block; v < std::min(x.voxels(), (piece + 1) * block); ++v) {
      const Real* const voxel = x.column(v);
      double middle = 0;  // against cancellation where a voxel's mean is large
      for (const Index m : train) middle += static_cast<double>(voxel[m]) / static_cast<double>(known);
      double* const coefficient = out.coef.data() + v * columns;
      for (Index p = 0; p < columns; ++p)
        for (Index m = 0; m < known; ++m)
          coefficient[p] += inverse[p * known + m] * (static_cast<double>(voxel[train[m]]) - middle);
    }
  });
  return out;
}

template <class Real>
Design<Real> without_confounds(const Design<Real>& x, const Confounds& confounds, const ConfoundModel& model,
                               const Region& of_model) {
  const Index columns = confounds.columns, samples = x.samples();
  std::vector<double> centred(samples * columns);
  for (Index m = 0; m < samples; ++m)
    for (Index p = 0; p < columns; ++p) centred[m * columns + p] = confounds.row(m)[p] - model.mean[p];
  std::vector<Index> place(x.voxels());  // of each column of x among those of the model
  for (Index v = 0, c = 0; v < x.voxels(); ++v) {
    while (c < of_model.size() && of_model.voxel(c) < x.region().voxel(v)) ++c;
    if (c == of_model.size() || of_model.voxel(c) != x.region().voxel(v))
      throw std::logic_error("without_confounds: the model does not know every voxel");
    place[v] = c;
  }
  AlignedVector<Real> out(x.x().begin(), x.x().end());
  parallel_for((x.voxels() + block - 1) / block, [&](Index piece, int) {
    for (Index v = piece * block; v < std::min(x.voxels(), (piece + 1) * block); ++v) {
      Real* const voxel = out.data() + v * samples;
      const double* const coefficient = model.coef.data() + place[v] * columns;
      for (Index m = 0; m < samples; ++m) {
        double explained = 0;
        for (Index p = 0; p < columns; ++p) explained += centred[m * columns + p] * coefficient[p];
        voxel[m] = static_cast<Real>(static_cast<double>(voxel[m]) - explained);
      }
    }
  });
  return Design<Real>::owning(x.region(), samples, std::move(out));
}

#define STURM_INSTANTIATE(Real)                                                                        \
  template ConfoundModel fit_confounds(const Design<Real>&, const Confounds&, std::span<const Index>); \
  template Design<Real> without_confounds(const Design<Real>&, const Confounds&, const ConfoundModel&, const Region&);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
