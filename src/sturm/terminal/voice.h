// SPDX-License-Identifier: BSD-3-Clause
// All that the program says on stderr and in its log passes here. Nobody may be listening: what cannot be said is left
// out, and the work goes on. What belongs on stdout is data, and losing it is an error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "sturm/terminal/exit_code.h"

namespace sturm::cli {

/// Called first: no file may be opened under the numbers of closed streams, and neither a reader that went away nor a
/// limit on the size of files may end the program.
void prepare_streams();

/// From now on stderr gets JSON alone, one object per line.
void speak_json();
bool speaks_json();

/// -q: on stderr words of what went wrong and no others. JSON and the log are not for people and stay whole.
void speak_of_errors_alone();

/// Appends every line of JSON to a file as well; an empty name opens none.
void open_log(const std::string& name);

/// A sentence, options between backticks: "note: ..." on stderr, an event in JSON and in the log. `kind` is the event;
/// a `say` has no word before it.
void tell(std::string_view kind, const std::string& sentence);

/// The same without a word before it, whether or not -q is given.
void tell_plainly(std::string_view kind, const std::string& sentence);

/// Why the program ends: "sturm: ...", an event "error".
void tell_failure(const std::string& sentence);

/// An event for the log, and for stderr where it is JSON.
void tell_event(nlohmann::ordered_json what);

/// Bytes as they are, for a bar. While one stands there, whatever is said takes it away first.
void draw(std::string_view bytes);
void bar_is_open(bool open);

/// The end of a signal's handler: words where they are words, an event where they are not.
void tell_stopped(const char* words, int status);

/// Sends on what is left for stdout and tells the log how it ended. The exit code: that of bad input where stdout could
/// not be written.
int finish(int status);

}  // namespace sturm::cli
