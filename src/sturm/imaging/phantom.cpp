// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/phantom.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <numeric>

#include "sturm/core/options.h"
#include "sturm/core/parallel.h"
#include "sturm/core/rng.h"
#include "sturm/core/sentence.h"
#include "sturm/imaging/smooth.h"

namespace sturm {
namespace {

// Streams of random numbers: one per purpose, then one per volume.
constexpr std::uint64_t people_stream = 1, site_stream = 1000, volume_stream = 1'000'000;
constexpr std::array<double, 3> box = {183, 219, 183};  ///< millimetres, that of the MNI template
constexpr Point box_start = {-90, -126, -72};           ///< centre of its first voxel of 3 mm

void require(bool holds, const char* sentence) {
  if (!holds) throw UsageError(sentence);
}

/// The box of the MNI template cut into that many voxels; x runs from right to left, as in FSL's templates.
Grid head_grid(const Shape& shape) {
  const std::array<double, 3> step = {box[0] / static_cast<double>(shape.n1), box[1] / static_cast<double>(shape.n2),
                                      box[2] / static_cast<double>(shape.n3)};
  Grid grid{shape, {}};
  for (int n = 0; n < 3; ++n) {
    grid.affine.rows[n] = {0, 0, 0, box_start[n] - 1.5 + step[n] / 2};
    grid.affine.rows[n][n] = step[n];
  }
  grid.affine.rows[0][0] = -step[0];
  grid.affine.rows[0][3] = box_start[0] - 1.5 + box[0] - step[0] / 2;
  return grid;
}

struct Ellipsoid {
  Point centre, radius;
  bool holds(const Point& p) const {
    double sum = 0;
    for (int n = 0; n < 3; ++n) sum += std::pow((p[n] - centre[n]) / radius[n], 2);
    return sum <= 1;
  }
};

/// About the shape and the 1.8 litres of the MNI brain, in its millimetres.
bool in_brain(const Point& p) {
  constexpr double fissure = 1.5;
  static const Ellipsoid left{{-33, -18, 10}, {36, 86, 62}}, right{{33, -18, 10}, {36, 86, 62}},
      cerebellum{{0, -64, -38}, {48, 32, 22}}, stem{{0, -30, -42}, {14, 16, 28}};
  const bool hemisphere = (left.holds(p) && p[0] < -fissure) || (right.holds(p) && p[0] > fissure);
  const bool middle =
      std::abs(p[0]) <= fissure && std::abs(p[1] + 18) < 45 && p[2] < 25 && left.holds({-fissure, p[1], p[2]});
  return hemisphere || middle || cerebellum.holds(p) || stem.holds(p);
}

template <class Body>
void for_voxels(const Grid& grid, const Body& body) {
  Index v = 0;
  for (Index k = 0; k < grid.shape.n3; ++k)
    for (Index j = 0; j < grid.shape.n2; ++j)
      for (Index i = 0; i < grid.shape.n1; ++i, ++v)
        body(v, grid.affine({static_cast<double>(i), static_cast<double>(j), static_cast<double>(k)}));
}

/// Where the blobs of the planted map are, in millimetres; each lies wholly inside the brain, apart from the others.
struct Blob {
  Point centre;
  Point radius;
};
constexpr std::array<Blob, 4> blobs = {{{{-36, -60, 12}, {15, 18, 15}},
                                        {{38, 12, 22}, {15, 18, 15}},
                                        {{34, -62, 20}, {15, 15, 15}},
                                        {{-36, 18, 8}, {12, 18, 15}}}};

/// Between 1 in the middle and 0.6 at the rim, then 0: a plateau, so that where the signal ends is not a matter of
/// taste.
double bump(double distance, double radius) {
  const double t = distance / radius;
  return std::abs(t) <= 1 ? 0.6 + 0.4 * std::cos(std::numbers::pi / 2 * t) : 0;
}

/// bump(x) bump(y) bump(z) is an outer product: one blob has tubal rank 1.
TensorF planted(const Grid& grid, int rank, const std::vector<std::uint8_t>& mask) {
  TensorF out(grid.shape);
  for_voxels(grid, [&](Index v, const Point& p) {
    double sum = 0;
    for (int r = 0; r < rank; ++r) {
      double value = r % 2 ? -1 : 1;
      for (int n = 0; n < 3; ++n) value *= bump(p[n] - blobs[r].centre[n], blobs[r].radius[n]);
      sum += value;
    }
    out.data()[v] = mask[v] ? static_cast<float>(sum) : 0.0F;
  });
  float largest = 0;
  for (const float v : out.flat()) largest = std::max(largest, std::abs(v));
  require(largest > 0, "`size` is too coarse: no voxel is left of the planted region; use 12x14x12 or more.");
  for (float& v : out.flat()) v /= largest;
  return out;
}

std::vector<PhantomSubject> people(const PhantomOptions& o) {
  std::vector<PhantomSubject> out;
  Rng rng(o.seed, people_stream);
  for (int s = 0; s < o.subjects; ++s) {
    char id[32];
    std::snprintf(id, sizeof id, "sub-%03d", s + 1);
    const double age = std::round(10 * (20 + 50 * rng.uniform())) / 10;
    out.push_back({id, s % 2 == 0, s / 2 % o.sites, age});  // pairs of both groups go from site to site
  }
  return out;
}

}  // namespace

Shape parse_shape(const std::string& text, const std::string& option) {
  std::array<Index, 3> extent{};
  const auto fail = [&] {
    throw UsageError(option_name(option) + " is three numbers such as 61x73x61, not '" + text + "'.");
  };
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int n = 0; n < 3; ++n) {
    const auto [stop, code] = std::from_chars(at, end, extent[n]);
    const bool last = n == 2;
    if (code != std::errc{} || extent[n] < 1 || extent[n] > 4096 || (last ? stop != end : stop == end || *stop != 'x'))
      fail();
    at = stop + 1;
  }
  return Shape{extent[0], extent[1], extent[2]}.check();
}

