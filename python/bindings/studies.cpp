// SPDX-License-Identifier: BSD-3-Clause
// Whole studies, by the same code as the commands cv, fit and phantom.
#include <cmath>
#include <nlohmann/json.hpp>

#include "python/bindings/events.h"
#include "python/bindings/fits.h"
#include "sturm/app/cv_run.h"
#include "sturm/app/phantom_files.h"
#include "sturm/app/verify.h"
#include "sturm/core/parallel.h"
#include "sturm/report/words.h"
#include "sturm/results/json.h"

namespace sturm::python {
namespace {

/// The input of keywords, by the names of the command line.
void fill_input(FromKeywords& fill, InputOptions& o) {
  const auto field = [&](const char* name, auto& value) { fill(name, value, ""); };
  field("samples", o.source.samples);
  field("participants", o.source.participants);
  field("images", o.source.images);
  field("bids", o.source.bids);
  field("entities", o.source.entities);
  field("several", o.source.several);
  field("skip-missing", o.source.skip_missing);
  field("allow-outside", o.source.allow_outside);
  field("array", o.array);
  field("labels", o.labels);
  field("target", o.target);
  field("positive", o.positive);
  field("classes", o.classes);
  field("weights", o.weights);
  field("site", o.site);
  field("mask", o.mask);
  field("drop-missing", o.drop_missing);
  describe(fill, o.volumes);
  field("cache", o.cache);
}

void refuse_unknown(const FromKeywords& fill, const char* of) {
  if (!fill.rest.empty()) throw UsageError(option_name(fill.rest.front()) + " is no option of " + of + ".");
}

/// Samples in memory with their table, whose text has a row per sample, and the first three rows of their affine (none:
/// they lie nowhere).
std::shared_ptr<const SamplesInMemory> in_memory(const Volumes& volumes, const std::string& table,
                                                 const std::vector<double>& affine) {
  auto out = std::make_shared<SamplesInMemory>(SamplesInMemory{volumes.design, Table::parse(table, "the table")});
  if (affine.size() == 12) {
    Affine of;
    for (std::size_t i = 0; i < 12; ++i) of.rows[i / 4][i % 4] = affine[i];
    out->grid = Grid{volumes.region().box(), of};
  }
  return out;
}

CvRequest cv_request(const nb::dict& keywords, const std::string& output, const std::string& work,
                     const Volumes* volumes, const std::string& table, const std::vector<double>& affine,
                     const std::string& command, bool force, bool report) {
  CvRequest out;
  FromKeywords fill(keywords);
  fill_input(fill, out.input);
  describe(fill, out.options);
  describe(fill, out.run);
  refuse_unknown(fill, "a cross-validation");
  if (volumes != nullptr) {
    out.input.in_memory = in_memory(*volumes, table, affine);
    out.run.precision = volumes->single() ? Precision::f32 : Precision::f64;
  }
  check_threads(out.run.threads);
  out.output = output;
  out.work = work;
  out.command = command;
  out.force = force;
  out.report = report;
  return out;
}

template <class Real>
CvDone run(const CvRequest& request, Events& events) {
  check_places(request);
  const CvStudy<Real> study = load_study<Real>(request.input, request.options, request.run, events);
  for (const std::string& note : study.notes) events.note(note);
  return run_cv(request, study, events);
}

nb::dict cross_validate(const nb::dict& keywords, const std::string& output, const std::string& work,
                        const Volumes* volumes, const std::string& table, const std::vector<double>& affine,
                        const std::string& command, bool force, bool report, const std::string& shard,
                        const nb::object& tell) {
  CvRequest request = cv_request(keywords, output, work, volumes, table, affine, command, force, report);
  request.shard = shard;
  PythonEvents events(tell);
  CvDone done;
  {
    const nb::gil_scoped_release free;
    const UseThreads use(request.run.threads);
    done = request.run.precision == Precision::f32 ? run<float>(request, events) : run<double>(request, events);
  }
  nb::dict out;
  out["whole"] = done.end != CvEnd::part;
  out["missing"] = done.missing;
  out["files"] = done.files;
  return out;
}

nb::list fit_study(const nb::dict& keywords, const std::string& output, bool force, bool report, bool proof,
                   const std::string& confounds, const std::string& command, const nb::object& tell) {
  nb::dict of_input, of_fit;
  InputOptions input;
  FromKeywords names(keywords);
  fill_input(names, input);
  names("resize", input.resize, "");
  for (const std::string& key : names.rest) of_fit[key.c_str()] = keywords[key.c_str()];
  FitRequest request = request_of(of_fit);
  request.input = input;
  request.report = report;
  request.proof = proof;
  request.confounds = confounds;
  request.command = command;
  PythonEvents events(tell);
  std::vector<std::string> files;
  {
    const nb::gil_scoped_release free;
    const UseThreads use(request.run.threads);
    OutputFolder folder(output, force, fit_file_names());
    files = request.run.precision == Precision::f32 ? run_fit<float>(request, folder, events).files
                                                    : run_fit<double>(request, folder, events).files;
  }
  return nb::cast<nb::list>(nb::cast(files));
}

std::string verify(const std::string& folder, const nb::dict& keywords, const nb::object& tell) {
  VerifyRequest request;
  request.folder = folder;
  FromKeywords fill(keywords);
  fill_input(fill, request.input);
  describe(fill, request.run);
  refuse_unknown(fill, "verify");
  PythonEvents events(tell);
  const nb::gil_scoped_release free;
  const UseThreads use(request.run.threads);
  return json_text(to_json(verify_fit(request, events)));
}

std::string phantom(const std::string& folder, const nb::dict& keywords, bool force, const nb::object& tell) {
  PhantomOptions options;
  RunSettings settings;
  FromKeywords fill(keywords);
  describe(fill, options);
  describe(fill, settings);
  refuse_unknown(fill, "a phantom");
  options.seed = settings.seed;
  PythonEvents events(tell);
  const nb::gil_scoped_release free;
  const UseThreads use(settings.threads);
  return write_phantom(folder, force, options, memory_budget(settings), events);
}

}  // namespace

void bind_studies(nb::module_& module) {
  module.def("cross_validate", &cross_validate, nb::arg("keywords"), nb::arg("output"), nb::arg("work"),
             nb::arg("volumes").none(), nb::arg("table"), nb::arg("affine"), nb::arg("command"), nb::arg("force"),
             nb::arg("report"), nb::arg("shard"), nb::arg("tell").none());
  module.def("fit_study", &fit_study, nb::arg("keywords"), nb::arg("output"), nb::arg("force"), nb::arg("report"),
             nb::arg("proof"), nb::arg("confounds"), nb::arg("command"), nb::arg("tell").none());
  module.def("verify", &verify, nb::arg("folder"), nb::arg("keywords"), nb::arg("tell").none());
  module.def("phantom", &phantom, nb::arg("folder"), nb::arg("keywords"), nb::arg("force"), nb::arg("tell").none());
  module.def("shell_word", [](const std::string& word) { return shell_word(word); });
}

}  // namespace sturm::python
