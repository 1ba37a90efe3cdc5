// SPDX-License-Identifier: BSD-3-Clause
// A synthetic study in a folder.
#pragma once

#include <filesystem>
#include <string>

#include "sturm/app/events.h"
#include "sturm/imaging/phantom.h"

namespace sturm {

/// Writes volumes, the table, the truth, the mask and the options; the extents of a volume in words. `memory`: the most
/// bytes that may be held at a time.
std::string write_phantom(const std::filesystem::path& folder, bool replace, const PhantomOptions& options,
                          Index memory, Events& events);

}  // namespace sturm