Phantom::Phantom(const PhantomOptions& o)
    : options_(o), grid_(head_grid(parse_shape(o.size, "size"))), truth_(grid_.shape) {
  require(o.subjects >= 2 && o.subjects <= 100'000, "`subjects` is a number from 2 to 100000.");
  require(o.rank >= 1 && o.rank <= static_cast<int>(blobs.size()), "`rank` is a number from 1 to 4.");
  require(o.sites >= 1 && o.sites <= 900, "`sites` is a number from 1 to 900.");
  require(std::isfinite(o.effect) && std::abs(o.effect) <= 1e6, "`effect` is a number.");
  require(o.site_effect >= 0 && o.site_effect <= 1e6, "`site-effect` is a number from 0.");
  require(o.fwhm >= 0 && o.fwhm <= 100, "`fwhm` is a number of millimetres from 0 to 100.");
  subjects_ = people(o);
  mask_.resize(static_cast<std::size_t>(grid_.shape.size()));
  for_voxels(grid_, [&](Index v, const Point& p) { mask_[v] = in_brain(p); });
  truth_ = planted(grid_, o.rank, mask_);
  for (int site = 0; site < o.sites; ++site)
    site_fields_.push_back(
        unit_noise(site_stream + static_cast<std::uint64_t>(site), 30 / voxel_size(grid_.affine)[0]));
}

TensorF Phantom::unit_noise(std::uint64_t stream, double fwhm_voxels) const {
  TensorF out(grid_.shape);
  Rng rng(options_.seed, stream);
  for (float& v : out.flat()) v = static_cast<float>(rng.normal());
  smooth(out, fwhm_voxels);
  // Smoothing with weights w leaves the variance (sum w^2) an axis; near the borders of the box, where the kernel is
  // cut short, a little less: the brain does not reach there.
  const std::vector<double> kernel = gaussian_kernel(fwhm_voxels);
  const double squares = std::inner_product(kernel.begin(), kernel.end(), kernel.begin(), 0.0);
  const auto scale = static_cast<float>(std::pow(squares, -1.5));
  for (float& v : out.flat()) v *= scale;
  return out;
}

TensorF Phantom::volume(Index subject) const {
  const PhantomSubject& who = subjects_.at(static_cast<std::size_t>(subject));
  TensorF out =
      unit_noise(volume_stream + static_cast<std::uint64_t>(subject), options_.fwhm / voxel_size(grid_.affine)[0]);
  const auto signal = static_cast<float>(who.patient ? options_.effect / 2 : -options_.effect / 2);
  const auto site = static_cast<float>(options_.site_effect);
  const TensorF& field = site_fields_[who.site];
  for (Index v = 0; v < grid_.shape.size(); ++v)
    out.data()[v] = mask_[v] ? out.data()[v] + signal * truth_.data()[v] + site * field.data()[v] : 0.0F;
  return out;
}

}  // namespace sturm
