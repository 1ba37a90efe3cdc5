// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/coverage.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

#include "sturm/core/parallel.h"

namespace sturm {
namespace {

using Words = Coverage::Words;

constexpr Index repeated = 8;        ///< of the smallest value other than 0, before a volume is one of steps
constexpr int zeros_around = 3;      ///< of six neighbours, from which on a zero is part of a gap
constexpr double few = 0.1;          ///< of the voxels that are not always 0: where fewer are common, 0 is a value
constexpr Index one_in = 100;        ///< of so many volumes one may lack a voxel of the mask
constexpr Index one_in_common = 10;  ///< and of so many, for a voxel to be a common one

bool bit(const Words& words, Index voxel) { return words[voxel / 64] >> (voxel % 64) & 1; }
void set(Words& words, Index voxel) { words[voxel / 64] |= std::uint64_t{1} << (voxel % 64); }

Index count(const Words& words) {
  return std::transform_reduce(words.begin(), words.end(), Index{0}, std::plus<>(),
                               [](std::uint64_t w) { return static_cast<Index>(std::popcount(w)); });
}

/// How many of the six neighbours of a voxel are in the set; what is outside the box counts as in it.
int neighbours_in(const Words& words, const Shape& s, Index voxel) {
  const Index i = voxel % s.n1, j = voxel / s.n1 % s.n2, k = voxel / s.slice();
  return int{i == 0 || bit(words, voxel - 1)} + int{i + 1 == s.n1 || bit(words, voxel + 1)} +
         int{j == 0 || bit(words, voxel - s.n1)} + int{j + 1 == s.n2 || bit(words, voxel + s.n1)} +
         int{k == 0 || bit(words, voxel - s.slice())} + int{k + 1 == s.n3 || bit(words, voxel + s.slice())};
}

/// The zeros that are values; empty: none.
template <class Real>
Words zeros_that_are_values(std::span<const Real> volume, const Shape& shape, const Words& lacks) {
  Real least = std::numeric_limits<Real>::infinity();
  for (const Real x : volume)
    if (x != 0 && std::abs(x) < least) least = std::abs(x);
  const Index steps = std::ranges::count_if(volume, [&](Real x) { return std::abs(x) == least; });
  if (steps < repeated) return {};
  Words out(lacks.size());
  Index alone = 0;
  for (Index v = 0; v < shape.size(); ++v)
    if (volume[v] == 0 && neighbours_in(lacks, shape, v) < zeros_around) {
      set(out, v);
      ++alone;
    }
  // Of values in steps, those next to 0 on both sides are together about twice as common as 0.
  return alone > 0 && 2 * steps >= alone ? out : Words();
}

/// Counts of 64 voxels at once: bit b of all counts is one word. Adding a row carries from bit to bit.
class Counts {
 public:
  explicit Counts(Index most) : planes_(std::bit_width(static_cast<std::uint64_t>(most))) {}

  void clear() { std::ranges::fill(planes_, 0); }
  void add(std::uint64_t row) {
    for (std::uint64_t& plane : planes_) {
      const std::uint64_t carry = plane & row;
      plane ^= row;
      row = carry;
      if (row == 0) return;
    }
  }
  /// The voxels whose count is at most that.
  std::uint64_t at_most(Index most) const {
    std::uint64_t less = 0, equal = ~std::uint64_t{0};
    for (std::size_t b = planes_.size(); b-- > 0;) {
      if (most >> b & 1) {
        less |= equal & ~planes_[b];
        equal &= planes_[b];
      } else {
        equal &= ~planes_[b];
      }
    }
    return less | equal;
  }

