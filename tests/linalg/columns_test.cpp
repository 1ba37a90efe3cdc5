// SPDX-License-Identifier: BSD-3-Clause
// The steps on the columns of many problems, against plain loops written from jobs.h.
#include <gtest/gtest.h>

#include <limits>
#include <numeric>

#include "backends.h"
#include "linalg/numbers.h"
#include "sturm/linalg/host.h"

namespace sturm::linalg {
namespace {

using test::draw;
using test::few_roundings;
using test::soft;

constexpr double rho = 1.5, gamma = 0.8, mixed = 0.3, times = -0.7, theta = 1.25;
constexpr double steps[] = {1.0, 0.5, 0.25};
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

/// One problem; a chunk is 16384 columns.
struct Size {
  Index columns;
  bool masked, has_a;
};
const std::vector<Size> sizes = {{1, false, true},      {7, true, true},      {1000, false, false}, {16384, true, true},
                                 {16385, false, false}, {40000, true, false}, {40000, false, true}};

template <class Real>
struct Numbers {
  explicit Numbers(std::uint64_t p)
      : a(draw<Real>(sizes[p].columns, 52, 10 * p)),
        z(draw<Real>(sizes[p].columns, 52, 10 * p + 1)),
        z_next(draw<Real>(sizes[p].columns, 52, 10 * p + 2)),
        q(draw<Real>(sizes[p].columns, 52, 10 * p + 3)),
        mask(test::some_columns(sizes[p].columns, p)) {}
  std::vector<Real> a, z, z_next, q;
  std::vector<std::uint8_t> mask;
};

template <class Real>
struct Found {
  std::vector<Real> cleared, copied, scaled, scaled_here, added, mix, mix_here, polished, ray;
  std::vector<double> numbers;  // trial, beyond, compare with b and without, sizes, ray
  bool operator==(const Found&) const = default;
};

class ColumnsOfProblems : public test::OnBackend {
 protected:
  template <class Real>
  std::vector<Found<Real>> run(const std::vector<std::size_t>& list) {
    Operations<Real>& ops = backend;
    struct Device {
      Array<Real> a, z, z_next, q, cleared, copied, scaled, scaled_here, added, mix, mix_here, polished, ray;
      Array<std::uint8_t> mask;
    };
    std::vector<Device> devices;
    for (const std::size_t p : list) {
      const Numbers<Real> n(p);
      const auto up = [&](const auto& v) { return backend.uploaded(std::span(std::as_const(v))); };
      const auto rubbish = [&] { return up(std::vector<Real>(n.a.size(), static_cast<Real>(not_a_number))); };
      devices.push_back({up(n.a), up(n.z), up(n.z_next), up(n.q), rubbish(), rubbish(), rubbish(), up(n.a), up(n.q),
                         rubbish(), up(n.z), rubbish(), rubbish(), up(n.mask)});
    }
    std::vector<StepsJob<Real>> trial;
    std::vector<ScaleJob<Real>> scale;
    std::vector<MixJob<Real>> mix;
    std::vector<ExcessJob<Real>> beyond;
    std::vector<PolishJob<Real>> polish;
    std::vector<CompareJob<Real>> compare;
    std::vector<SizeJob<Real>> size;
    std::vector<RayJob<Real>> ray;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Device& d = devices[i];
      const Bytes mask = sizes[list[i]].masked ? Bytes(d.mask) : Bytes();
      trial.push_back({.a = {}, .z = d.z, .z_next = d.z_next, .mask = mask, .rho = rho, .gamma = gamma});
      if (sizes[list[i]].has_a) trial.back().a = d.a;
      scale.push_back({.to = d.cleared});
      scale.push_back({.from = d.a, .to = d.copied});
      scale.push_back({.from = d.a, .to = d.scaled, .times = times});
      scale.push_back({.from = d.scaled_here, .to = d.scaled_here, .times = times});
      scale.push_back({.from = d.a, .to = d.added, .times = times, .add = true});
      mix.push_back({d.z, d.z_next, d.mix, mixed});
      mix.push_back({d.mix_here, d.z_next, d.mix_here, mixed});
      beyond.push_back({d.z, d.q, mask, times});
      polish.push_back({d.z, d.a, d.q, mask, rho, gamma, d.polished});
      compare.push_back({.v = d.a, .b = d.q, .times = times});
      compare.push_back({.v = d.a, .b = {}, .times = times});
      size.push_back({.a = d.a});
      ray.push_back({.a = d.a, .v = d.z, .mask = mask, .theta = theta, .rho = rho, .gamma = gamma, .w = d.ray});
    }
    ops.try_steps(trial, steps);
    ops.scale(scale);
    ops.mix(mix);
    ops.measure_excess(beyond);
    ops.polish(polish);
    ops.compare(compare);
    ops.measure_sizes(size);
    ops.shrink_on_ray(ray);
    std::vector<Found<Real>> out(sizes.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto down = [&](const Array<Real>& a) { return test::host_copy<Real>(backend, a); };
      const Device& d = devices[i];
      out[list[i]] = {down(d.cleared), down(d.copied),   down(d.scaled),   down(d.scaled_here), down(d.added),
                      down(d.mix),     down(d.mix_here), down(d.polished), down(d.ray),         trial[i].norms2};
      std::vector<double>& numbers = out[list[i]].numbers;
      numbers.push_back(beyond[i].most);
      for (const auto& c : {compare[2 * i], compare[2 * i + 1]}) numbers.insert(numbers.end(), {c.away, c.inner, c.l1});
      numbers.insert(numbers.end(), {size[i].most, size[i].l1, size[i].square, ray[i].inner, ray[i].square});
    }
    return out;
  }

