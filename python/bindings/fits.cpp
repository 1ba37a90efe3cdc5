// SPDX-License-Identifier: BSD-3-Clause
#include "python/bindings/fits.h"

#include <cmath>
#include <limits>

#include "python/bindings/events.h"
#include "python/bindings/models.h"
#include "sturm/core/memory.h"
#include "sturm/core/parallel.h"
#include "sturm/models/registry.h"

namespace sturm::python {

Target target_of(const Labels& labels) {
  Target out;
  out.column = "y";
  out.y = labels.y;
  const auto name = [&](double y) {
    return labels.classes[labels.classes.size() == 2 ? static_cast<std::size_t>(y > 0) : static_cast<std::size_t>(y)];
  };
  for (const double y : labels.y) out.actual.push_back(labels.classes.empty() ? std::to_string(y) : name(y));
  if (labels.classes.size() == 2) out.classes = {labels.classes[0], labels.classes[1]};
  if (labels.classes.size() > 2) out.names = labels.classes;
  return out;
}

Confounds confounds_of(
    const std::optional<nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>>& given) {
  Confounds out;
  if (!given) return out;
  out.columns = static_cast<Index>(given->shape(1));
  out.values.assign(given->data(), given->data() + given->size());
  for (Index c = 0; c < out.columns; ++c) out.named.push_back({"confound " + std::to_string(c + 1)});
  return out;
}

namespace {

constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

/// The parameters of the method in their order: as given, relative (NaN), or what is usual.
std::vector<double> setting_of(const Method<double>& method, const nb::dict& given, bool choosing) {
  std::vector<double> out;
  bool absolute = false;
  for (const Parameter& p : method.parameters()) absolute = absolute || (p.relative && given.contains(p.name.c_str()));
  for (const Parameter& p : method.parameters()) {
    if (given.contains(p.name.c_str()))
      out.push_back(nb::cast<double>(given[p.name.c_str()]));
    else if (p.relative && !absolute)
      out.push_back(nothing);
    else if (std::isnan(p.usual) && !choosing)
      throw UsageError(option_name(p.name) + " is missing: " + method.name() + " needs it (" + p.meaning + ").");
    else
      out.push_back(p.usual);
  }
  for (const auto& [key, value] : given)
    if (!method.has_parameter(nb::cast<std::string>(key)))
      throw UsageError(option_name(nb::cast<std::string>(key)) + " is not a parameter of " + method.name() + ".");
  return out;
}

nb::dict facts_of(const FitReport& r) {
  nb::dict out;
  out["objective"] = r.objective;
  out["dual"] = r.dual;
  out["relative_gap"] = r.relative_gap;
  out["iterations"] = r.iterations;
  out["status"] = to_word(r.status);
  out["sparsity"] = r.sparsity;
  out["sparsity_in_mask"] = r.sparsity_in_mask;
  out["tubal_rank"] = r.tubal_rank;
  out["alpha"] = r.alpha;
  out["seconds"] = r.seconds;
  return out;
}

/// Maps of the box in C order, an axis of parts first.
template <class At>
nb::object maps(std::size_t parts, const Shape& s, const At& at) {
  std::vector<double> all;
  all.reserve(parts * static_cast<std::size_t>(s.size()));
  for (std::size_t part = 0; part < parts; ++part)
    for (Index i = 0; i < s.n1; ++i)
      for (Index j = 0; j < s.n2; ++j)
        for (Index k = 0; k < s.n3; ++k) all.push_back(at(part, i, j, k));
  return nb::cast(owned_array(std::move(all), {parts, static_cast<std::size_t>(s.n1), static_cast<std::size_t>(s.n2),
                                               static_cast<std::size_t>(s.n3)}));
}

nb::dict result_of(MadeFit&& made) {
  nb::dict out;
  const FitOutcome& fit = made.outcome;
  nb::list reports, traces;
  for (const FittedPart& part : fit.parts) {
    reports.append(facts_of(part.report));
    nb::list rows;
    for (const TraceRow& row : part.report.trace)
      rows.append(nb::make_tuple(row.iteration, row.objective, row.gap, row.change));
    traces.append(rows);
  }
  out["reports"] = reports;
  out["traces"] = traces;
  out["report"] = facts_of(fit.report);
  nb::dict parameters;
  for (const auto& [name, value] : fit.parameters) parameters[name.c_str()] = value;
  out["parameters"] = parameters;
  const bool patterns = std::ranges::all_of(fit.parts, [](const FittedPart& part) { return part.pattern.has_value(); });
  out["patterns"] = nb::none();
  if (patterns)
    out["patterns"] = maps(fit.parts.size(), fit.shape,
                           [&](std::size_t p, Index i, Index j, Index k) { return (*fit.parts[p].pattern)(i, j, k); });
  out["model"] = PythonModel{std::make_shared<const SavedModel>(std::move(made.saved))};
  return out;
}

template <class Work>
auto without_gil(const FitRequest& request, const Work& work) {
  const nb::gil_scoped_release free;
  const UseThreads use(request.run.threads);
  return work();
}

using Matrix = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::dict fit(const Volumes& volumes, const std::vector<double>& y, const std::vector<std::string>& classes,
             const std::vector<double>& weights, const std::vector<std::string>& groups,
             const std::optional<Matrix>& given, const nb::dict& keywords, const nb::object& tell) {
  const FitRequest request = request_of(keywords);
  const Confounds confounds = confounds_of(given);
  PythonEvents events(tell);
  return result_of(without_gil(request, [&] {
    return std::visit(
        [&](const auto& design) {
          MadeFit made =
              fit_dataset(request, dataset_of(design, Labels{y, classes}, weights, groups), {}, confounds,
                          memory_budget(request.run), [&](const FitProgress& now) { return events.report(now); });
          stop_if_asked(events);
          return made;
        },
        volumes.design);
  }));
}

/// Settings as Python gives them: a dict of parameters, with strength and balance where they are relative.
std::vector<GivenSetting> settings_of(const Method<double>& method, const nb::list& given) {
  std::vector<GivenSetting> out;
  for (const nb::handle item : given) {
    nb::dict values = nb::dict(nb::cast<nb::dict>(item));
    GivenSetting setting;
    nb::dict absolute;
    for (const auto& [key, value] : values) {
      const auto name = nb::cast<std::string>(key);
      if (name == "strength")
        setting.strength = nb::cast<double>(value);
      else if (name == "balance")
        setting.balance = nb::cast<double>(value);
      else
        absolute[key] = value;
    }
    setting.values = setting_of(method, absolute, false);
    if (!setting.values.empty() && std::isnan(setting.values.front()) && std::isnan(setting.strength))
      setting.strength = FitOptions{}.strength;
    out.push_back(std::move(setting));
  }
  return out;
}

using Splits = std::vector<std::pair<std::vector<Index>, std::vector<Index>>>;

nb::dict choose(const Volumes& volumes, const std::vector<double>& y, const std::vector<std::string>& classes,
                const std::vector<double>& weights, const std::vector<std::string>& groups,
                const std::optional<Matrix>& given, const nb::dict& keywords, const nb::list& settings,
                const std::optional<Splits>& splits, const nb::object& tell) {
  FitRequest request = request_of(keywords);
  const Confounds confounds = confounds_of(given);
  const Method<double>& method = find_method<double>(request.method);
  const std::vector<GivenSetting> grid = settings_of(method, settings);
  std::optional<Folds> folds;
  if (splits) {
    folds.emplace();
    for (const auto& [train, test] : *splits) {
      folds->names.push_back(std::to_string(folds->names.size() + 1));
      folds->splits.push_back({train, test});
    }
  }
  PythonEvents events(tell);
  ChosenFit chosen = without_gil(request, [&] {
    return std::visit(
        [&]<class Real>(const Design<Real>& design) {
          const Dataset<Real> data = dataset_of(design, Labels{y, classes}, weights, groups);
          NestedStudy<Real> study = study_to_choose_on(request, data, confounds, memory_budget(request.run));
          study.options.settings = grid;
          return choose_setting(request, study, data.target, SampleNames{data.ids, data.id_column}, {}, folds, events);
        },
        volumes.design);
  });
  nb::list points;
  const std::vector<Parameter> parameters = method.parameters();
  for (const GridPoint& point : chosen.found.grid) {
    nb::dict at;
    for (std::size_t p = 0; p < parameters.size(); ++p) at[parameters[p].name.c_str()] = point.setting[p];
    points.append(nb::make_tuple(at, point.scores, point.gaps, point.sparsity, point.sparsity_in_mask));
  }
  const Index best = chosen.found.choice.chosen;
  const double score = chosen.found.choice.mean;
  nb::dict out = result_of(std::move(chosen.made));
  out["grid"] = points;
  out["best"] = best;
  out["best_score"] = score;
  return out;
}

}  // namespace

FitRequest request_of(const nb::dict& keywords) {
  FitRequest out;
  FromKeywords fill(keywords);
  nb::dict setting;
  const auto special = [&](const char* name, auto& value) { fill(name, value, ""); };
  special("method", out.method);
  special("balanced", out.balanced);
  special("probabilities", out.probabilities);
  special("tube", out.tube);
  special("setting", setting);
  describe(fill, out.run);
  describe(fill, out.choosing);
  describe(fill, out.model);
  if (!fill.rest.empty()) throw UsageError(option_name(fill.rest.front()) + " is no option of a fit.");
  check_threads(out.run.threads);
  out.setting = setting_of(find_method<double>(out.method), setting, out.choosing.choose);
  return out;
}

void bind_fits(nb::module_& module) {
  module.def("fit", &fit, nb::arg("volumes"), nb::arg("y"), nb::arg("classes"), nb::arg("weights"), nb::arg("groups"),
             nb::arg("confounds").none(), nb::arg("keywords"), nb::arg("tell").none());
  module.def("choose", &choose, nb::arg("volumes"), nb::arg("y"), nb::arg("classes"), nb::arg("weights"),
             nb::arg("groups"), nb::arg("confounds").none(), nb::arg("keywords"), nb::arg("settings"),
             nb::arg("splits").none(), nb::arg("tell").none());
}

}  // namespace sturm::python
