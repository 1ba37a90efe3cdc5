// SPDX-License-Identifier: BSD-3-Clause
// The colours of every picture: of methods, of weights on either side of zero, and of shares. The page has the same
// ones (web/src/palette.ts is printed from here).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace sturm {

using Colour = std::array<std::uint8_t, 3>;

namespace palette {

/// Weights over grey anatomy: weak ones are dark and strong ones bright, orange above zero and blue below.
inline constexpr std::array<Colour, 5> positive{
    {{158, 68, 8}, {214, 102, 20}, {244, 150, 40}, {254, 196, 79}, {255, 240, 160}}};
inline constexpr std::array<Colour, 5> negative{
    {{22, 72, 142}, {33, 110, 184}, {66, 153, 214}, {120, 196, 236}, {196, 236, 255}}};

/// Shares and scores, from 0 to 1: cividis.
inline constexpr std::array<Colour, 10> cividis{{{0, 34, 78},
                                                 {18, 53, 112},
                                                 {59, 73, 108},
                                                 {87, 93, 109},
                                                 {112, 113, 115},
                                                 {138, 134, 121},
                                                 {165, 157, 117},
                                                 {194, 182, 104},
                                                 {225, 204, 85},
                                                 {254, 232, 56}}};

/// Methods, in their order: those of Okabe and Ito, on white.
inline constexpr std::array<Colour, 10> methods{{{0, 114, 178},
                                                 {213, 94, 0},
                                                 {0, 158, 115},
                                                 {184, 88, 143},
                                                 {201, 133, 0},
                                                 {58, 155, 217},
                                                 {91, 63, 140},
                                                 {122, 122, 0},
                                                 {136, 34, 85},
                                                 {74, 79, 87}}};

/// Of the ground that brains lie on, of words on it, and of lines and outlines.
inline constexpr Colour ground{0, 0, 0}, words{214, 219, 226}, lines{120, 129, 140};

}  // namespace palette

/// The colour at a share from 0 to 1 of the way through; what is outside counts as the nearer end.
Colour ramp(std::span<const Colour> colours, double share);

/// The colour of a weight as a part of the largest, from -1 to 1.
Colour weight_colour(double part);

/// "#0072b2".
std::string hexadecimal(Colour colour);

}  // namespace sturm
