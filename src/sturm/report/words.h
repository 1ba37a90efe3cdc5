// SPDX-License-Identifier: BSD-3-Clause
// What a report says in sentences, from the numbers it shows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sturm/report/result_folder.h"

namespace sturm {

/// A word as a shell takes it: in quotes where it must be.
std::string shell_word(const std::string& text);

/// "78.3 %" of an accuracy, "0.831" of an AUC.
std::string score_words(const std::string& score, double value);

/// "balanced accuracy" for balanced_accuracy.
std::string score_name(const std::string& score);

/// The method with the best mean of the headline score, the dummy apart; null where none has one.
nlohmann::ordered_json best_method(const nlohmann::ordered_json& study);

/// One sentence: the best method, its score, interval, chance and p.
std::string cv_verdict(const nlohmann::ordered_json& study);
std::string fit_verdict(const ResultFolder& folder);

/// What a careful reader should know, a sentence each.
std::vector<std::string> cv_warnings(const ResultFolder& folder, const nlohmann::ordered_json& study);
std::vector<std::string> fit_warnings(const ResultFolder& folder);

/// How much a site tells of the label: Cramer's V of a classification into two classes or more, the root of the
/// variance explained of a regression; from 0 to 1, NaN where there are not two sites.
double site_association(const nlohmann::ordered_json& sites);

/// A paragraph for the methods section of a paper.
std::string cv_methods_text(const ResultFolder& folder);
std::string fit_methods_text(const ResultFolder& folder);

/// What a method is, in a line; its name where this version does not know it.
std::string method_title(const std::string& name);

/// Whom to cite for methods of these names and for how they were compared.
std::vector<std::string> references_of(const std::vector<std::string>& names, bool compared, bool permuted);

}  // namespace sturm
