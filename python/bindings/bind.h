// SPDX-License-Identifier: BSD-3-Clause
// What the bindings have in common. Each topic has a file of its own, with one function that adds it to the module.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

#include "sturm/core/options.h"

namespace sturm::python {

namespace nb = nanobind;

void bind_volumes(nb::module_& module);
void bind_fits(nb::module_& module);
void bind_models(nb::module_& module);
void bind_studies(nb::module_& module);
void bind_algebra(nb::module_& module);
void bind_program(nb::module_& module);

/// Fills options from keywords; the key of "inner-gap" is inner_gap. Keys that no option has are left in `rest`.
class FromKeywords {
 public:
  explicit FromKeywords(const nb::dict& given) : given_(given) {
    for (const auto& [key, value] : given) rest.push_back(nb::cast<std::string>(key));
  }

  template <class Value>
  void operator()(const char* name, Value& value, const char* /*meaning*/) {
    std::string key = name;
    std::ranges::replace(key, '-', '_');
    const auto at = std::ranges::find(rest, key);
    if (at == rest.end()) return;
    rest.erase(at);
    const nb::object given = given_[key.c_str()];
    if constexpr (std::is_enum_v<Value>)
      value = from_word<Value>(nb::cast<std::string>(given), name);
    else
      value = nb::cast<Value>(given);
  }

  std::vector<std::string> rest;

 private:
  nb::dict given_;
};

/// An array for Python that owns its numbers.
template <class Number>
nb::ndarray<nb::numpy, Number> owned_array(std::vector<Number> numbers, std::vector<std::size_t> shape,
                                           bool fortran = false) {
  auto* const kept = new std::vector<Number>(std::move(numbers));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<Number>*>(p); });
  std::vector<std::int64_t> strides(shape.size());
  std::int64_t step = 1;
  for (std::size_t n = 0; n < shape.size(); ++n) {
    const std::size_t axis = fortran ? n : shape.size() - 1 - n;
    strides[axis] = step;
    step *= static_cast<std::int64_t>(shape[axis]);
  }
  return nb::ndarray<nb::numpy, Number>(kept->data(), shape.size(), shape.data(), owner, strides.data());
}

}  // namespace sturm::python
