// SPDX-License-Identifier: BSD-3-Clause
// A folder of results as sturm cv or sturm fit left it, wherever it was copied to since.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sturm/core/table.h"

namespace sturm {

struct ResultFolder {
  std::filesystem::path path;
  bool cross_validation = true;      ///< false: of a fit
  nlohmann::ordered_json facts;      ///< results.json, or fit.json
  nlohmann::ordered_json data;       ///< data.json: what is known of the samples; an empty object where it is not there
  std::vector<std::string> missing;  ///< what should be there and is not, a sentence each

  /// A table by its name; none where the file is not there. Throws where it cannot be read.
  std::optional<Table> table(const std::string& name) const;
  /// A setting of results.json; empty where it is not said.
  std::string setting(const std::string& name) const;
};

/// Throws where the folder holds neither results.json nor fit.json, or where they are not what these programs write.
ResultFolder read_results(const std::filesystem::path& folder);

/// The rows of a table where a column has a value.
std::vector<Index> rows_where(const Table& table, const std::string& column, const std::string& value);

/// The classes that samples are told apart by, in the order of their numbers (of two: negative, positive); empty for a
/// regression.
std::vector<std::string> class_names(const nlohmann::ordered_json& facts);
/// class_samples of an object: how many samples each class has; empty where that is not said of `classes` classes.
std::vector<Index> class_counts(const nlohmann::ordered_json& value, std::size_t classes);
/// Target and classes as web/src/study.ts describes them.
nlohmann::ordered_json target_json(const nlohmann::ordered_json& facts);
/// The classes of such a target where there are more than two, told apart one against the rest; empty otherwise.
std::vector<std::string> several_classes(const nlohmann::ordered_json& target);

/// A number as JSON; null where it is none.
nlohmann::ordered_json number_or_null(double value);

/// value.at(key) where it is there and not of another kind; null otherwise.
nlohmann::ordered_json field(const nlohmann::ordered_json& value, const std::string& key);

/// A number of an object; NaN where it has none of that name.
double number_of(const nlohmann::ordered_json& value, const std::string& key);
/// A text of an object; empty where it has none of that name.
std::string text_of(const nlohmann::ordered_json& value, const std::string& key);

}  // namespace sturm
