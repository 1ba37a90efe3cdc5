// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "sturm/app/proof_check.h"
#include "sturm/app/proof_files.h"
#include "sturm/app/space.h"
#include "sturm/core/files.h"
#include "sturm/core/json_text.h"
#include "sturm/core/npy.h"
#include "sturm/imaging/nifti.h"
#include "sturm/models/files/proof_file.h"
#include "sturm/models/registry.h"
#include "sturm/models/wrappers/one_vs_rest.h"
#include "sturm/models/wrappers/platt.h"
#include "sturm/results/fit_results.h"
#include "sturm/results/json.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

template <class T>
T described(const std::string& text, const std::string& where) {
  const auto found = parse_json<ordered_json>(text);
  T out;
  try {
    if (found.is_discarded()) throw Error("it is not JSON");
    from_json(found, out, "");
  } catch (const Error& error) {
    throw Error({where}, std::string("cannot be read: ") + error.what() + "; fit the model again.");
  }
  return out;
}

FitResults read_facts(const fs::path& file) {
  std::error_code failure;
  if (!fs::exists(file, failure))
    throw Error({file.string()}, "cannot be opened; `verify` checks a folder that sturm fit has written.");
  return described<FitResults>(read_file(file), file.string());
}

double parameter(const FitResults& facts, const std::string& name, double otherwise) {
  for (const auto& [known, value] : facts.parameters.values)
    if (known == name) return value;
  return otherwise;
}

/// What the numbers of a file say in the place of others.
class Judge {
 public:
  explicit Judge(Verdict& verdict) : verdict_(verdict) {}

  template <class... Args>
  void problem(fmt::format_string<Args...> sentence, Args&&... args) {
    verdict_.problems.push_back(fmt::format(sentence, std::forward<Args>(args)...));
  }
  void same(const std::string& what, double now, double claimed, double rounding) {
    if (!(std::abs(now - claimed) <= rounding))
      problem("{} is {:.9g}, and {:.9g} is claimed; rounding explains {:.1e}", what, now, claimed, rounding);
  }

 private:
  Verdict& verdict_;
};

/// The files of a fit.
struct Files {
  fs::path folder;
  FitResults facts;
  SavedModel model;
  SavedProof proof;
  RecordedStudy study;
  ProofKind kind = ProofKind::none;
};

Files read_files(const fs::path& folder) {
  Files out{folder, read_facts(folder / "fit.json"), {}, read_proof(folder / "proof.safetensors"), {}};
  out.model = read_model(folder);
  const std::string proof = (folder / "proof.safetensors").string();
  out.study = described<RecordedStudy>(out.proof.study, proof);
  const Method<double>* const method = known_method<double>(out.facts.method);
  if (method == nullptr || method->proof_kind() == ProofKind::none)
    throw Error({(folder / "fit.json").string()}, "is of the method '" + out.facts.method + "', which has no proofs.");
  out.kind = method->proof_kind();
  for (const SavedPart& part : out.model.parts)
    if (!part.model.has_map()) throw Error({folder.string()}, "holds a model without a map of coefficients.");
  return out;
}

/// The numbers that fit.json claims of a part.
const FitNumbers& claims(const Files& files, std::size_t part) {
  return files.facts.classes ? static_cast<const FitNumbers&>(files.facts.classes->at(part)) : files.facts.numbers;
}

