// SPDX-License-Identifier: BSD-3-Clause
// What is thrown when the person at the keyboard can put it right.
#pragma once

#include <stdexcept>
#include <string>

namespace sturm {

/// Bad input: one sentence that names the file, the row, the field and the way out. The program exits with 3.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Wrong usage: options that do not exist or do not go together. The program exits with 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

}  // namespace sturm
