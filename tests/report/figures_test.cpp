// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cmath>

#include "sturm/report/mosaic.h"
#include "sturm/report/svg.h"

namespace sturm {
namespace {

TEST(Svg, TextIsInert) {
  Drawing drawing(10, 10);
  drawing.text(0, 0, "<script>&\"'\x01</script>");
  const std::string file = svg_file(drawing, "</title>");
  EXPECT_EQ(file.find("<script"), std::string::npos);
  EXPECT_NE(file.find("&lt;script&gt;&amp;&quot;&#39; &lt;/script&gt;"), std::string::npos);
  EXPECT_NE(file.find("<title>&lt;/title&gt;</title>"), std::string::npos);
  EXPECT_EQ(xml_text("a\xff\xc3\xa9"), "a\xef\xbf\xbd\xc3\xa9");
}

TEST(Svg, TicksAreRoundAndInside) {
  const Axis axis{0.13, 0.97, 0, 100};
  const std::vector<double> ticks = axis.ticks();
  ASSERT_FALSE(ticks.empty());
  for (const double tick : ticks) {
    EXPECT_GE(tick, 0.13);
    EXPECT_LE(tick, 0.97);
    EXPECT_NEAR(tick / 0.2, std::round(tick / 0.2), 1e-9);
  }
  const Axis powers{1e-4, 1, 0, 100, true};
  EXPECT_EQ(powers.ticks().size(), 5U);
  EXPECT_NEAR(powers(1e-2), 50, 1e-9);
}

// A voxel on the left of the brain is drawn on the left, whichever way the file's first axis runs.
TEST(Mosaic, LeftIsLeft) {
  for (const double direction : {-1.0, 1.0}) {
    BrainMap under{TensorF(Shape{20, 20, 20}), {{{{direction, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}}}, true};
    for (float& v : under.values.flat()) v = 1;
    BrainMap map{TensorF(Shape{20, 20, 20}), under.affine, true};
    map.values(direction < 0 ? 18 : 1, 10, 10) = 1;  // the smaller x in the world
    const Image image = mosaic(map, &under, cuts_through({&map}), Palette::diverging);
    int orange = 0, left = 0;
    // The first row, slice by slice: in which half of its picture are orange pixels?
    for (int x = 0; x < 7 * 176; ++x)
      for (int y = 0; y < 170; ++y) {
        const Colour c = image.at(x, y);
        if (c[0] < c[2] + 50) continue;
        ++orange;
        left += x % 176 < 88;
      }
    EXPECT_GT(orange, 0);
    EXPECT_EQ(left, orange) << direction;
  }
}

TEST(Mosaic, EmptyMapsAreDrawn) {
  const BrainMap map{TensorF(Shape{3, 4, 5}), {}, false};
  const std::string png = mosaic(map, nullptr, cuts_through({&map}), Palette::sequential).png();
  EXPECT_EQ(png.substr(1, 3), "PNG");
}

}  // namespace
}  // namespace sturm