  template <class Real>
  void expect_agrees(std::size_t p, const Found<Real>& found) const {
    SCOPED_TRACE(std::to_string(sizes[p].columns) + " columns");
    const Numbers<Real> n(p);
    const double tolerance = few_roundings<Real>;
    const auto at = [](const auto& of, Index v) { return static_cast<double>(of[v]); };
    std::vector<double> numbers(15);
    for (Index v = 0; v < sizes[p].columns; ++v) {
      const double a = at(n.a, v), z = at(n.z, v), next = at(n.z_next, v), q = at(n.q, v);
      ASSERT_EQ(found.cleared[v], Real{0});
      ASSERT_EQ(found.copied[v], n.a[v]);
      ASSERT_NEAR(at(found.scaled, v), times * a, tolerance);
      ASSERT_EQ(found.scaled_here[v], found.scaled[v]);
      ASSERT_NEAR(at(found.added, v), q + times * a, tolerance);
      ASSERT_NEAR(at(found.mix, v), z + mixed * (next - z), tolerance);
      ASSERT_EQ(found.mix_here[v], found.mix[v]);
      const bool inside = !sizes[p].masked || n.mask[v];
      const double b = a + q, point = b + std::clamp(z + rho * (b - q), -gamma, gamma) / (100 * rho);
      ASSERT_NEAR(at(found.polished, v), inside ? soft(point, gamma / (100 * rho)) : 0, tolerance);
      const double on_ray = inside ? soft(a + theta * z / rho, gamma / rho) : 0;
      ASSERT_NEAR(at(found.ray, v), on_ray, tolerance);
      if (inside) {
        for (int s = 0; s < 3; ++s)
          numbers[s] += std::pow(soft((sizes[p].has_a ? a : 0) + (z + steps[s] * (next - z)) / rho, gamma / rho), 2);
        numbers[3] = std::max(numbers[3], std::abs(z - times * q));
      }
      numbers[4] += std::pow(times * a - q, 2);
      numbers[5] += times * a * q;
      numbers[6] += std::abs(q);
      numbers[7] += std::pow(times * a, 2);  // b missing: 0
      numbers[10] = std::max(numbers[10], std::abs(a));
      numbers[11] += std::abs(a);
      numbers[12] += a * a;
      numbers[13] += z * at(found.ray, v);  // of the w that was found: one beside its threshold may be 0 or not
      numbers[14] += found.ray[v] != 0 ? z * z : 0;
    }
    ASSERT_EQ(found.numbers.size(), numbers.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
      EXPECT_NEAR(found.numbers[i], numbers[i], tolerance * (1 + numbers[12])) << i;  // sums of so many terms of size 1
  }

  template <class Real>
  void expect_formulas_and_bits();
};

template <class Real>
void ColumnsOfProblems::expect_formulas_and_bits() {
  std::vector<std::size_t> list(sizes.size());
  std::iota(list.begin(), list.end(), std::size_t{0});
  const std::vector<std::size_t> backwards(list.rbegin(), list.rend());
  const auto reference = test::with_threads(1, [&] { return run<Real>(list); });
  for (const std::size_t p : list) expect_agrees(p, reference[p]);
  const auto on_three = test::with_threads(3, [&] { return run<Real>(list); });
  const auto turned = test::with_threads(3, [&] { return run<Real>(backwards); });
  for (const std::size_t p : list) {
    EXPECT_TRUE(on_three[p] == reference[p]) << p << " on three threads";
    EXPECT_TRUE(turned[p] == reference[p]) << p << " in another order";
    EXPECT_TRUE(run<Real>({p})[p] == reference[p]) << p << " alone";
  }
}

TEST_P(ColumnsOfProblems, AreTheFormulasWhateverTheCompanyAndTheThreads) {
  expect_formulas_and_bits<float>();
  expect_formulas_and_bits<double>();
}

// A proof must not pass over what is not a number: the largest of numbers with a NaN among them is a NaN, wherever it
// stands, and an infinity stays one.
TEST_P(ColumnsOfProblems, NotNumbersAreTheLargest) {
  for (const Index where : {Index{0}, Index{5}, Index{16384}, Index{19999}})
    for (const double bad : {not_a_number, std::numeric_limits<double>::infinity()}) {
      std::vector<double> numbers = draw<double>(20000, 53, 1);
      numbers[where] = bad;
      const Array<double> a = backend.uploaded(std::span(std::as_const(numbers)));
      const Array<double> zeros = backend.make<double>(20000);
      SizeJob<double> size{.a = a};
      ExcessJob<double> beyond{.z = a, .g = zeros, .mask = {}};
      operations<double>(backend).measure_sizes({&size, 1});
      operations<double>(backend).measure_excess({&beyond, 1});
      EXPECT_FALSE(std::isfinite(size.most)) << where;
      EXPECT_FALSE(std::isfinite(size.l1)) << where;
      EXPECT_FALSE(std::isfinite(beyond.most)) << where;
      EXPECT_EQ(std::isnan(beyond.most), std::isnan(bad)) << where;
    }
}

STURM_ON_EVERY_BACKEND(ColumnsOfProblems);

}  // namespace
}  // namespace sturm::linalg
