// SPDX-License-Identifier: BSD-3-Clause
// From a column of a table to the numbers a model is fitted to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sturm/core/table.h"

namespace sturm {

/// The two classes of a classification: +1 is `positive`, -1 everything else. `negative` is the other value where
/// there is one other value alone, and "not <positive>" otherwise.
struct Classes {
  std::string negative, positive;
};

struct Target {
  std::string column;
  std::vector<double> y;            ///< NaN where it is missing
  std::vector<std::string> actual;  ///< as written in the table; empty where it is missing
  std::optional<Classes> classes;   ///< of two classes; none: a regression, or several
  std::vector<std::string> names;   ///< of several classes, whose y is a position in this list; empty: not several

  bool classification() const { return classes || !names.empty(); }
};

/// What the user said about the target; the rest is found out from the table.
struct TargetChoice {
  std::string column;    ///< empty: the only column that is not an id
  std::string positive;  ///< empty: a regression, or every value
  bool every = false;    ///< every value is a class
};

/// Whether a column names samples rather than describes them: participant_id, session_id, path, a row number ...
bool is_id_column(const std::string& name);

/// Whether a column is one of people by its name (subject, sub, id, patient_id ...) and its values, which are more than
/// a flag has.
bool names_people(const Table& table, Index column);

/// Throws where two values of a column differ in capitals or spaces alone: Pat and pat are one class to a person, and
/// two to a program. "1" and "1.0" are the same.
void refuse_near_twins(const Table& table, Index column);

/// The target's column: as chosen, or the only one that is not an id. Throws where that is not clear.
std::string target_column(const Table& table, const std::string& chosen);

/// Reads the target of every row. Throws where a regression's values are not numbers, where `positive` is not among
/// the values, or where there is one class alone. Two values of which every one is a class are a positive one, the
/// later, and a negative one.
Target read_target(const Table& table, const TargetChoice& choice);

/// The same for rows to be predicted: the column and the classes are a model's, and values may be missing or all of
/// one class.
Target read_known_target(const Table& table, const std::string& column, const std::optional<Classes>& classes);
/// For several classes: a value that is none of them is an error.
Target read_known_classes(const Table& table, const std::string& column, const std::vector<std::string>& names);

/// What a user should know of how a target is read: values that one class has together, with their counts; a class
/// among many numbers; two numbers that are fitted as a regression.
std::vector<std::string> notes_on_target(const Table& table, const Target& target);

/// +1 or -1 for a class as written in a table; "1" and "1.0" are the same class.
double class_sign(const std::string& value, const std::string& positive);

/// Throws where a known value of rows to be predicted cannot be one of a model's two classes: one that is neither,
/// where both are known, or numbers in place of words. What is scored would be chance.
void require_same_kind(const Table& table, const Target& target);

/// The rows that have no value in a column, and those that have one.
std::vector<Index> rows_without(const Table& table, const std::string& column);
std::vector<Index> rows_with(const Table& table, const std::string& column);

}  // namespace sturm
