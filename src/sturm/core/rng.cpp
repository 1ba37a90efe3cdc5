// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/rng.h"

#include <bit>
#include <cmath>
#include <numbers>

namespace sturm {
namespace {

std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

}  // namespace

Rng::Rng(std::uint64_t seed, std::uint64_t stream) : state_{} {
  std::uint64_t mix = seed;
  mix = splitmix(mix) ^ (stream * 0xd1342543de82ef95ULL);
  for (auto& word : state_) word = splitmix(mix);
}

std::uint64_t Rng::bits() {
  auto& s = state_;
  const std::uint64_t out = std::rotl(s[0] + s[3], 23) + s[0];
  const std::uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = std::rotl(s[3], 45);
  return out;
}

double Rng::uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Rng::normal() {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const double radius = std::sqrt(-2 * std::log1p(-uniform()));  // 1 - u is never 0
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

std::uint64_t Rng::below(std::uint64_t bound) {
  const std::uint64_t limit = bound * (~std::uint64_t{0} / bound);  // reject the tail, so that all are equally likely
  std::uint64_t draw = bits();
  while (draw >= limit) draw = bits();
  return draw % bound;
}

std::uint64_t stream_of(std::string_view id) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;  // FNV-1a, then mixed: ids that differ in the last letter lie far apart
  for (const char letter : id) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3ULL;
  return splitmix(hash);
}

Tensor random_normal(const Shape& shape, std::uint64_t seed, std::uint64_t stream) {
  Rng rng(seed, stream);
  Tensor out(shape);
  for (double& v : out.flat()) v = rng.normal();
  return out;
}

}  // namespace sturm
