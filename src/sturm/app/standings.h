// SPDX-License-Identifier: BSD-3-Clause
// How methods do while a cross-validation is under way, for those who wait.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sturm/study/cross_validation.h"
#include "sturm/study/cv_facts.h"

namespace sturm {

/// A method has a place only once it has predicted that many samples, and a best one is named only where two methods
/// have one: of a handful of predictions the best is a matter of luck.
inline constexpr Index enough_predictions = 30;

class Standings {
 public:
  Standings(const CvFacts& facts, const CvPlan& plan) : facts_(facts), plan_(plan) {}

  /// Takes the record of a task that is done; only those of the true labels count.
  void add(const CvTask& task, std::string_view payload);
  /// The scores of a fold.
  void add(const std::string& method, double score, Index predictions);

  /// "  best so far: sturm 0.71"; empty where nobody can tell yet.
  std::string best() const;

 private:
  struct Place {
    std::vector<double> scores;  ///< by fold
    Index predictions = 0;
  };
  const CvFacts& facts_;
  const CvPlan& plan_;
  std::map<std::string, Place> places_;
};

}  // namespace sturm
