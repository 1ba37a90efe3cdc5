// SPDX-License-Identifier: BSD-3-Clause
// What this copy is, what methods there are, and reports.
#include <nlohmann/json.hpp>

#include "python/bindings/bind.h"
#include "python/bindings/words.h"
#include "sturm/app/describe_methods.h"
#include "sturm/app/describe_program.h"
#include "sturm/app/fit_options.h"
#include "sturm/app/run_settings.h"
#include "sturm/linalg/blas_kernels.h"
#include "sturm/models/registry.h"
#include "sturm/report/page.h"
#include "sturm/report/report.h"

namespace sturm::python {

namespace {

/// Every option of a fit, a run and a choice, with its meaning in the words of Python.
std::string options() {
  nlohmann::ordered_json out;
  const auto field = [&](const char* name, auto&, const char* meaning) { out[name] = in_python(meaning); };
  FitOptions fit;
  ChooseOptions choosing;
  RunSettings run;
  describe(field, fit);
  describe(field, choosing);
  describe(field, run);
  return out.dump();
}

}  // namespace

void bind_program(nb::module_& module) {
  module.def("options", &options);
  module.def("blas_kernels", [] { return describe(linalg::blas_kernels()); });
  module.def("methods", [] { return describe_methods().dump(); });
  module.def("info", [] { return describe_program().dump(); });
  module.def("proves_gap", [](const std::string& method) { return find_method<double>(method).has_gap(); });
  module.def(
      "report",
      [](const std::string& folder, const std::string& title) {
        const nb::gil_scoped_release free;
        return report_page(empty_page(), make_report({.folder = folder, .title = title}));
      },
      nb::arg("folder"), nb::arg("title"));
}

}  // namespace sturm::python
