// SPDX-License-Identifier: BSD-3-Clause
// A design of the voxels inside a mask, with copies of W cropped to the rows and columns that the mask reaches, is the
// problem over the whole box with W = 0 outside the mask. Shown twice: the two solves agree, and each is proven on the
// whole box by an oracle that shares no code with the library's penalties, from W and the split put back into the box.
#include "oracle/crop.h"

#include "oracle/overlapped.h"
#include "oracle/proof.h"
#include "solver/small_problem.h"
#include "sturm/tensor/algebra.h"

namespace sturm {
namespace {

enum class Masks { empty_lines, one_voxel, everything, blob, scattered };

std::vector<std::uint8_t> mask_of(Masks kind, const Shape& s) {
  std::vector<std::uint8_t> out(s.size());
  Rng rng(71, static_cast<std::uint64_t>(kind));
  for (Index k = 0; k < s.n3; ++k)
    for (Index j = 0; j < s.n2; ++j)
      for (Index i = 0; i < s.n1; ++i) {
        // Half axes of a bit less than half the box, as a brain in its bounding box with a margin.
        const auto off = [](Index at, Index n) {
          return n == 1 ? 0 : (static_cast<double>(2 * at - n + 1)) / (0.85 * static_cast<double>(n));
        };
        const double radius2 = std::pow(off(i, s.n1), 2) + std::pow(off(j, s.n2), 2) + std::pow(off(k, s.n3), 2);
        const bool inside[] = {
            i != 1 && j != 0 && j != 2 && (s.n3 < 3 || k != 1),  // rows, columns and a slice without a voxel
            i == s.n1 / 2 && j == s.n2 - 1 && k == s.n3 / 2,    true, radius2 <= 1, rng.uniform() < 0.35,
        };
        out[i + s.n1 * (j + s.n2 * k)] = inside[static_cast<int>(kind)];
      }
  return out;
}

struct Case {
  Shape shape;
  Masks masks;
  bool overlapped;
};

std::string name_of(const testing::TestParamInfo<std::tuple<linalg::Backend*, Case>>& info) {
  static const char* const masks[] = {"empty_lines", "one_voxel", "everything", "blob", "scattered"};
  const auto& [backend, c] = info.param;
  return backend->name() + "_" + to_string(c.shape) + "_" + masks[static_cast<int>(c.masks)] +
         (c.overlapped ? "_overlapped" : "_tubal");
}

std::vector<Case> cases() {
  std::vector<Case> out;
  // Tubes of length 1, 4, 5 and 6; tall, wide and square slices.
  for (const Shape& shape : {Shape{7, 5, 1}, Shape{6, 4, 4}, Shape{4, 6, 5}, Shape{5, 5, 6}})
    for (const Masks masks : {Masks::empty_lines, Masks::one_voxel, Masks::everything, Masks::blob, Masks::scattered})
      for (const bool overlapped : {false, true}) out.push_back({shape, masks, overlapped});
  return out;
}

/// A solution on the box: W, and the split as whole tensors.
struct OnBox {
  Tensor w;
  std::vector<Tensor> split;
  std::vector<double> theta;
  double objective;
};

class Crop : public testing::TestWithParam<std::tuple<linalg::Backend*, Case>> {
 protected:
  linalg::Backend& backend = *std::get<0>(GetParam());
  const Shape shape = std::get<1>(GetParam()).shape;
  const bool overlapped = std::get<1>(GetParam()).overlapped;
  const std::vector<std::uint8_t> mask = mask_of(std::get<1>(GetParam()).masks, shape);

  PenaltyPointer penalty(const Region& region) const {
    return overlapped ? overlapped_nuclear_norm(region) : tubal_nuclear_norm(region);
  }

  /// Volumes, and labels that follow a few voxels of the mask and noise.
  void make(Index samples) {
    Rng rng(72);
    x_.clear();
    y_.clear();
    for (Index m = 0; m < samples; ++m) {
      x_.push_back(cast<double>(cast<float>(random_normal(shape, 73, m))));
      double label = rng.normal();
      for (Index v = 0; v < shape.size(); v += 2) label += mask[v] ? x_[m].flat()[v] : 0;
      y_.push_back(label);
    }
  }
  /// X'y inside the mask.
  Tensor at_zero() const {
    Tensor out(shape);
    for (std::size_t m = 0; m < x_.size(); ++m)
      for (Index v = 0; v < shape.size(); ++v) out.flat()[v] += mask[v] ? y_[m] * x_[m].flat()[v] : 0;
    return out;
  }
  /// Penalties as parts of those at which one alone leaves nothing (of unfoldings: V in three equal parts): none of
  /// each, little, some, and W = 0.
  std::vector<std::pair<double, double>> penalties() const {
    const Tensor v = at_zero();
    double tau = overlapped ? 0 : oracle::spectral(v);
    for (int n = 1; n <= 3 && overlapped; ++n) tau = std::max(tau, oracle::unfolded_values(v, n).front());
    const double gamma = max_abs(v);
    std::vector<std::pair<double, double>> out;
    for (const auto& [a, b] :
         {std::pair<double, double>{0.2, 0}, {0, 0.2}, {0.1, 0.1}, {0.3, 0.01}, {0.01, 0.3}, {1.1, 1.1}})
      out.emplace_back(a * tau, b * gamma);
    return out;
  }

