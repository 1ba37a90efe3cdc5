// SPDX-License-Identifier: BSD-3-Clause
// Which machine this is.
#pragma once

#include <string>

namespace sturm {

/// The name of this machine: process numbers mean something on one machine only, and a folder may be seen by many.
std::string host_name();

}  // namespace sturm
