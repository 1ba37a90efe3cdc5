// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/paper_figure.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <cmath>

#include "sturm/report/figures.h"
#include "sturm/report/paint.h"
#include "sturm/report/slices.h"
#include "sturm/report/svg.h"

namespace sturm {
namespace {

const std::string hostile = "</text><script>alert(1)</script>\x01\xff";

/// Two classes, two methods that were compared, a map with a place in the world.
Report small_report(const std::string& positive = "patient", const std::string& column = "group") {
  Report report;
  Study& s = report.study;
  s.title = "a study";
  s.target = {column, std::vector<std::string>{"control", positive}, positive, "control"};
  s.counts.samples = 40;
  s.counts.folds = 2;
  s.chance = s.majority = 0.5;
  for (const auto& [name, score, sparsity] : {std::tuple{"svm", 0.7, 0.0}, std::tuple{"sturm", 0.8, 0.99}}) {
    StudyMethod& m = s.methods.emplace_back();
    m.name = name;
    m.scores[Measure::accuracy] = {score, 0.05, score, {score - 0.05, score + 0.05}, {}};
    m.interval = std::array{score - 0.1, score + 0.1};
    m.sparsity.in_mask = sparsity;
    for (int p = 0; p < 19; ++p) m.null_scores.emplace_back(0.4 + 0.01 * p);
    m.p.permutation = 0.05;
  }
  Comparison c{.first = "svm", .second = "sturm"};
  c.difference = -0.1;
  c.p_adjusted = 0.3;
  s.comparisons = {c};
  s.pairs = {{WhichIsBetter::neither, WhichIsBetter::unknown, ""}};
  const Affine affine{{{{-2, 0, 0, 20}, {0, 2, 0, -20}, {0, 0, 2, -10}}}};
  BrainMap under{TensorF(Shape{20, 24, 18}), affine, true};
  for (float& v : under.values.flat()) v = 1;
  BrainMap map{TensorF(Shape{20, 24, 18}), affine, true};
  map.values(3, 12, 9) = 2;
  map.values(4, 12, 9) = -1;
  report.volumes.push_back({"map-2", VolumeKind::map, "sturm", "", "Coefficients", map, 3, "", ""});
  report.volumes.push_back({"background", VolumeKind::background, "", "", "Mean", under, 3, "", ""});
  return report;
}

std::uint32_t number_at(const std::string& bytes, std::size_t at) {
  std::uint32_t out = 0;
  for (std::size_t n = 0; n < 4; ++n) out = out << 8U | static_cast<unsigned char>(bytes[at + n]);
  return out;
}

TEST(PaperFigure, HasFourPanelsInTwoWidths) {
  const Report report = small_report();
  for (const int width : paper_widths) {
    const Drawing drawing = paper_figure(report, width);
    EXPECT_NEAR(drawing.width(), width / 25.4 * 96, 1e-9);
    const std::string svg = svg_file(drawing, "x");
    for (const char* letter : {">A<", ">B<", ">C<", ">D<"}) EXPECT_NE(svg.find(letter), std::string::npos) << letter;
    for (const char* words :
         {"Accuracy (%)", "Map of sturm", "Accuracy against sparsity", "Permuted labels", "weight", ">L<", ">R<"})
      EXPECT_NE(svg.find(words), std::string::npos) << words;
  }
  EXPECT_TRUE(paper_figure(Report(), 89).shapes().empty());
}

// 6 points are 8 pixels; and what is written lies on the paper.
TEST(PaperFigure, TextIsLargeEnoughAndOnThePaper) {
  for (const int width : paper_widths) {
    const Drawing drawing = paper_figure(small_report(), width);
    for (const Shape2d& shape : drawing.shapes())
      if (const auto* const text = std::get_if<DrawnText>(&shape)) {
        EXPECT_GE(text->style.size, 8.0) << text->words;
        if (text->style.turned != 0) continue;
        const double wide = text_width(text->words, text->style.size, text->style.bold);
        const double left = text->x - (text->style.anchor == "end"      ? wide
                                       : text->style.anchor == "middle" ? wide / 2
                                                                        : 0);
        EXPECT_GE(left, -1) << text->words;
        EXPECT_LE(left + wide, drawing.width() + 1) << text->words;
        EXPECT_LE(text->y, drawing.height()) << text->words;
      }
  }
}

TEST(PaperFigure, PixelsAreThoseOf300DotsPerInch) {
  EXPECT_EQ(paper_pixels(89), 1051);
  EXPECT_EQ(paper_pixels(183), 2161);
  const std::string png = Image(3, 2).png(paper_dpi);
  const std::size_t at = png.find("pHYs");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(number_at(png, at + 4), 11811U);
  EXPECT_EQ(number_at(png, at + 8), 11811U);
  EXPECT_EQ(png[at + 12], 1);
  EXPECT_EQ(Image(3, 2).png().find("pHYs"), std::string::npos);
}

TEST(PaperFigure, TheCaptionSaysTheNumbers) {
  const std::string caption = paper_caption(small_report());
  for (const char* words : {"Telling patient from control in 40 volumes", "(A) Accuracy of 2 methods", "2 outer folds",
                            "always naming the larger class (50.0 %)", "sturm, 80.0 %",
                            "95 % interval 70.0 % to 90.0 %", "(B) Weights of sturm", "the 2 voxels that are not 0",
                            "towards patient", "(C) ", "(D) ", "19 permutations", "p = 0.05"})
    EXPECT_NE(caption.find(words), std::string::npos) << words << "\n" << caption;
}

TEST(PaperFigure, HostileNamesStayText) {
  Report report = small_report(hostile, hostile);
  for (StudyMethod& method : report.study.methods) method.name += hostile;
  for (ReportVolume& volume : report.volumes)
    if (volume.kind == VolumeKind::map) volume.method += hostile;
  report.study.comparisons.front().first += hostile;
  report.study.comparisons.front().second += hostile;
  for (const Figure& figure : figures_of(report)) {
    EXPECT_EQ(figure.name.find_first_of("</>\x01"), std::string::npos) << figure.name;
    if (!figure.name.ends_with(".svg")) continue;
    EXPECT_EQ(figure.bytes.find("<script"), std::string::npos) << figure.name;
    EXPECT_EQ(figure.bytes.find('\x01'), std::string::npos) << figure.name;
  }
}

TEST(PaperFigure, TheSameReportGivesTheSameBytes) {
  const std::vector<Figure> one = figures_of(small_report()), other = figures_of(small_report());
  ASSERT_EQ(one.size(), other.size());
  std::vector<std::string> names;
  for (std::size_t f = 0; f < one.size(); ++f) {
    EXPECT_EQ(one[f].bytes, other[f].bytes) << one[f].name;
    names.push_back(one[f].name);
    if (one[f].name.ends_with(".pdf")) {
      EXPECT_TRUE(one[f].bytes.starts_with("%PDF-"));
      for (const char* word : {"CreationDate", "ModDate", "/ID ["})
        EXPECT_EQ(one[f].bytes.find(word), std::string::npos) << word;
    }
    if (one[f].name == "figure_89mm.png" || one[f].name == "figure_183mm.png") {
      EXPECT_EQ(number_at(one[f].bytes, 16), one[f].name == "figure_89mm.png" ? 1051U : 2161U);
    }
  }
  for (const char* name : {"figure_89mm.svg", "figure_183mm.svg", "caption.md"})
    EXPECT_TRUE(std::ranges::find(names, name) != names.end()) << name;
  for (const char* name : {"figure_89mm.pdf", "figure_183mm.pdf", "figure_89mm.png", "figure_183mm.png"})
    EXPECT_EQ(std::ranges::find(names, name) != names.end(), can_paint()) << name;
  EXPECT_EQ(figures_left_out().empty(), can_paint());
}

// What cairo paints is what was described: a rectangle of colour where it belongs, white elsewhere.
TEST(Paint, PixelsLieWhereTheyWereDrawn) {
  if (!can_paint()) GTEST_SKIP() << "built without cairo";
  Drawing drawing(100, 50);
  drawing.rectangle(10, 10, 30, 20, "#0072b2");
  Image two(2, 1, {255, 0, 0});
  two.set(1, 0, {0, 255, 0});
  drawing.picture(60, 10, 20, 20, two);
  const Image image = painted(drawing, 200);
  EXPECT_EQ(image.width(), 200);
  EXPECT_EQ(image.height(), 100);
  EXPECT_EQ(image.at(40, 40), (Colour{0, 0x72, 0xb2}));
  EXPECT_EQ(image.at(100, 40), (Colour{255, 255, 255}));
  EXPECT_EQ(image.at(130, 40), (Colour{255, 0, 0}));
  EXPECT_EQ(image.at(150, 40), (Colour{0, 255, 0}));
}

// The file's first axis runs to the left here: a voxel at its beginning is on the right of the brain, and drawn there.
TEST(Slices, LeftIsLeftAndColoursAreThoseOfTheViewer) {
  const Report report = small_report();
  const SliceSet set = slices_of(report.volumes[0].map, &report.volumes[1].map, 100);
  EXPECT_EQ(set.limit, 2);
  EXPECT_EQ(set.threshold, 0);
  EXPECT_EQ(set.shown, 2);
  ASSERT_EQ(set.axial.size(), 4U);
  int orange = 0, right = 0, blue = 0;
  for (const Slice& slice : set.axial)
    for (int y = 0; y < slice.image.height(); ++y)
      for (int x = 0; x < slice.image.width(); ++x) {
        const Colour c = slice.image.at(x, y);
        if (c == weight_colour(1)) {
          ++orange;
          right += x > slice.image.width() / 2 ? 1 : 0;
        }
        blue += c == weight_colour(-0.5) ? 1 : 0;
      }
  EXPECT_GT(orange, 0);
  EXPECT_GT(blue, 0);
  EXPECT_EQ(right, orange);
  EXPECT_EQ(weight_colour(1), (Colour{255, 240, 160}));
  EXPECT_EQ(weight_colour(-1), (Colour{196, 236, 255}));
}

TEST(Slices, OfADenseMapTheStrongestTwoPercentAreShown) {
  BrainMap map{TensorF(Shape{10, 10, 10}), {}, false};
  float value = 0;
  for (float& v : map.values.flat()) v = ++value;
  const SliceSet set = slices_of(map, nullptr, 50);
  EXPECT_EQ(set.shown, 20);
  EXPECT_EQ(set.threshold, 981);
}

}  // namespace
}  // namespace sturm
