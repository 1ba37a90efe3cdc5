// SPDX-License-Identifier: BSD-3-Clause
// What is thrown when the person at the keyboard can put it right.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

namespace sturm {

/// Where in what the user gave something is wrong. What is not known is empty or 0.
struct Place {
  std::string file;
  std::int64_t line = 0;  ///< counted from 1, as editors do
  std::string field;      ///< a column, a key or an array of the file

  bool operator==(const Place&) const = default;
};

/// "y.tsv, line 3, column age"
std::string to_string(const Place& place);

/// Bad input: one sentence that says what is wrong and the way out, and where it is wrong, as values too: a front door
/// may show the place in its own way. Options stand in the sentence between backticks (core/sentence.h). The program
/// exits with 3.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  /// The sentence follows the place and a colon.
  Error(Place place, const std::string& sentence)
      : std::runtime_error(to_string(place) + ": " + sentence), place_(std::move(place)) {}

  const Place& place() const { return place_; }

 private:
  Place place_;
};

/// Wrong usage: options that do not exist or do not go together. The program exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace sturm