/// Files of one fit say one thing.
void compare_files(const Files& files, Judge& judge) {
  const FitResults& f = files.facts;
  const std::size_t parts = files.model.parts.size();
  if (files.model.method != f.method || files.proof.method != f.method)
    judge.problem("fit.json is of the method {}, model.safetensors of {} and proof.safetensors of {}", f.method,
                  files.model.method, files.proof.method);
  if (files.proof.parts.size() != parts || (f.classes ? f.classes->size() : 1) != parts)
    judge.problem("fit.json, model.safetensors and proof.safetensors are not of the same classes");
  if (files.model.normalize != f.normalize)
    judge.problem("fit.json says that volumes are normalised by '{}', and model.safetensors by '{}'",
                  to_word(f.normalize), to_word(files.model.normalize));
  if (f.precision != to_word(files.study.precision))
    judge.problem("fit.json says precision {}, and proof.safetensors {}", f.precision, to_word(files.study.precision));
  if (f.n_samples != std::ranges::count_if(files.proof.weights, [](double w) { return w > 0; }))
    judge.problem("fit.json counts {} samples, and proof.safetensors has another number", f.n_samples);
  if (f.target != files.model.target)
    judge.problem("fit.json is about the column '{}', and model.safetensors about '{}'", f.target, files.model.target);
  for (std::size_t p = 0; p < parts && (!f.classes || p < f.classes->size()); ++p) {
    const LinearModel& map = files.model.parts[p].model.map();
    const FitNumbers& claimed = claims(files, p);
    if (claimed.intercept != map.intercept)
      judge.problem("the intercept of model.safetensors is {}, and {} is claimed", map.intercept, claimed.intercept);
    const auto zeros = static_cast<double>(std::ranges::count(map.coef.flat(), 0.0));
    const auto voxels = static_cast<double>(map.coef.shape().size());
    // Counted on the scale of the solver: less than half a voxel apart.
    judge.same("the part of the coefficients that is 0", zeros / voxels, claimed.sparsity, 0.4 / voxels);
  }
}

/// A map as a file of single or double precision has it.
void compare_map(const std::string& file, const std::vector<double>& stored, const std::vector<Tensor>& maps,
                 double rounding, Judge& judge) {
  std::size_t at = 0;
  Index different = 0;
  double largest = 0;
  for (const Tensor& map : maps)
    for (const double v : map.flat()) largest = std::max(largest, std::abs(v));
  for (const Tensor& map : maps)
    for (const double v : map.flat()) {
      if (at >= stored.size()) return judge.problem("{} has fewer voxels than the model", file);
      different += !(std::abs(stored[at++] - v) <= rounding * (std::abs(v) + 1e-30 * largest));
    }
  if (at != stored.size()) judge.problem("{} has more voxels than the model", file);
  if (different > 0)
    judge.problem("{} is not the map of model.safetensors: {} differ", file, plural(different, "voxel"));
}

void compare_maps(const Files& files, Judge& judge) {
  std::vector<Tensor> maps;
  for (const SavedPart& part : files.model.parts) maps.push_back(part.model.map().coef);
  const auto volumes = [&](const char* name, const std::vector<Tensor>& of) {
    const fs::path file = files.folder / name;
    const VolumeInfo info = read_volume_info(file);
    if (info.grid.shape != of.front().shape() || info.volumes != std::ssize(of))
      return judge.problem("{} has another shape than the model", name);
    std::vector<double> stored(static_cast<std::size_t>(info.grid.shape.size() * info.volumes));
    read_volumes_into<double>(info, 0, info.volumes, stored);
    compare_map(name, stored, of, 1e-6, judge);  // of single precision
  };
  if (!files.model.grid) {
    NpyHeader header;
    const std::vector<double> stored = read_npy(files.folder / "coef.npy", header);
    if (!header.fortran_order) return judge.problem("coef.npy is not in the order in which sturm fit writes it");
    return compare_map("coef.npy", stored, maps, 0, judge);
  }
  const Space space = to_space(files.model);
  std::vector<Tensor> fine;
  for (const Tensor& map : maps) fine.push_back(coef_on_grid(map, space));
  volumes("coef.nii.gz", fine);
  if (files.model.shape != space.grid.shape) volumes("coef_resized.nii.gz", maps);
}

