// SPDX-License-Identifier: BSD-3-Clause
// Gaussian smoothing.
#pragma once

#include <vector>

#include "sturm/core/tensor.h"

namespace sturm {

/// The weights of a Gaussian of that width (full width at half maximum, in voxels) at whole voxels, out to four
/// standard deviations; they sum to 1. A width of 0 is one weight of 1.
std::vector<double> gaussian_kernel(double fwhm);

/// Smooths along all three axes. Beyond the box there are zeros.
void smooth(TensorF& volume, double fwhm);

}  // namespace sturm
