// SPDX-License-Identifier: BSD-3-Clause
// The tables of a cross-validation as text; results/cv_tables.h describes their rows.
#pragma once

#include "sturm/results/cv_tables.h"
#include "sturm/study/method_outcomes.h"

namespace sturm {

/// The values of a method's parameters, by their names.
Setting setting_of(const std::string& method, const std::vector<double>& values);

std::string folds_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);
std::string predictions_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);
/// What each deal of the folds said of each sample, where predictions.tsv has the mean.
std::string repeats_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);
/// What the models of all samples say of these very samples: the digits that sturm predict gives with their files.
std::string fitted_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods);
/// The grid of an outcome; `fold` names it.
std::vector<GridRow> grid_rows(const std::string& fold, const FoldOutcome& outcome);
std::string grid_table(const CvPlan& plan, const std::vector<MethodOutcomes>& methods);
/// The folds of models that were trained on parts of the training sets, and on all of them.
std::string learning_table(const CvFacts& facts, const CvPlan& plan, const std::vector<MethodOutcomes>& methods);
std::string groups_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods);
std::string sites_table(const CvFacts& facts, const std::vector<MethodOutcomes>& methods);
std::string null_table(const std::vector<MethodOutcomes>& methods);

}  // namespace sturm