/// The samples as they are now against those of the proof.
template <class Real>
void compare_samples(const Files& files, const Dataset<Real>& data, std::span<const double> weights, Judge& judge) {
  const std::vector<std::string> rows = hashes_of_rows(data.design);
  std::vector<std::string> changed;
  for (std::size_t m = 0; m < rows.size(); ++m) {
    std::string name = "sample " + std::to_string(m + 1);
    if (!data.paths.empty())
      name += " (" + data.paths[m] + ")";
    else if (!data.ids.empty())
      name += " (" + data.ids[m] + ")";
    if (rows[m] != files.proof.rows[m]) changed.push_back(name);
    if (data.target.y[m] != files.proof.y[m])
      judge.problem("{} has the target {}, and had {} when the model was fitted", name, data.target.y[m],
                    files.proof.y[m]);
    if (weights[m] != files.proof.weights[m])
      judge.problem("{} has the weight {}, and had {} when the model was fitted", name, weights[m],
                    files.proof.weights[m]);
  }
  if (!changed.empty())
    judge.problem("{} not what {} when the model was fitted: {}",
                  changed.size() == 1 ? "1 volume is" : fmt::format("{} volumes are", changed.size()),
                  changed.size() == 1 ? "it was" : "they were", join(changed));
}

/// The numbers of one part.
template <class Real>
VerdictPart check_part(const Files& files, std::size_t p, const Dataset<Real>& data, std::span<const double> y,
                       std::span<const double> weights, const std::string& of_class, Judge& judge) {
  const FitResults& f = files.facts;
  ProofTerms terms{.kind = files.kind,
                   .tau = std::isnan(f.tau) ? 0 : f.tau,
                   .gamma = std::isnan(f.gamma) ? 0 : f.gamma,
                   .l2 = parameter(f, "l2", 0),
                   .alpha = std::isnan(f.alpha) ? 1 : f.alpha,
                   .c = parameter(f, "C", 0),
                   .tube = parameter(f, "tube", 0),
                   .classes = data.target.classification(),
                   .intercept = files.study.intercept,
                   .normalize = f.normalize,
                   .single = sizeof(Real) == 4};
  const Region& region = data.design.region();
  const LinearModel& map = files.model.parts[p].model.map();
  const std::vector<double> coef = region.gather<double>(map.coef.flat());
  ProofPoint point = files.proof.parts[p];
  if (std::ssize(point.scale) == region.box().size()) point.scale = region.gather<double>(point.scale);
  const ProofNumbers found = check_proof(terms, data.design, y, weights, {coef, map.intercept}, point);
  const FitNumbers& claimed = claims(files, p);
  const std::string of = of_class.empty() ? "" : " of " + of_class;
  for (const std::string& problem : found.problems) judge.problem("the proof{}: {}", of, problem);
  judge.same("the objective" + of, found.primal, claimed.objective, found.primal_rounding);
  judge.same("the dual value" + of, found.dual, claimed.dual, found.dual_rounding);
  judge.same("the relative gap" + of, found.gap, claimed.relative_gap, found.gap_rounding);
  judge.same("the intercept" + of, map.intercept, found.best_intercept, found.intercept_rounding);
  if (!(found.excess <= 1 + found.excess_rounding))
    judge.problem("theta{} is not feasible: it is {:.9g} times too large for |G1| <= gamma and the norm of G2 <= tau",
                  of, found.excess);
  if (claimed.status == Status::zero_solution && std::ranges::any_of(coef, [](double v) { return v != 0; }))
    judge.problem("fit.json says that the solution{} is zero, and it is not", of);
  VerdictPart out;
  if (!of_class.empty()) out.of_class = of_class;
  out.objective = found.primal;
  out.claimed_objective = claimed.objective;
  out.objective_rounding = found.primal_rounding;
  out.dual = found.dual;
  out.claimed_dual = claimed.dual;
  out.dual_rounding = found.dual_rounding;
  out.gap = found.gap;
  out.claimed_gap = claimed.relative_gap;
  out.gap_rounding = found.gap_rounding;
  if (terms.gamma > 0 && terms.l2 == 0) out.excess_gamma = found.excess_gamma;
  if (terms.tau > 0) out.excess_tau = found.excess_tau;
  out.intercept = map.intercept;
  out.best_intercept = found.best_intercept;
  return out;
}

