// SPDX-License-Identifier: BSD-3-Clause
// Options in sentences. Below the front doors nobody knows how a user names an option: a sentence holds its name, and
// perhaps a value, between backticks (`memory`, `nan zero`), and each front door writes them in its own way: --nan zero
// on the command line, nan="zero" in Python.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace sturm {

/// An option, or an option with a value, for use in a sentence.
std::string option_name(std::string_view name, std::string_view value = {});

/// The sentence with every option as `write` gives it; the value may be empty. Other words between backticks stay.
std::string with_options(std::string_view sentence,
                         const std::function<std::string(std::string_view name, std::string_view value)>& write);

}  // namespace sturm
