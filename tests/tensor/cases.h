// SPDX-License-Identifier: BSD-3-Clause
// The shapes and transforms that every property of the algebra is tested on.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "sturm/core/rng.h"
#include "sturm/tensor/transform.h"

namespace sturm::test {

enum class Kind { dft, dct, identity, matrix };

struct Case {
  Shape shape;
  Kind kind = Kind::dft;
};

/// A matrix with L'L = 9 I that is none of the named transforms: 3 times a Householder reflection.
inline Transform reflection(Index n) {
  std::vector<double> matrix(n * n), v(n);
  Rng rng(99, n);
  double norm2 = 0;
  for (double& x : v) {
    x = rng.normal();
    norm2 += x * x;
  }
  for (Index q = 0; q < n; ++q)
    for (Index p = 0; p < n; ++p) matrix[p + q * n] = 3 * ((p == q ? 1 : 0) - 2 * v[p] * v[q] / norm2);
  return Transform::from_matrix(n, matrix);
}

inline Transform transform_of(Kind kind, Index n) {
  switch (kind) {
    case Kind::dft: return Transform::dft(n);
    case Kind::dct: return Transform::dct(n);
    case Kind::identity: return Transform::identity(n);
    default: return reflection(n);
  }
}

class TensorCase : public testing::TestWithParam<Case> {
 protected:
  Shape shape = GetParam().shape;
  Transform transform = transform_of(GetParam().kind, shape.n3);
};

/// Odd and even n3 (a Nyquist slice or none), tall, wide, square, a plain matrix, single rows and columns; each with
/// every transform.
inline std::vector<Case> all_cases() {
  std::vector<Case> out;
  for (const Kind kind : {Kind::dft, Kind::dct, Kind::identity, Kind::matrix})
    for (const Shape s : {Shape{6, 4, 5}, Shape{4, 6, 8}, Shape{5, 5, 2}, Shape{5, 3, 1}, Shape{1, 7, 6},
                          Shape{7, 1, 3}, Shape{1, 1, 9}, Shape{19, 23, 12}})
      out.push_back({s, kind});
  return out;
}

inline std::string case_name(const testing::TestParamInfo<Case>& info) {
  static const char* const names[] = {"dft", "dct", "identity", "matrix"};
  return std::string(names[static_cast<int>(info.param.kind)]) + "_" + to_string(info.param.shape);
}

#define STURM_ALL_CASES(Suite) \
  INSTANTIATE_TEST_SUITE_P(Cases, Suite, testing::ValuesIn(::sturm::test::all_cases()), ::sturm::test::case_name)

}  // namespace sturm::test
