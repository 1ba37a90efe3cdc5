// SPDX-License-Identifier: BSD-3-Clause
// Slices and glass brains, pixel by pixel: each is computed again from the map's file by a search along every line of
// sight, with an own inverse of the affine and an own mixture of colours.
#include "sturm/report/glass_brain.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "sturm/report/sampling.h"
#include "temporary.h"

namespace sturm {
namespace {

/// Voxel axis n runs along world axis `axis[n]`, forwards or backwards, in steps of `size[n]`.
struct Layout {
  std::array<int, 3> axis{0, 1, 2};
  std::array<int, 3> sign{1, 1, 1};
  std::array<double, 3> size{2, 4, 6}, origin{-11, 7, 5};  // so that no pixel lies on the edge of a voxel

  Affine affine() const {
    Affine out{{{{0, 0, 0, origin[0]}, {0, 0, 0, origin[1]}, {0, 0, 0, origin[2]}}}};
    for (int n = 0; n < 3; ++n) out.rows[axis[n]][n] = sign[n] * size[n];
    return out;
  }
  /// The voxel that holds a place of the world.
  std::array<long, 3> voxel_at(const Point& place) const {
    std::array<long, 3> out{};
    for (int n = 0; n < 3; ++n)
      out[n] = static_cast<long>(std::floor((place[axis[n]] - origin[axis[n]]) / (sign[n] * size[n]) + 0.5));
    return out;
  }
};

std::vector<Layout> all_layouts() {
  std::vector<Layout> out;
  std::array<int, 3> axis{0, 1, 2};
  do
    for (int flips = 0; flips < 8; ++flips)
      out.push_back({axis, {flips & 1 ? -1 : 1, flips & 2 ? -1 : 1, flips & 4 ? -1 : 1}});
  while (std::next_permutation(axis.begin(), axis.end()));
  return out;
}

const Shape box{7, 6, 5};

BrainMap map_in(const Layout& layout) { return {TensorF(box), layout.affine(), true}; }

BrainMap full(const Layout& layout) {
  BrainMap out = map_in(layout);
  for (float& v : out.values.flat()) v = 100;
  return out;
}

double value_at(const BrainMap& map, const Layout& layout, const Point& place) {
  const auto [i, j, k] = layout.voxel_at(place);
  if (i < 0 || j < 0 || k < 0 || i >= box.n1 || j >= box.n2 || k >= box.n3) return 0;
  return static_cast<double>(map.values(i, j, k));
}

/// The colour of a weight, by hand: between two of the five colours of its side.
Colour expected_colour(double weight, double limit) {
  const auto& side = weight < 0 ? palette::negative : palette::positive;
  const double at = std::min(1.0, std::abs(weight) / limit) * 4;
  const int low = std::min(3, static_cast<int>(at));
  Colour out{};
  for (std::size_t c = 0; c < 3; ++c)
    out[c] = static_cast<std::uint8_t>(std::lround(side[low][c] * (1 - (at - low)) + side[low + 1][c] * (at - low)));
  return out;
}

bool near(Colour a, Colour b) {  // two ways to round a half
  for (std::size_t c = 0; c < 3; ++c)
    if (std::abs(int{a[c]} - int{b[c]}) > 1) return false;
  return true;
}

bool is_grey(Colour c) { return std::abs(int{c[0]} - int{c[2]}) <= 12; }

/// A map of some positive and some negative weights, read back from a file.
BrainMap random_map(const Layout& layout, unsigned seed) {
  std::mt19937 random(seed);
  BrainMap map = map_in(layout);
  for (float& v : map.values.flat())
    if (random() % 4 == 0) v = static_cast<float>(static_cast<int>(random() % 2000) - 1000) / 1000;
  const test::TemporaryFolder folder;
  write_map(folder.path(), "map", map, "");
  return *find_map(folder.path(), "map");
}

class EveryLayout : public testing::TestWithParam<int> {
 protected:
  Layout layout() const { return all_layouts()[static_cast<std::size_t>(GetParam())]; }
};

class SomeLayouts : public EveryLayout {};

TEST_P(SomeLayouts, TheGlassBrainHasTheStrongestWeightOfEachLine) {
  const BrainMap map = random_map(layout(), 5), under = full(layout());
  const ShownWeights shown{map, 0.3, limit_of(map)};
  for (int through = 0; through < 3; ++through) {
    const ViewPlane plane = view_plane(map, &under, through, 30);
    const GlassView view = glass_view(shown, &under, plane);
    int coloured = 0;
    for (int row = 0; row < plane.height; ++row)
      for (int column = 0; column < plane.width; ++column) {
        Point place{};
        place[plane.across] = plane.x(column);
        place[plane.up] = plane.y(row);
        double strongest = 0;
        for (place[through] = -60; place[through] < 60; place[through] += 0.9) {
          const double w = value_at(map, layout(), place);
          if (std::abs(w) >= 0.3 && std::abs(w) > std::abs(strongest)) strongest = w;
        }
        const Colour pixel = view.image.at(column, row);
        if (strongest == 0) {
          EXPECT_TRUE(is_grey(pixel)) << through << ": " << column << ", " << row;
        } else {
          ++coloured;
          EXPECT_TRUE(near(pixel, expected_colour(strongest, limit_of(map))))
              << through << ": " << column << ", " << row << ", weight " << strongest;
        }
      }
    EXPECT_GT(coloured, 50);
  }
}

TEST_P(SomeLayouts, ASliceHasTheWeightsThatAreShownAndNoOthers) {
  const BrainMap map = random_map(layout(), 6), under = full(layout());
  const ShownWeights shown{map, 0.3, limit_of(map)};
  for (int through = 0; through < 3; ++through) {
    const ViewPlane plane = view_plane(map, &under, through, 30);
    for (const double at : slices_through(shown, &under, through, 3)) {
      const Image image = slice_image(shown, &under, window_of(under), plane, at);
      int coloured = 0;
      for (int row = 0; row < plane.height; ++row)
        for (int column = 0; column < plane.width; ++column) {
          Point place{};
          place[plane.across] = plane.x(column);
          place[plane.up] = plane.y(row);
          place[through] = at;
          const double w = value_at(map, layout(), place);
          const Colour pixel = image.at(column, row);
          if (std::abs(w) >= 0.3) {
            ++coloured;
            EXPECT_TRUE(near(pixel, expected_colour(w, limit_of(map)))) << column << ", " << row << ": " << w;
          } else {
            EXPECT_TRUE(is_grey(pixel)) << column << ", " << row << ": " << w;
          }
        }
      EXPECT_GT(coloured, 0) << "a slice without weights at " << at;
    }
  }
}

// The voxel that is furthest to the left, the front and the top of the world is drawn there, wherever the file has it.
TEST_P(EveryLayout, LeftFrontTopIsWhereItBelongs) {
  const Layout here = layout();
  const BrainMap under = full(here);
  BrainMap map = map_in(here);
  std::array<Index, 3> corner{};
  for (int n = 0; n < 3; ++n) {
    const bool low = here.axis[n] == 0;  // left is the smallest x; front and top are the largest y and z
    corner[n] = low == (here.sign[n] > 0) ? 0 : std::array{box.n1, box.n2, box.n3}[n] - 1;
  }
  map.values(corner[0], corner[1], corner[2]) = 1;
  const ShownWeights shown{map, 0, 1};
  for (int through = 0; through < 3; ++through) {
    const ViewPlane plane = view_plane(map, &under, through, 30);
    const Image image = glass_view(shown, &under, plane).image;
    int coloured = 0;
    double x = 0, y = 0;
    for (int row = 0; row < plane.height; ++row)
      for (int column = 0; column < plane.width; ++column)
        if (!is_grey(image.at(column, row))) {
          ++coloured;
          x += column;
          y += row;
        }
    ASSERT_GT(coloured, 0) << through;
    const bool right = through == 0;  // from the right the front is to the right
    EXPECT_EQ(x / coloured > 0.6 * plane.width, right) << through;
    EXPECT_EQ(x / coloured < 0.4 * plane.width, !right) << through;
    EXPECT_LT(y / coloured, 0.4 * plane.height) << through;
  }
}

INSTANTIATE_TEST_SUITE_P(Affines, EveryLayout, testing::Range(0, 48));
INSTANTIATE_TEST_SUITE_P(Affines, SomeLayouts, testing::Range(0, 48, 5));  // of every order and every flip some

TEST(GlassBrain, TheOutlineGoesRoundTheBrain) {
  const Layout layout;
  const BrainMap under = full(layout), map = map_in(layout);
  const ViewPlane plane = view_plane(map, &under, 2, 60);
  const GlassView view = glass_view({map, 0, 1}, &under, plane);
  ASSERT_FALSE(view.outline.empty());
  double left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (const auto& [from, to] : view.outline) {
    left = std::min(left, from.first);
    right = std::max(right, from.first);
    top = std::min(top, from.second);
    bottom = std::max(bottom, from.second);
  }
  // The box of the middles of the voxels and half a voxel more, to within half a voxel.
  EXPECT_NEAR(left, plane.column(layout.origin[0] - 1), 1 / plane.pixel);
  EXPECT_NEAR(right, plane.column(layout.origin[0] + 2 * 6 + 1), 1 / plane.pixel);
  EXPECT_NEAR(bottom, plane.row(layout.origin[1] - 2), 1 / plane.pixel);
  EXPECT_NEAR(top, plane.row(layout.origin[1] + 4 * 5 + 2), 1 / plane.pixel);
}

TEST(GlassBrain, TurnedVolumesHaveNoHoles) {
  // Thirty degrees about z: a plane of weights still covers the whole middle of the view.
  const double c = std::cos(0.5236), s = std::sin(0.5236);
  BrainMap map{TensorF(Shape{20, 20, 3}), {{{{2 * c, -2 * s, 0, 0}, {2 * s, 2 * c, 0, 0}, {0, 0, 2, 0}}}}, true};
  for (float& v : map.values.flat()) v = 1;
  const ViewPlane plane = view_plane(map, nullptr, 2, 120);
  const Image image = glass_view({map, 0, 1}, nullptr, plane).image;
  const Point middle = map.affine({9.5, 9.5, 1});
  for (double dx = -10; dx <= 10; dx += 0.5)
    for (double dy = -10; dy <= 10; dy += 0.5) {
      const Colour pixel =
          image.at(static_cast<int>(plane.column(middle[0] + dx)), static_cast<int>(plane.row(middle[1] + dy)));
      EXPECT_FALSE(is_grey(pixel)) << dx << ", " << dy;
    }
}

TEST(GlassBrain, SlicesGoWhereTheWeightIs) {
  const Layout layout{.size = {2, 2, 2}, .origin = {0, 0, 0}};
  BrainMap under{TensorF(Shape{10, 10, 30}), layout.affine(), true}, map = under;
  for (float& v : under.values.flat()) v = 1;
  map.values(3, 3, 4) = 1;
  map.values(3, 3, 21) = -0.5;
  const std::vector<double> cuts = slices_through({map, 0, 1}, &under, 2, 5);
  EXPECT_EQ(cuts.size(), 5U);
  EXPECT_TRUE(std::ranges::is_sorted(cuts));
  for (const double at : {8.0, 42.0}) EXPECT_NE(std::ranges::find(cuts, at), cuts.end()) << at;
  const ShownWeights strong{map, 0.7, 1};  // the other one is not shown
  EXPECT_EQ(slices_through(strong, &under, 2, 1), std::vector<double>{8.0});
}

TEST(GlassBrain, AMapOfNothingIsDrawn) {
  const BrainMap map{TensorF(Shape{3, 4, 5}), {}, false};
  const ViewPlane plane = view_plane(map, nullptr, 2, 40);
  EXPECT_EQ(glass_view({map, 0, 0}, nullptr, plane).image.at(0, 0), palette::ground);
  EXPECT_FALSE(slices_through({map, 0, 0}, nullptr, 2, 3).empty());
}

}  // namespace
}  // namespace sturm
