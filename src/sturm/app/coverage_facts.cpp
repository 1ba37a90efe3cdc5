// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/coverage_facts.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "sturm/core/table.h"
#include "sturm/eval/coverage.h"

namespace sturm {
namespace {

/// "AUC 0.97 (chance 0.5, p = 0.0002)"
std::string in_words(const CoverageLeak& leak) {
  const bool auc = leak.measure == Measure::auc;
  return fmt::format("{} {:.3f} (chance {}, p = {:.2g})", auc ? "AUC" : "correlation", leak.value, auc ? "0.5" : "0",
                     leak.p);
}

std::string sentence_of(const CoverageFacts& facts, const CoverageLeak& leak,
                        const std::optional<CoverageLeak>& in_mask, const SampleKeys& keys, const std::string& target) {
  const std::string where = plural(facts.varying, "voxel") + (facts.varying == 1 ? " is" : " are") +
                            " 0 or NaN in some volumes and not in others";
  if (!leak.clear) return fmt::format("Coverage: {}. By that alone {} is told with {}.", where, target, in_words(leak));
  std::string out = fmt::format(
      "COVERAGE LEAK: {} can be told from where the volumes are 0 or NaN alone, with {} on samples left out", target,
      in_words(leak));
  if (!leak.by_class.empty()) {
    const auto best = std::ranges::max_element(leak.by_class) - leak.by_class.begin();
    out += fmt::format(" for {}", keys.class_name(classes_of(keys.y)[static_cast<std::size_t>(best)]));
  }
  out += fmt::format(": {}. A method may learn how the volumes were cut and not what is in them.", where);
  if (facts.varying_in_mask == 0) return out + " Inside the mask every volume covers every voxel, so it is gone there.";
  if (in_mask && in_mask->clear)
    return out +
           fmt::format(" It is inside the mask, too, with {}: `mask auto` leaves such voxels out.", in_words(*in_mask));
  if (in_mask) out += fmt::format(" Inside the mask it is no longer clear: {}.", in_words(*in_mask));
  return out;
}

}  // namespace

CoverageFacts coverage_facts(const Coverage& all, std::span<const std::uint8_t> mask, const SampleKeys& keys,
                             const std::string& target, std::uint64_t seed) {
  CoverageFacts out;
  const bool zero_is_value = covered_voxels(all, MaskRule::automatic).zero_is_value;
  const Coverage coverage = zero_is_value ? all.without_zeros() : all;
  out.varying = coverage.varying();
  out.varying_in_mask = mask.empty() ? out.varying : coverage.varying(mask);
  if (out.varying == 0) {
    out.sentence = zero_is_value ? "Coverage: 0 counts as a value, and every volume is finite in the same voxels."
                                 : "Coverage: every volume has values in the same voxels.";
    return out;
  }
  const std::optional<CoverageLeak> leak = coverage_leak(coverage.differences(), keys, seed);
  if (!leak) {
    out.sentence = fmt::format(
        "Coverage: {} {} 0 or NaN in some volumes and not in others. Whether that gives {} away was not "
        "looked at: it takes 6 to 3000 samples and 3 groups.",
        plural(out.varying, "voxel"), out.varying == 1 ? "is" : "are", target);
    return out;
  }
  std::optional<CoverageLeak> in_mask;
  if (mask.empty())
    in_mask = leak;
  else if (out.varying_in_mask > 0)
    in_mask = coverage_leak(coverage.differences(mask), keys, seed);
  const auto scores = [](const CoverageLeak& from) {
    return CoverageScore{from.measure, from.value, from.chance, from.p, from.permutations, from.by_class, from.clear};
  };
  out.volumes = scores(*leak);
  if (in_mask) out.in_mask = scores(*in_mask);
  out.leak = leak->clear;
  out.sentence = sentence_of(out, *leak, in_mask, keys, target);
  return out;
}

template <class Real>
std::string lacking_when_tested(const LearntMasks<Real>& masks, const Coverage& coverage, const Folds& outer,
                                const std::vector<std::string>& names) {
  int folds = 0;
  Index most = 0, of = 0, who = 0;
  for (int fold = 0; fold < outer.count(); ++fold) {
    const CoveredVoxels covered = masks.covered(outer.train(fold));
    if (covered.zero_is_value) continue;
    Coverage::Words inside(static_cast<std::size_t>(coverage.words()));
    for (std::size_t v = 0; v < covered.mask.size(); ++v)
      inside[v / 64] |= static_cast<std::uint64_t>(covered.mask[v] != 0) << (v % 64);
    bool any = false;
    for (const Index m : outer.test(fold)) {
      Index lacks = 0;
      for (std::size_t w = 0; w < inside.size(); ++w) lacks += std::popcount(inside[w] & coverage.lacks(m)[w]);
      any |= lacks > 0;
      if (lacks <= most) continue;
      most = lacks;
      of = covered.kept;
      who = m;
    }
    folds += any;
  }
  if (folds == 0) return {};
  return fmt::format(
      "In {} of {}, volumes left out lack voxels that the mask of their training set holds; those count as "
      "0 there (at most {} of {}, in {}).",
      folds, plural(outer.count(), "outer fold"), most, plural(of, "voxel"), names[who]);
}

std::vector<std::string> describe_outliers(const std::vector<VolumeLevel>& levels,
                                           const std::vector<std::string>& names) {
  std::vector<std::string> out;
  const std::vector<std::string> what = what_stands_out(levels);
  for (std::size_t m = 0; m < levels.size(); ++m) {
    if (levels[m].known && levels[m].spread == 0 && levels[m].voxels > 1)
      out.push_back(names[m] + ": is the same in every voxel that is used, so it says nothing of its sample.");
    else if (!what[m].empty())
      out.push_back(names[m] + ": stands out from the other volumes: " + what[m] + "; look at it, or leave it out.");
  }
  return out;
}

template std::string lacking_when_tested(const LearntMasks<float>&, const Coverage&, const Folds&,
                                         const std::vector<std::string>&);
template std::string lacking_when_tested(const LearntMasks<double>&, const Coverage&, const Folds&,
                                         const std::vector<std::string>&);

}  // namespace sturm
