// SPDX-License-Identifier: BSD-3-Clause
// Which samples are left out together. The same samples, choice and seed give the same folds, in whatever order the
// rows stand.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sturm/eval/sample_keys.h"

namespace sturm {

/// How the samples are cut, as the user says it.
struct FoldOptions {
  std::string outer = "auto";
  std::string inner = "auto";
};

template <class Field>
void describe(Field&& field, FoldOptions& o) {
  field("outer", o.outer,
        "folds to test on: a number, loo (leave one sample out), group (leave one group out) or column:NAME (given "
        "folds); auto: 10, or as many as the smallest class or the groups allow");
  field(
      "inner", o.inner,
      "folds inside each training set, to choose the setting with: a number, loo or group; auto: 9, or as many as fit");
}

enum class FoldKind { count, group, column, one };

struct FoldChoice {
  FoldKind kind = FoldKind::count;
  int count = 10;
  std::string column;    ///< of FoldKind::column
  std::string option;    ///< "outer", for errors
  bool at_most = false;  ///< of FoldKind::count: fewer where the samples do not allow so many
};

/// "10", "auto", "loo", "group" or "column:NAME". `option` names the flag it came from.
FoldChoice parse_folds(const std::string& text, const std::string& option);

/// What a fold learns from and what it is tested on, as rows.
struct Split {
  std::vector<Index> train, test;
};

struct Folds {
  std::vector<int> of;             ///< of each row; of no use where `splits` are given
  std::vector<std::string> names;  ///< of each fold: "1", "2", ..., the group left out, or the value in the column
  std::vector<Split> splits{};     ///< where somebody else has cut them, who may leave rows out or test them twice

  int count() const { return static_cast<int>(names.size()); }
  std::vector<Index> test(int fold) const;
  std::vector<Index> train(int fold) const;
};

/// Folds of rows of a study as folds of some of them, in their order; other rows are left out.
Folds among(const Folds& folds, std::span<const Index> train);

/// How many folds of FoldKind::count the samples allow, up to the number of the choice, and what does not allow more:
/// "class 'patient' has 6 samples". It may be below 2.
struct FoldsThatFit {
  int count = 0;
  std::string because;
};
FoldsThatFit folds_that_fit(const SampleKeys& keys, const FoldChoice& choice);

/// Cuts the samples into folds, no group on both sides. FoldKind::count balances the classes (of a regression: the
/// quantiles of y) over the folds: without groups, two folds never differ by more than one sample of a class, nor by
/// more than one sample in all; with groups, the largest are dealt first, each to the fold that has least of its
/// classes. FoldKind::one leaves one sample out at a time, samples of a group together. `given` holds the values of the
/// column of FoldKind::column. Throws where there are fewer groups than folds, where a class is in fewer groups than
/// folds, or where a training set would have one class alone.
Folds make_folds(const SampleKeys& keys, const FoldChoice& choice, std::uint64_t seed, std::uint64_t stream = 0,
                 std::span<const std::string> given = {});

}  // namespace sturm
