// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/phantom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "message.h"
#include "sturm/imaging/smooth.h"
#include "sturm/tensor/tsvd.h"

namespace sturm {
namespace {

PhantomOptions small() {
  PhantomOptions o;
  o.subjects = 12;
  o.size = "30x36x30";
  o.seed = 5;
  return o;
}

TEST(Phantom, AVolumeDependsOnItsSubjectAlone) {
  PhantomOptions more = small();
  more.subjects = 20;
  const Phantom a(small()), b(more);
  EXPECT_EQ(a.volume(7), b.volume(7));
  EXPECT_NE(a.volume(7), a.volume(8));
  more.seed = 6;
  EXPECT_NE(Phantom(more).volume(7), a.volume(7));
}

TEST(Phantom, TheMaskIsAboutABrain) {
  const Phantom phantom(PhantomOptions{});
  const Point size = voxel_size(phantom.grid().affine);
  EXPECT_NEAR(size[0], 3, 1e-12);
  EXPECT_EQ(phantom.grid().affine({0, 0, 0}), (Point{90, -126, -72}));
  const double litres =
      1e-6 * size[0] * size[1] * size[2] * std::accumulate(phantom.mask().begin(), phantom.mask().end(), 0.0);
  EXPECT_GT(litres, 1.4);
  EXPECT_LT(litres, 2.1);
}

TEST(Phantom, TheTruthIsSparseInsideTheMaskAndOfTheRankAskedFor) {
  for (int rank = 1; rank <= 4; ++rank) {
    PhantomOptions o;
    o.rank = rank;
    const Phantom phantom(o);
    Index inside = 0, planted = 0;
    for (Index v = 0; v < phantom.grid().shape.size(); ++v) {
      inside += phantom.mask()[v];
      planted += phantom.truth().data()[v] != 0;
      EXPECT_TRUE(phantom.mask()[v] || phantom.truth().data()[v] == 0);
    }
    EXPECT_GT(planted, 50 * rank);
    EXPECT_LT(planted, inside / 10);
    EXPECT_EQ(tubal_rank(cast<double>(phantom.truth()), Transform::dft(61), 1e-5), rank);
  }
}

// Means over subjects: the groups differ by effect * truth, and otherwise voxels are noise of variance 1 +
// site_effect^2.
TEST(Phantom, HasTheEffectAndTheNoiseAskedFor) {
  PhantomOptions o = small();
  o.subjects = 60;
  o.effect = 2;
  const Phantom phantom(o);
  const Index voxels = phantom.grid().shape.size();
  std::vector<double> difference(voxels), squares(voxels);
  for (Index m = 0; m < o.subjects; ++m) {
    const TensorF x = phantom.volume(m);
    const double sign = phantom.subjects()[m].patient ? 1 : -1;
    for (Index v = 0; v < voxels; ++v) {
      difference[v] += sign * x.data()[v] / 30;
      squares[v] +=
          (x.data()[v] - sign * phantom.truth().data()[v]) * (x.data()[v] - sign * phantom.truth().data()[v]) / 60;
    }
  }
  double fit = 0, truth = 0, variance = 0, inside = 0;
  for (Index v = 0; v < voxels; ++v) {
    fit += difference[v] * phantom.truth().data()[v];
    truth += std::pow(phantom.truth().data()[v], 2);
    variance += squares[v];
    inside += phantom.mask()[v];
    EXPECT_TRUE(phantom.mask()[v] || squares[v] == 0);
  }
  EXPECT_NEAR(fit / truth, 2, 0.2);            // 60 subjects: a standard error of 0.26 per voxel, less over two blobs
  EXPECT_NEAR(variance / inside, 1.25, 0.25);  // the two site fields are smooth: few independent values
}

TEST(Phantom, GroupsAndSitesAreBalanced) {
  const Phantom phantom(small());
  int table[2][2] = {};
  for (const PhantomSubject& s : phantom.subjects()) ++table[s.patient][s.site];
  for (const auto& row : table)
    for (const int count : row) EXPECT_EQ(count, 3);
}

TEST(Phantom, RefusesWhatMakesNoSense) {
  const auto with = [](auto change) {
    PhantomOptions o = small();
    change(o);
    return Phantom(o);
  };
  EXPECT_SAYS(with([](auto& o) { o.size = "30x36"; }), "`size`", "61x73x61");
  EXPECT_SAYS(with([](auto& o) { o.size = "30x36x30x2"; }), "`size`");
  EXPECT_SAYS(with([](auto& o) { o.size = "2x2x2"; }), "`size`", "coarse");
  EXPECT_SAYS(with([](auto& o) { o.subjects = 1; }), "`subjects`");
  EXPECT_SAYS(with([](auto& o) { o.rank = 5; }), "`rank`");
  EXPECT_SAYS(with([](auto& o) { o.effect = std::nan(""); }), "`effect`");
}

// A Gaussian's variances add up: smoothing twice is smoothing once with the root of the sum of squares.
TEST(Smooth, TwiceIsOnceAndWider) {
  TensorF a({25, 21, 23}), b({25, 21, 23});
  a(12, 10, 11) = b(12, 10, 11) = 1;
  smooth(a, 3);
  smooth(a, 4);
  smooth(b, 5);
  double sum = 0;
  for (Index v = 0; v < a.shape().size(); ++v) {
    EXPECT_NEAR(a.data()[v], b.data()[v], 2e-3 * b(12, 10, 11));  // sampled, and cut at four standard deviations
    sum += a.data()[v];
  }
  EXPECT_NEAR(sum, 1, 1e-3);
}

}  // namespace
}  // namespace sturm