template <class Real>
void check_numbers(const VerifyRequest& request, const Files& files, Verdict& verdict, Events& events) {
  Judge judge(verdict);
  LoadPlan plan{.purpose = Purpose::fit, .memory = memory_budget(request.run)};
  const InputOptions input = located(files.study, files.folder, request.input);
  plan.read_target = [&](const Table& table) {
    return read_target(table, {input.target, input.positive, input.classes});
  };
  events.stage("reading " + input.name());
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  const Input<Real> loaded = load_input<Real>(input, plan);
  events.close();
  const Dataset<Real>& data = loaded.data;
  verdict.samples = data.design.samples();
  if (data.design.shape() != files.model.shape)
    return judge.problem("the volumes are of {}, and the model is of {}", to_string(data.design.shape()),
                         to_string(files.model.shape));
  if (data.design.region().mask() != Region(files.model.shape, files.model.mask).mask())
    judge.problem("the mask of model.safetensors is not the one that the volumes give");
  if (data.design.samples() != std::ssize(files.proof.y))
    return judge.problem("there are {} now, and there were {} when the model was fitted",
                         plural(data.design.samples(), "sample"), files.proof.y.size());
  std::vector<double> weights = files.study.balanced ? balanced_weights(data.target.y, data.weights) : data.weights;
  if (weights.empty()) weights.assign(data.target.y.size(), 1.0);
  compare_samples(files, data, weights, judge);
  const std::vector<std::string>& names = data.target.names;
  if (names != files.model.names) return judge.problem("the classes are not those of the model");
  double objective = 0, dual = 0;
  for (std::size_t p = 0; p < files.model.parts.size(); ++p) {
    const std::vector<double> y = names.empty() ? data.target.y : against_rest(data.target.y, static_cast<int>(p));
    verdict.parts.push_back(check_part(files, p, data, y, weights, names.empty() ? "" : names[p], judge));
    objective += verdict.parts.back().claimed_objective;
    dual += verdict.parts.back().claimed_dual;
  }
  if (names.empty()) return;
  // What fit.json says of all classes together.
  const FitNumbers& all = files.facts.numbers;
  double gap = 0;
  for (const VerdictPart& part : verdict.parts) gap = std::max(gap, part.claimed_gap);
  judge.same("the objective of all classes", objective, all.objective, 1e-10 * std::abs(objective));
  judge.same("the dual value of all classes", dual, all.dual, 1e-10 * std::abs(objective));
  judge.same("the largest gap of all classes", gap, all.relative_gap, 1e-12);
}

}  // namespace

Verdict verify_fit(const VerifyRequest& request, Events& events) {
  const Files files = read_files(request.folder);
  Verdict out;
  out.method = files.facts.method;
  Judge judge(out);
  compare_files(files, judge);
  if (files.proof.parts.size() == files.model.parts.size() &&
      (!files.facts.classes || files.facts.classes->size() == files.model.parts.size())) {
    compare_maps(files, judge);
    files.study.precision == Precision::f32 ? check_numbers<float>(request, files, out, events)
                                            : check_numbers<double>(request, files, out, events);
  }
  out.accepted = out.problems.empty();
  return out;
}

std::string table_of(const Verdict& verdict) {
  std::string out = "part\tquantity\trecomputed\tclaimed\trounding\n";
  for (const VerdictPart& p : verdict.parts) {
    const std::string part = table_field(p.of_class.value_or("all"));
    const auto row = [&](const char* what, double now, double claimed, double rounding) {
      if (!std::isnan(now))
        out += fmt::format("{}\t{}\t{:.9g}\t{}\t{}\n", part, what, now,
                           std::isnan(claimed) ? "n/a" : fmt::format("{:.9g}", claimed),
                           std::isnan(rounding) ? "n/a" : fmt::format("{:.1e}", rounding));
    };
    row("objective", p.objective, p.claimed_objective, p.objective_rounding);
    row("dual", p.dual, p.claimed_dual, p.dual_rounding);
    row("relative_gap", p.gap, p.claimed_gap, p.gap_rounding);
    row("intercept", p.best_intercept, p.intercept, not_known);
    row("l1_excess", p.excess_gamma, 1, not_known);
    row("low_rank_excess", p.excess_tau, 1, not_known);
  }
  return out;
}

}  // namespace sturm
