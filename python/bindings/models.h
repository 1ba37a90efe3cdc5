// SPDX-License-Identifier: BSD-3-Clause
// A fitted model in Python: what model.safetensors holds.
#pragma once

#include <memory>

#include "python/bindings/bind.h"
#include "sturm/models/files/model_file.h"

namespace sturm::python {

struct PythonModel {
  std::shared_ptr<const SavedModel> saved;
};

}  // namespace sturm::python
