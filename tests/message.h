// SPDX-License-Identifier: BSD-3-Clause
// The words of an error, for tests that read them.
#pragma once

#include <string>

#include "sturm/core/error.h"

namespace sturm::test {

/// What `body` complains about; "no error" where it does not.
template <class Body>
std::string message_of(const Body& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

/// Whether a text has each of some words in it.
template <class... Words>
bool has(const std::string& text, const Words&... words) {
  return ((text.find(words) != std::string::npos) && ...);
}

}  // namespace sturm::test

/// EXPECT_SAYS(expression, "word", ...): the expression throws an Error whose sentence has each of the words.
#define EXPECT_SAYS(expression, ...)                                                            \
  do {                                                                                          \
    const std::string said = ::sturm::test::message_of([&] { static_cast<void>(expression); }); \
    EXPECT_TRUE(::sturm::test::has(said, __VA_ARGS__)) << #expression << " says: " << said;     \
  } while (false)
