// SPDX-License-Identifier: BSD-3-Clause
// The steps between the columns of a design and the copies of W, against plain loops written from jobs.h.
#include <gtest/gtest.h>

#include <numeric>

#include "backends.h"
#include "linalg/numbers.h"

namespace sturm::linalg {
namespace {

using test::draw;
using test::few_roundings;

/// Where columns stand in an array of this size.
struct Place {
  std::string name;
  std::vector<Index> positions;
  Index size;
};

/// Sums are kept over chunks of 16384 numbers: the last four places have several.
std::vector<Place> places() {
  const auto made = [](std::string name, Index columns, Index size, auto position) {
    Place out{std::move(name), std::vector<Index>(columns), size};
    for (Index c = 0; c < columns; ++c) out.positions[c] = position(c);
    return out;
  };
  return {made("one column", 1, 5, [](Index) { return 3; }),
          made("identity", 1000, 1000, [](Index c) { return c; }),
          made("every third", 700, 2500, [](Index c) { return 3 * c + 1; }),
          made("backwards", 900, 900, [](Index c) { return 899 - c; }),
          made("scattered", 3000, 5003, [](Index c) { return c * 1777 % 5003; }),
          made("long identity", 40000, 40000, [](Index c) { return c; }),
          made("long runs", 40000, 50000, [](Index c) { return c + c / 4; }),
          made("long backwards in runs", 33000, 40000, [](Index c) { return 39999 - c / 5 * 5 - (4 - c % 5); }),
          made("long scattered", 40000, 40009, [](Index c) { return c * 7919 % 40009; })};
}

constexpr double nu = 1.7, rho = 1.5, gamma = 0.8, share = 0.5;

template <class Real>
struct Numbers {
  Numbers(const Place& at, std::uint64_t p)
      : w(draw<Real>(std::ssize(at.positions), 51, 10 * p)),
        z(draw<Real>(std::ssize(at.positions), 51, 10 * p + 1)),
        mean_q(draw<Real>(std::ssize(at.positions), 51, 10 * p + 2)),
        before(draw<Real>(std::ssize(at.positions), 51, 10 * p + 3)),
        b(draw<Real>(at.size, 51, 10 * p + 4)),
        q(draw<Real>(at.size, 51, 10 * p + 5)),
        next(draw<Real>(at.size, 51, 10 * p + 6)),
        mask(test::some_columns(std::ssize(at.positions), p)) {}

  std::vector<Real> w, z, mean_q, before;  // of the columns
  std::vector<Real> b, q, next;            // of the copy
  std::vector<std::uint8_t> mask;
  bool masked = false, adds = false;
};

template <class Real>
struct Found {
  std::vector<Real> relaxed, b, q, a, gathered, spread;
  std::vector<double> sums;
  std::vector<Real> split[2][2];  // one term or three; gamma 0 or not
  bool operator==(const Found&) const = default;
};

class CopiesOfW : public test::OnBackend {
 protected:
  template <class Real>
  Numbers<Real> numbers(std::size_t p) const {
    Numbers<Real> out(all[p], p);
    out.masked = p % 2 == 1;
    out.adds = p % 3 == 1;
    return out;
  }

  /// Every operation for the places of the list, in one call each; by the number of the place.
  template <class Real>
  std::vector<Found<Real>> run(const std::vector<std::size_t>& list) {
    Operations<Real>& ops = backend;
    struct Device {
      Array<Real> w, z, mean_q, b, q, next, a, gathered, out, spread, split[2][2], own_q;
      Array<std::uint8_t> mask;
      PlacementPointer place;
    };
    std::vector<Device> devices;
    for (const std::size_t p : list) {
      const Numbers<Real> n = numbers<Real>(p);
      const auto up = [&](const auto& v) { return backend.uploaded(std::span(std::as_const(v))); };
      Device d{up(n.w), up(n.z), up(n.mean_q), up(n.b), up(n.q), up(n.next), up(n.before), up(n.before)};
      d.mask = up(n.mask);
      d.place = backend.place(all[p].positions, all[p].size);
      d.out = backend.make<Real>(all[p].size);
      // What stood there must not matter.
      d.spread = up(std::vector<Real>(all[p].size, std::numeric_limits<Real>::quiet_NaN()));
      for (auto& terms : d.split)
        for (auto& to : terms) to = up(std::vector<Real>(all[p].size, std::numeric_limits<Real>::quiet_NaN()));
      std::vector<Real> own;  // of one term the mean is its own q
      for (const Index at : all[p].positions) own.push_back(n.q[at]);
      d.own_q = up(own);
      devices.push_back(std::move(d));
    }
    std::vector<RelaxJob<Real>> relax;
    std::vector<AcceptJob<Real>> accept;
    std::vector<GatherJob<Real>> gather;
    std::vector<SpreadJob<Real>> spread;
    std::vector<SplitJob<Real>> split;
    for (std::size_t i = 0; i < list.size(); ++i) {
      Device& d = devices[i];
      const Numbers<Real> n = numbers<Real>(list[i]);
      const Placement* place = d.place.get();
      relax.push_back({d.w, place, d.b, d.q, d.out});
      gather.push_back({d.b, place, d.gathered, 0.3, n.adds});
      spread.push_back({d.w, place, d.spread, -1.25});
      accept.push_back(
          {.w = d.w, .place = place, .b = d.b, .q = d.q, .next = d.next, .a = d.a, .share = share, .add = n.adds});
      for (const int three : {0, 1})
        for (const int l1 : {0, 1}) {
          split.push_back({.z = d.z,
                           .q = three ? d.mean_q.whole() : d.own_q.whole(),
                           .q_term = d.q,
                           .place = place,
                           .rho = rho,
                           .gamma = l1 ? gamma : 0,
                           .terms = three ? 3 : 1,
                           .out = d.split[three][l1]});
          if (n.masked) split.back().mask = d.mask;
        }
    }
    ops.relax(relax, nu);
    ops.gather(gather);
    ops.spread(spread);
    ops.split(split);
    ops.accept(accept, nu);  // the last: it writes b and q
    std::vector<Found<Real>> out(all.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto down = [&](const Array<Real>& a) { return test::host_copy<Real>(backend, a); };
      const Device& d = devices[i];
      Found<Real>& found = out[list[i]];
      found = {down(d.out),
               down(d.b),
               down(d.q),
               down(d.a),
               down(d.gathered),
               down(d.spread),
               std::vector<double>(accept[i].sums, accept[i].sums + 4),
               {}};
      for (const int three : {0, 1})
        for (const int l1 : {0, 1}) found.split[three][l1] = down(d.split[three][l1]);
    }
    return out;
  }