 private:
  std::vector<std::uint64_t> planes_;
};

}  // namespace

Coverage::Coverage(const Shape& shape, Index samples)
    : shape_(shape.check()),
      lacks_(static_cast<std::size_t>(samples)),
      not_finite_(lacks_.size()),
      lone_(lacks_.size()) {}

template <class Real>
void Coverage::add(Index sample, std::span<const Real> volume) {
  Words lacks(static_cast<std::size_t>(words()));
  bool finite = true;
  for (std::size_t w = 0; w < lacks.size(); ++w) {
    const std::size_t begin = 64 * w, end = std::min(begin + 64, volume.size());
    std::uint64_t word = 0;
    for (std::size_t v = begin; v < end; ++v) {
      const Real x = volume[v];
      const bool is_finite = std::abs(x) <= std::numeric_limits<Real>::max();
      finite &= is_finite;
      word |= static_cast<std::uint64_t>(x == 0 || !is_finite) << (v - begin);
    }
    lacks[w] = word;
  }
  Words bad;
  if (!finite) {
    bad.resize(lacks.size());
    for (std::size_t v = 0; v < volume.size(); ++v)
      if (!std::isfinite(volume[v])) set(bad, static_cast<Index>(v));
  }
  lone_[sample] = zeros_that_are_values(volume, shape_, lacks);
  lacks_[sample] = std::move(lacks);
  not_finite_[sample] = std::move(bad);
}

Index Coverage::lacking(Index sample) const { return count(lacks_[sample]); }

Words Coverage::words_in(std::span<const std::uint8_t> mask) const {
  Words any(static_cast<std::size_t>(words())), all(any.size(), ~std::uint64_t{0});
  for (const Words& one : lacks_)
    for (std::size_t w = 0; w < any.size(); ++w) {
      any[w] |= one[w];
      all[w] &= one[w];
    }
  for (std::size_t w = 0; w < any.size(); ++w) any[w] &= ~all[w];
  if (mask.empty()) return any;
  Words inside(any.size());
  for (std::size_t v = 0; v < mask.size(); ++v)
    if (mask[v]) set(inside, static_cast<Index>(v));
  for (std::size_t w = 0; w < any.size(); ++w) any[w] &= inside[w];
  return any;
}

Index Coverage::varying(std::span<const std::uint8_t> mask) const { return count(words_in(mask)); }

std::vector<double> Coverage::differences(std::span<const std::uint8_t> mask) const {
  const Words wanted = words_in(mask);
  std::vector<std::size_t> where;  // most words are the same in all samples
  for (std::size_t w = 0; w < wanted.size(); ++w)
    if (wanted[w] != 0) where.push_back(w);
  std::vector<Words> packed;
  for (const Words& one : lacks_) {
    Words& row = packed.emplace_back();
    for (const std::size_t w : where) row.push_back(one[w] & wanted[w]);
  }
  const Index n = samples();
  std::vector<double> out(static_cast<std::size_t>(n * n));
  parallel_for(
      n,
      [&](Index a, int) {
        for (Index b = 0; b < a; ++b) {
          Index differ = 0;
          for (std::size_t w = 0; w < where.size(); ++w) differ += std::popcount(packed[a][w] ^ packed[b][w]);
          out[a + n * b] = out[b + n * a] = static_cast<double>(differ);
        }
      },
      static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(where.size()));
  return out;
}

Coverage Coverage::without_zeros() const {
  Coverage out(shape_, samples());
  for (Index m = 0; m < samples(); ++m) {
    out.lacks_[m] = not_finite_[m].empty() ? Words(static_cast<std::size_t>(words())) : not_finite_[m];
    out.not_finite_[m] = not_finite_[m];
  }
  return out;
}

Coverage Coverage::rows_of(std::span<const Index> rows) const {
  Coverage out(shape_, static_cast<Index>(rows.size()));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    out.lacks_[r] = lacks_[rows[r]];
    out.not_finite_[r] = not_finite_[rows[r]];
    out.lone_[r] = lone_[rows[r]];
  }
  return out;
}

template <class Real>
Coverage coverage_of(const Design<Real>& design) {
  constexpr Index block = 16;  // a cache line of samples
  const Index samples = design.samples(), voxels = design.voxels();
  Coverage out(design.shape(), samples);
  constexpr Index part = 4096;
  if (design.region().whole()) {  // most arrays have no gap at all, and a look at their numbers in order is quick
    std::atomic<bool> any = false;
    parallel_for((voxels + part - 1) / part, [&](Index p, int) {
      const Real* const begin = design.column(p * part);
      const Index numbers = samples * (std::min(voxels, (p + 1) * part) - p * part);
      bool lacks = false;  // without a branch, so that the loop runs in vectors
      for (Index i = 0; i < numbers; ++i)
        lacks |= begin[i] == 0 || !(std::abs(begin[i]) <= std::numeric_limits<Real>::max());
      if (lacks) any = true;
    });
    const std::vector<Words> none(static_cast<std::size_t>(samples), Words(static_cast<std::size_t>(out.words()), 0));
    if (!any) return Coverage(design.shape(), none, std::vector<Words>(none.size()), std::vector<Words>(none.size()));
  }
  std::vector<std::vector<Real>> volumes(static_cast<std::size_t>(std::min(block, samples)),
                                         std::vector<Real>(static_cast<std::size_t>(design.shape().size())));
  for (Index first = 0; first < samples; first += block) {
    const Index count = std::min(block, samples - first);
    parallel_for((voxels + part - 1) / part, [&](Index p, int) {
      for (Index c = p * part; c < std::min(voxels, (p + 1) * part); ++c)
        for (Index m = 0; m < count; ++m) volumes[m][design.region().voxel(c)] = design.column(c)[first + m];
    });
    parallel_for(count, [&](Index m, int) { out.add(first + m, std::span<const Real>(volumes[m])); });
  }
  return out;
}

