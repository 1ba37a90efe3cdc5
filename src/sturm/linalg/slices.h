// SPDX-License-Identifier: BSD-3-Clause
// What the kernels need to know of a transform along tubes and of the slices it makes.
#pragma once

#include "sturm/core/shape.h"

namespace sturm::linalg {

/// One slice of a transformed tensor: the column (index along mode 3) of its real part and, where it is complex, of
/// its imaginary part; `weight` slices of the whole spectrum share it (2 for a conjugate pair).
struct Slice {
  Index re = 0;
  Index im = -1;
  double weight = 1;
  bool complex() const { return im >= 0; }
};

/// What shrink() found in one slice.
struct Shrunk {
  double largest = 0;  ///< largest singular value before; 0 where a bound alone showed that nothing is left
  double nuclear = 0;  ///< nuclear norm after
  Index rank = 0;      ///< rank after
};

/// A DFT of odd length n = p q as q DFTs of length p and p of length q. `even` and `odd` as in TubeMatrix, those of the
/// forward DFTs of length p and q. `turns` holds cos and sin of 2 pi b k / n at 2 ((k - 1) q + b), 0 < k <= p/2, b < q;
/// those of the inverse are 2/n times that.
template <class Real>
struct TubeFactors {
  int p = 0, q = 0;  ///< 0: the whole DFT at once
  const Real *even_p = nullptr, *odd_p = nullptr, *even_q = nullptr, *odd_q = nullptr;
  const Real* turns = nullptr;
};

/// The n x n matrix of a transform along tubes. That of a DFT has its parts for sums and for differences of x_j and
/// x_(n-j) besides, factor (j, k) at j * size + k: `even` of size n/2 + 1, `odd` of size (n-1)/2, from 1 on. Columns of
/// the hat tensor are then Re_0, Re_1, Im_1, Re_2, Im_2 ...
template <class Real>
struct TubeMatrix {
  const Real* whole = nullptr;
  const Real *even = nullptr, *odd = nullptr;
  bool inverse = false;
  TubeFactors<Real> factors;
};

}  // namespace sturm::linalg
