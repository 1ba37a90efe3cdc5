// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/palette.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace sturm {

Colour ramp(std::span<const Colour> colours, double share) {
  const double place =
      std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
  const auto low = std::min(static_cast<std::size_t>(place), colours.size() - 2);
  const double part = place - static_cast<double>(low);
  Colour out{};
  for (std::size_t c = 0; c < out.size(); ++c) {
    const double from = colours[low][c], to = colours[low + 1][c];
    out[c] = static_cast<std::uint8_t>(std::lround(from + part * (to - from)));
  }
  return out;
}

Colour weight_colour(double part) { return ramp(part < 0 ? palette::negative : palette::positive, std::abs(part)); }

std::string hexadecimal(Colour colour) { return fmt::format("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2]); }

}  // namespace sturm
