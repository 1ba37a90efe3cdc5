// SPDX-License-Identifier: BSD-3-Clause
// Smaller training sets, for a learning curve.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sturm/eval/sample_keys.h"

namespace sturm {

/// Of "5" 1/5 to 4/5; of "0.25,0.5" these shares. Rising, each once; empty of an empty text. Throws where a number is
/// none of the two.
std::vector<double> parse_shares(const std::string& text);

/// The rows of a training set that a share of it has, in their order. Whole groups, in an order drawn at random for a
/// seed and a stream: of each kind of group, which is the classes that it has, at least two (or all) and otherwise the
/// share, rounded up. A smaller share is a part of a larger one.
std::vector<Index> share_of(const SampleKeys& keys, std::span<const Index> train, double share, std::uint64_t seed,
                            std::uint64_t stream);

}  // namespace sturm
