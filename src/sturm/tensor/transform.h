// SPDX-License-Identifier: BSD-3-Clause
// The transform along tubes that defines the algebra: the DFT by default.
#pragma once

#include <span>
#include <vector>

#include "sturm/core/aligned.h"
#include "sturm/core/tensor.h"
#include "sturm/linalg/host.h"

namespace sturm {

/// An invertible linear map L of tubes with L'L = l I. A real tensor goes to a real tensor of the same shape (hat):
/// a slice that is real fills one column of mode 3, a complex one two, real and imaginary part; of the DFT only half
/// the spectrum is kept, since slices k and n - k are conjugates.
///     <A,B> = (1/l) sum_k w_k <A^_k, B^_k>,     w_k = 2 for a conjugate pair, otherwise 1.
class Transform {
 public:
  static Transform dft(Index n);       ///< unnormalised, l = n
  static Transform dct(Index n);       ///< orthonormal DCT-II, l = 1
  static Transform identity(Index n);  ///< l = 1: frontal slices on their own
  /// matrix(q, p), column-major n x n: hat tube = matrix * tube. Refused unless matrix' matrix = l I.
  static Transform from_matrix(Index n, std::span<const double> matrix);

  Index size() const { return n_; }
  double scale() const { return scale_; }  ///< l
  std::span<const linalg::Slice> slices() const { return slices_; }
  bool pairs_conjugates() const { return conjugates_; }  ///< true for the DFT

  /// For Operations::transform: hat = a x_3 forward, a = hat x_3 inverse.
  template <class Real>
  linalg::TubeMatrix<Real> forward() const;
  template <class Real>
  linalg::TubeMatrix<Real> inverse() const;

 private:
  Transform(Index n, double scale, std::vector<linalg::Slice> slices, AlignedVector<double> forward);

  Index n_;
  Index p_ = 0;  ///< of n = p q where the DFT is made of shorter ones
  double scale_;
  bool conjugates_ = false;
  std::vector<linalg::Slice> slices_;
  /// A matrix and, of a DFT, its parts for sums and differences, and what TubeFactors has where it is made of shorter
  /// ones.
  template <class Real>
  struct Matrix {
    AlignedVector<Real> whole, even, odd;
    AlignedVector<Real> even_p, odd_p, even_q, odd_q, turns;
  };
  template <class Real>
  linalg::TubeMatrix<Real> view(const Matrix<Real>& matrix, bool inverse) const;
  void fold(Matrix<double>& matrix, bool inverse) const;
  void factor(Matrix<double>& matrix, bool inverse) const;
  static void narrow(const Matrix<double>& from, Matrix<float>& to);

  Matrix<double> forward_, inverse_;
  Matrix<float> forward_f_, inverse_f_;
};

template <class Real>
BasicTensor<Real> to_hat(const BasicTensor<Real>& a, const Transform& transform);
template <class Real>
BasicTensor<Real> from_hat(const BasicTensor<Real>& hat, const Transform& transform);

}  // namespace sturm
