// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "memory_file.h"
#include "sturm/core/error.h"
#include "sturm/core/safetensors.h"
#include "sturm/models/files/model_file.h"
#include "targets.h"

namespace sturm::fuzz {

void model(std::string_view bytes) {
  const MemoryFile file(bytes);
  try {
    const SafeTensors content = read_safetensors(file.path());
    for (const auto& [name, array] : content.arrays) {
      require(array.bytes.size() <= bytes.size());
      try {
        to_tensor(array, name);
      } catch (const Error&) {
      }
    }
    const SavedModel saved = read_model(file.path());
    require(!saved.parts.empty());
    for (const SavedPart& part : saved.parts) {
      require(part.model.shape() == saved.shape);
      if (!part.model.has_map()) continue;
      require(std::isfinite(part.model.intercept()));
      for (const double w : part.model.map().coef.flat()) require(std::isfinite(w));
    }
    require(saved.mask.empty() || static_cast<Index>(saved.mask.size()) == saved.shape.size());
  } catch (const Error&) {
  }
}

}  // namespace sturm::fuzz
