// SPDX-License-Identifier: BSD-3-Clause
// The module sturm._native. Its functions take and give arrays and plain values; what a Python user sees is made from
// them in python/sturm/.
#include <nanobind/nanobind.h>

#include "python/bindings/bind.h"
#include "python/bindings/words.h"
#include "sturm/core/build_info.h"
#include "sturm/core/error.h"
#include "sturm/solver/progress.h"

namespace sturm::python {
namespace {

/// Errors in the words of Python: options stand as keywords, `inner_gap`.
void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& error, void*) {
    try {
      std::rethrow_exception(error);
    } catch (const Interrupted&) {
      if (!PyErr_Occurred()) PyErr_SetNone(PyExc_KeyboardInterrupt);
    } catch (const Error& e) {
      PyErr_SetString(PyExc_ValueError, in_python(e.what()).c_str());
    }
  });
}

}  // namespace
}  // namespace sturm::python

NB_MODULE(_native, module) {
  using namespace sturm::python;
  translate_errors();
  module.attr("__version__") = sturm::build_info().version;
  bind_volumes(module);
  bind_models(module);
  bind_fits(module);
  bind_studies(module);
  bind_algebra(module);
  bind_program(module);
}