CoveredVoxels covered_voxels(const Coverage& coverage, MaskRule rule, std::span<const Index> rows) {
  std::vector<Index> all;
  if (rows.empty()) {
    all.resize(static_cast<std::size_t>(coverage.samples()));
    std::iota(all.begin(), all.end(), Index{0});
    rows = all;
  }
  const auto samples = static_cast<Index>(rows.size());
  const auto words = static_cast<std::size_t>(coverage.words());
  const Index voxels = coverage.shape().size();
  const auto gap = [&](Index m, std::size_t w) {
    const Words& lone = coverage.lone_zeros(m);
    return coverage.lacks(m)[w] & ~(lone.empty() ? 0 : lone[w]);
  };
  CoveredVoxels out;
  out.samples = samples;
  out.allowed = rule == MaskRule::any ? samples - 1 : samples / one_in;
  // Of each voxel: is it a gap, and is it not finite, in few enough volumes; covered in any; a gap in one volume alone.
  Words gap_ok(words), finite_ok(words), covered(words), alone(words);
  constexpr std::size_t block = 256;  // words
  const auto blocks = static_cast<Index>((words + block - 1) / block);
  std::vector<Index> common_in(static_cast<std::size_t>(blocks));
  const double operations = 4.0 * static_cast<double>(words) * static_cast<double>(samples);
  parallel_for(
      blocks,
      [&](Index b, int) {
        Counts gaps(samples), bad(samples);
        const auto begin = static_cast<std::size_t>(b) * block;
        for (std::size_t w = begin; w < std::min(words, begin + block); ++w) {
          const Index left = voxels - static_cast<Index>(64 * w);
          const std::uint64_t inside = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
          gaps.clear();
          bad.clear();
          for (const Index m : rows) {
            gaps.add(gap(m, w));
            if (!coverage.not_finite(m).empty()) bad.add(coverage.not_finite(m)[w]);
          }
          gap_ok[w] = gaps.at_most(out.allowed) & inside;
          finite_ok[w] = bad.at_most(out.allowed) & inside;
          covered[w] = gaps.at_most(samples - 1) & inside;
          alone[w] = gaps.at_most(1) & ~gaps.at_most(0) & inside;
          common_in[b] += std::popcount(gaps.at_most(std::max<Index>(1, samples / one_in_common)) & covered[w]);
        }
      },
      operations);
  const Index common = std::accumulate(common_in.begin(), common_in.end(), Index{0});
  const Index ever = count(covered);
  out.zero_is_value = rule == MaskRule::automatic && static_cast<double>(common) < few * static_cast<double>(ever);
  const Words& keeps = out.zero_is_value ? finite_ok : gap_ok;
  out.mask.resize(static_cast<std::size_t>(voxels));
  for (Index v = 0; v < voxels; ++v) out.mask[v] = bit(keeps, v) && bit(covered, v);
  out.kept = std::ranges::count(out.mask, std::uint8_t{1});
  out.background = voxels - ever;
  for (std::size_t w = 0; w < words; ++w) {
    out.not_finite += std::popcount(covered[w] & ~finite_ok[w]);
    if (!out.zero_is_value) out.zero += std::popcount(covered[w] & finite_ok[w] & ~gap_ok[w]);
  }
  if (rule == MaskRule::any || out.zero_is_value) return out;
  std::vector<Index> takes(static_cast<std::size_t>(samples));
  parallel_for(
      samples,
      [&](Index r, int) {
        for (std::size_t w = 0; w < words; ++w)
          if (const std::uint64_t of_one = alone[w] & ~gap_ok[w]; of_one != 0)
            takes[r] += std::popcount(gap(rows[r], w) & of_one);
      },
      operations);
  for (Index r = 0; r < samples; ++r)
    if (takes[r] > out.worst_takes) {
      out.worst = r;
      out.worst_takes = takes[r];
    }
  return out;
}

template void Coverage::add(Index, std::span<const float>);
template void Coverage::add(Index, std::span<const double>);
template Coverage coverage_of(const Design<float>&);
template Coverage coverage_of(const Design<double>&);

}  // namespace sturm
