// SPDX-License-Identifier: BSD-3-Clause
// What is fuzzed: readers of files that come from anywhere. Each takes the bytes of one input, lets an Error pass as
// the answer it is, and aborts where a property does not hold. entry.cpp makes a libFuzzer program of one of them; the
// unit test regressions_test.cpp feeds them all that was ever found.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace sturm::fuzz {

void header(std::string_view bytes);      ///< a whole .nii file, and a header by itself
void gzip(std::string_view bytes);        ///< a gzip file: stream and whole-file readers agree
void extensions(std::string_view bytes);  ///< what stands between a sound header and its voxels
void table(std::string_view bytes);       ///< a table of text
void model(std::string_view bytes);       ///< a model file
void journal(std::string_view bytes);     ///< what is done of a study: any bytes, and a sound journal that was damaged
void config(std::string_view bytes);      ///< a file of --config
void cache(std::string_view bytes);       ///< cached volumes of which one file or a few bytes were replaced

/// The two files that `cache` starts from, as they were written: the numbers, and what makes them whole.
std::pair<std::string, std::string> sound_cache();

}  // namespace sturm::fuzz
