// SPDX-License-Identifier: BSD-3-Clause
// Every method there is. A new one is a line in registry.cpp; see docs/add-a-model.md.
#pragma once

#include "sturm/models/method.h"

namespace sturm {

/// In the order in which tables list them.
template <class Real>
const std::vector<std::unique_ptr<Method<Real>>>& methods();

/// By its name; null where there is none.
template <class Real>
const Method<Real>* known_method(const std::string& name);

/// Whether there is such a method, and it is a baseline.
bool is_baseline(const std::string& name);

/// By its name; the error lists what there is.
template <class Real>
const Method<Real>& find_method(const std::string& name);

}  // namespace sturm