  /// Over the design of the mask, and over the whole box with the mask in the view.
  template <class Real>
  std::vector<OnBox> cropped(double gap) {
    const Design<Real> x = masked(test::design_of<Real>(x_), mask);
    return solved(x, test::plain_view(x), gap, mask);
  }
  template <class Real>
  std::vector<OnBox> uncropped(double gap) {
    const Design<Real> x = test::design_of<Real>(x_);
    return solved(x,
                  std::make_shared<const View<Real>>(x, RowMap(std::vector<double>(x.samples(), 1.0), false),
                                                     std::vector<Real>{}, mask),
                  gap, {});
  }

  /// The oracle's gap: primal and dual value on the whole box, W = 0 outside the mask and the split free there. Where
  /// the split misses the l1 ball, G1 is clipped into it and the split's parts take the rest: any such point is
  /// feasible.
  double gap_of(const OnBox& s, double tau, double gamma) const {
    double primal = 0, dual = 0;
    const auto value = [&](const std::vector<Tensor>& split) {
      if (tau == 0) return oracle::dual(x_, y_, s.theta, Tensor(shape), 0, gamma, mask);
      return overlapped ? oracle::remurs_dual(x_, y_, s.theta, split, tau, gamma, mask)
                        : oracle::dual(x_, y_, s.theta, split.front(), tau, gamma, mask);
    };
    std::vector<Tensor> clipped = s.split;
    const double parts = static_cast<double>(clipped.size());
    for (Index v = 0; v < shape.size(); ++v) {
      double z = 0, sum = 0;
      for (std::size_t m = 0; m < y_.size(); ++m) z += s.theta[m] * x_[m].flat()[v];
      for (const Tensor& part : s.split) sum += part.flat()[v];
      if (mask[v])
        for (Tensor& part : clipped) part.flat()[v] += (z - std::clamp(z - sum, -gamma, gamma) - sum) / parts;
    }
    dual = std::max(value(s.split), value(clipped));
    primal =
        overlapped ? oracle::remurs_objective(x_, y_, s.w, tau, gamma) : oracle::objective(x_, y_, s.w, tau, gamma);
    EXPECT_NEAR(s.objective, primal, 1e-6 * primal);  // in float the margin for what Gram matrices may miss
    for (Index v = 0; v < shape.size(); ++v) EXPECT_TRUE(mask[v] || s.w.flat()[v] == 0);
    return (primal - dual) / primal;
  }

  template <class Real>
  void expect_agrees(double gap, double maps);

 private:
  template <class Real>
  std::vector<OnBox> solved(const Design<Real>& x, const std::shared_ptr<const View<Real>>& view, double gap,
                            const std::vector<std::uint8_t>& crop) {
    std::vector<Problem<Real>> problems;
    const PenaltyPointer of_region = penalty(x.region());
    for (const auto& [tau, gamma] : penalties()) problems.push_back({view, y_, tau, gamma, of_region});
    BatchOptions<Real> options{backend};
    options.solver.gap = gap;
    std::vector<OnBox> out;
    for (const Solution<Real>& s : solve_batch<Real>(x, problems, options)) {
      EXPECT_LE(s.gap, gap);
      EXPECT_EQ(s.w.shape(), x.region().column_shape());
      const Tensor w = cast<double>(s.w);
      Tensor on_box(shape);  // the voxels of the crop in tensor order
      for (Index v = 0, c = 0; v < shape.size(); ++v)
        if (crop.empty() || crop[v]) on_box.flat()[v] = w.flat()[c++];
      out.push_back({on_box, oracle::split_in_box(s.split, shape, crop), s.theta, s.objective});
    }
    return out;
  }

  std::vector<Tensor> x_;
  std::vector<double> y_;
};

template <class Real>
void Crop::expect_agrees(double gap, double maps) {
  const std::vector<OnBox> inside = cropped<Real>(gap), whole = uncropped<Real>(gap);
  const auto all = penalties();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto& [tau, gamma] = all[i];
    SCOPED_TRACE("tau " + std::to_string(tau) + ", gamma " + std::to_string(gamma));
    // 1e-13: the oracle's own rounding.
    EXPECT_LE(gap_of(inside[i], tau, gamma), gap + 1e-13);
    EXPECT_LE(gap_of(whole[i], tau, gamma), gap + 1e-13);
    // Both are at most a gap above the optimum; in float each objective has its margin for Gram matrices besides.
    const double slack = gap + (sizeof(Real) == 4 ? 1e-6 : 1e-13);
    EXPECT_NEAR(inside[i].objective, whole[i].objective, slack * whole[i].objective);
    if (maps > 0) {
      EXPECT_LE(max_abs(inside[i].w - whole[i].w), maps * max_abs(whole[i].w));
    }
    EXPECT_EQ(max_abs(whole[i].w) == 0, i + 1 == all.size()) << "the last is beyond the zero point, no other";
    EXPECT_EQ(max_abs(inside[i].w) == 0, i + 1 == all.size());
  }
}

// Fewer samples than voxels, as in a study.
TEST_P(Crop, AgreesInFloat) {
  make(12);
  expect_agrees<float>(1e-3, 0);
}

TEST_P(Crop, AgreesInDouble) {
  make(12);
  expect_agrees<double>(1e-8, 0);
}

// Three times as many samples as voxels: the loss is strongly convex, W is unique, and |W - W*|^2 <= 2 gap objective /
// m with m the smallest eigenvalue of X'X. The labels follow W, so that the objective is about m |W|^2: a gap of 1e-13
// leaves 1e-6 of W.
TEST_P(Crop, MapsAgreeWhereTheOptimumIsUnique) {
  make(3 * std::ranges::count(mask, 1) + 5);
  expect_agrees<double>(1e-13, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Cases, Crop, testing::Combine(testing::ValuesIn(test::backends()), testing::ValuesIn(cases())),
                         name_of);

}  // namespace
}  // namespace sturm
