// SPDX-License-Identifier: BSD-3-Clause
// The logistic loss, as somebody outside the library adds a loss.
#pragma once

#include "sturm/loss/loss.h"

/// l(p, y) = log(1 + exp(-y p)) with labels -1 and +1.
sturm::LossPointer logistic_loss();
