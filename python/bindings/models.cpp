// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/models.h"

#include "python/bindings/volumes.h"
#include "sturm/core/files.h"
#include "sturm/core/parallel.h"
#include "sturm/eval/confounds.h"
#include "sturm/eval/stored_model.h"

namespace sturm::python {
namespace {

/// The coefficients of all parts, an axis of parts first; none where the model has no map.
std::optional<nb::ndarray<nb::numpy, double>> coefficients(const PythonModel& model) {
  const SavedModel& saved = *model.saved;
  std::vector<double> all;
  const Shape& s = saved.shape;
  // Python's arrays of volumes have the first axis slowest: (parts, I1, I2, I3), each map in C order.
  for (const SavedPart& part : saved.parts) {
    if (!part.model.has_map()) return {};
    const Tensor& coef = part.model.map().coef;
    for (Index i = 0; i < s.n1; ++i)
      for (Index j = 0; j < s.n2; ++j)
        for (Index k = 0; k < s.n3; ++k) all.push_back(coef(i, j, k));
  }
  return owned_array(std::move(all), {saved.parts.size(), static_cast<std::size_t>(s.n1),
                                      static_cast<std::size_t>(s.n2), static_cast<std::size_t>(s.n3)});
}

std::optional<std::vector<double>> intercepts(const PythonModel& model) {
  std::vector<double> out;
  for (const SavedPart& part : model.saved->parts) {
    if (!part.model.has_map()) return {};
    out.push_back(part.model.map().intercept);
  }
  return out;
}

std::optional<std::vector<std::pair<double, double>>> sigmoids(const PythonModel& model) {
  std::vector<std::pair<double, double>> out;
  for (const SavedPart& part : model.saved->parts) {
    if (!part.sigmoid) return {};
    out.emplace_back(part.sigmoid->slope, part.sigmoid->offset);
  }
  return out;
}

std::vector<double> decide(const SavedModel& saved, const Volumes& volumes, const Confounds& confounds) {
  require_same_shape(volumes.region().box(), saved.shape);
  return std::visit([&](const auto& design) { return decisions_of(saved, design, confounds); }, volumes.design);
}

nb::ndarray<nb::numpy, double> decisions(
    const PythonModel& model, const Volumes& volumes,
    const std::optional<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>& confounds,
    int threads) {
  Confounds known;
  if (confounds) {
    known.columns = static_cast<Index>(confounds->shape(1));
    known.values.assign(confounds->data(), confounds->data() + confounds->size());
  }
  std::vector<double> out;
  {
    const nb::gil_scoped_release free;
    const UseThreads use(threads);
    out = decide(*model.saved, volumes, known);
  }
  return owned_array(std::move(out), {static_cast<std::size_t>(volumes.samples()), model.saved->parts.size()});
}

nb::bytes to_python(const PythonModel& model) {
  const std::string bytes = file_bytes(content_of(*model.saved));
  return nb::bytes(bytes.data(), bytes.size());
}

}  // namespace

void bind_models(nb::module_& module) {
  nb::class_<PythonModel>(module, "Model", "A fitted model, as model.safetensors holds it.")
      .def_static(
          "load",
          [](const std::string& path) {
            const nb::gil_scoped_release free;
            return PythonModel{std::make_shared<const SavedModel>(read_model(path))};
          },
          nb::arg("path"))
      .def_static(
          "from_bytes",
          [](const nb::bytes& bytes) {
            return PythonModel{std::make_shared<const SavedModel>(
                model_of(safetensors_of(std::string(bytes.c_str(), bytes.size()), "the bytes of a model")))};
          },
          nb::arg("bytes"))
      .def("save",
           [](const PythonModel& model, const std::string& path) {
             const nb::gil_scoped_release free;
             write_model(path, *model.saved);
           })
      .def("to_bytes", &to_python)
      .def("decisions", &decisions, nb::arg("volumes"), nb::arg("confounds").none(), nb::arg("threads"))
      .def_prop_ro("coefficients", &coefficients, nb::rv_policy::automatic)
      .def_prop_ro("intercepts", &intercepts)
      .def_prop_ro("sigmoids", &sigmoids)
      .def_prop_ro("parts", [](const PythonModel& m) { return m.saved->parts.size(); })
      .def_prop_ro("method", [](const PythonModel& m) { return m.saved->method; })
      .def_prop_ro("target", [](const PythonModel& m) { return m.saved->target; })
      .def_prop_ro("classes",
                   [](const PythonModel& m) {
                     if (m.saved->classes)
                       return std::vector<std::string>{m.saved->classes->negative, m.saved->classes->positive};
                     return m.saved->names;
                   })
      .def_prop_ro("shape",
                   [](const PythonModel& m) {
                     return std::vector<Index>{m.saved->shape.n1, m.saved->shape.n2, m.saved->shape.n3};
                   })
      .def_prop_ro("mask", [](const PythonModel& m) {
        return nb::bytes(reinterpret_cast<const char*>(m.saved->mask.data()), m.saved->mask.size());
      });
}

}  // namespace sturm::python