  template <class Real>
  void expect_agrees(std::size_t p, const Found<Real>& found) const {
    SCOPED_TRACE(all[p].name);
    const Numbers<Real> n = numbers<Real>(p);
    const double tolerance = few_roundings<Real>;
    const auto at = [](const auto& of, Index v) { return static_cast<double>(of[v]); };
    std::vector<double> w(all[p].size);
    std::vector<Index> column(all[p].size, -1);
    for (std::size_t c = 0; c < n.w.size(); ++c) {
      w[all[p].positions[c]] = at(n.w, static_cast<Index>(c));
      column[all[p].positions[c]] = static_cast<Index>(c);
    }
    double sums[4] = {};
    for (Index v = 0; v < all[p].size; ++v) {
      const double relaxed = nu * w[v] + (1 - nu) * at(n.b, v) + at(n.q, v), q = relaxed - at(n.next, v);
      ASSERT_NEAR(at(found.relaxed, v), relaxed, tolerance) << v;
      ASSERT_NEAR(at(found.q, v), q, tolerance) << v;
      ASSERT_EQ(found.b[v], n.next[v]);
      sums[0] += std::pow(w[v] - at(n.next, v), 2);
      sums[1] += std::pow(at(n.next, v) - at(n.b, v), 2);
      sums[2] += std::pow(at(n.next, v), 2);
      sums[3] += q * q;
      const Index c = column[v];
      const bool inside = c >= 0 && (!n.masked || n.mask[c]);
      for (const int three : {0, 1})
        for (const int l1 : {0, 1}) {
          const double terms = three ? 3 : 1;
          double expected = rho / terms * at(n.q, v);
          if (inside) {
            const double sum = rho * (three ? at(n.mean_q, c) : at(n.q, v)), z = at(n.z, c);
            const double goal = l1 ? z - std::clamp(z - sum, -gamma, gamma) : z;
            expected += (goal - sum) / terms;
          }
          ASSERT_NEAR(at(found.split[three][l1], v), expected, tolerance) << v << ' ' << three << ' ' << l1;
        }
      ASSERT_EQ(found.spread[v], c < 0 ? Real{0} : Real{-1.25} * n.w[c]) << v;
      if (c < 0) continue;
      const double added = n.adds ? at(n.before, c) : 0;
      ASSERT_NEAR(at(found.a, c), added + share * (at(n.next, v) - q), tolerance) << c;
      ASSERT_NEAR(at(found.gathered, c), added + 0.3 * at(n.b, v), tolerance) << c;
    }
    // A sum of n squares of numbers that are right to a few roundings each.
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(found.sums[i], sums[i], tolerance * (1 + sums[i])) << i;
  }

  template <class Real>
  void expect_formulas_and_bits();

  const std::vector<Place> all = places();
};

template <class Real>
void CopiesOfW::expect_formulas_and_bits() {
  std::vector<std::size_t> list(all.size());
  std::iota(list.begin(), list.end(), std::size_t{0});
  const std::vector<std::size_t> backwards(list.rbegin(), list.rend());
  const auto reference = test::with_threads(1, [&] { return run<Real>(list); });
  for (const std::size_t p : list) expect_agrees(p, reference[p]);
  const auto on_three = test::with_threads(3, [&] { return run<Real>(list); });
  const auto turned = test::with_threads(3, [&] { return run<Real>(backwards); });
  for (const std::size_t p : list) {
    EXPECT_TRUE(on_three[p] == reference[p]) << all[p].name << " on three threads";
    EXPECT_TRUE(turned[p] == reference[p]) << all[p].name << " in another order";
    EXPECT_TRUE(run<Real>({p})[p] == reference[p]) << all[p].name << " alone";
  }
}

TEST_P(CopiesOfW, AreTheFormulasWhateverTheCompanyAndTheThreads) {
  expect_formulas_and_bits<float>();
  expect_formulas_and_bits<double>();
}

TEST_P(CopiesOfW, PlacementsKnowTheirSizes) {
  for (const Place& p : all) {
    const PlacementPointer place = backend.place(p.positions, p.size);
    EXPECT_EQ(place->columns(), std::ssize(p.positions));
    EXPECT_EQ(place->size(), p.size);
  }
}

STURM_ON_EVERY_BACKEND(CopiesOfW);

}  // namespace
}  // namespace sturm::linalg
