// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/report/trust.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sturm/core/table.h"
#include "sturm/models/registry.h"
#include "sturm/report/words.h"
#include "sturm/results/findings.h"

namespace sturm {
namespace {

constexpr double too_likely = 0.05;

/// Whose samples were in more than one outer fold, of those with several samples: counted in the predictions, which say
/// what was done and not only what was asked for.
struct People {
  Index with_several = 0, torn = 0;
  bool known = false;
};

People people_in(const Study& study, const CvResults& results) {
  People out;
  if (results.repeats.value_or(1) > 1 || study.predictions.empty()) return out;
  const std::string& method = study.predictions.front().method;
  std::map<std::string, std::pair<Index, std::set<std::string>>> of;
  for (const StudyPrediction& p : study.predictions) {
    if (p.method != method) continue;
    if (p.participant.empty()) return out;
    auto& [count, folds] = of[p.participant];
    ++count;
    folds.insert(p.fold);
  }
  out.known = true;
  for (const auto& [name, seen] : of) {
    out.with_several += seen.first > 1;
    out.torn += seen.second.size() > 1;
  }
  return out;
}

TrustCheck check_people(const Study& study, const CvResults& results) {
  TrustCheck out{.name = "People kept apart", .section = "scores"};
  const People people = people_in(study, results);
  const bool by_people = results.groups && results.groups->column == "participant_id";
  if (people.known && people.torn > 0) {
    out.answer = Tick::no;
    out.sentence =
        fmt::format("{} of {} people have samples in several outer folds, so they were in training and in test.",
                    people.torn, people.with_several);
  } else if (by_people || (people.known && people.with_several > 0)) {
    out.answer = Tick::yes;
    out.sentence = "No person was in training and in test at the same time.";
  } else if (people.known) {
    out.answer = Tick::yes;
    out.sentence = "Every person has one sample.";
  } else if (results.groups) {
    out.sentence = fmt::format("No {} was on both sides of a fold, but the table does not say who is who.",
                               results.groups->column);
  } else {
    out.sentence = "The table does not say which samples are of one person.";
  }
  return out;
}

TrustCheck check_permutations(const Study& study) {
  TrustCheck out{.name = "Labels permuted", .section = "verdict"};
  const Index count = study.permutations;
  const double least = 1 / static_cast<double>(count + 1);
  if (count == 0) {
    out.answer = Tick::no;
    out.sentence = "No labels were permuted, so nothing tests the procedure as a whole.";
  } else if (corrected(least, compared_in(study)) > too_likely) {
    out.answer = Tick::no;
    out.sentence =
        fmt::format("{} are too few{}: p cannot be below {}.", plural(count, "permutation"),
                    compared_in(study) > 1 ? fmt::format(" for {} methods", compared_in(study)) : "", p_words(least));
  } else {
    out.answer = Tick::yes;
    out.sentence =
        fmt::format("{} of the whole procedure; p cannot be below {}.", plural(count, "permutation"), p_words(least));
  }
  return out;
}

TrustCheck check_sites(const Study& study, const DataFacts& data, const std::string& left_out_together) {
  TrustCheck out{.name = "Site told apart from " + study.target.column, .section = "data"};
  const std::vector<SiteCount> sites = data.sites.value_or(std::vector<SiteCount>{});
  const std::string column = data.site_column.value_or("");
  const double association = site_association(sites);
  const auto alone = study.target.regression() ? 0 : std::ranges::count_if(sites, one_class_alone);
  if (sites.empty()) {
    out.sentence = "The table has no column of sites.";
  } else if (sites.size() == 1) {
    out.answer = Tick::yes;
    out.sentence = "All samples are of one site.";
  } else if (column == left_out_together) {
    out.answer = Tick::yes;
    out.sentence = fmt::format("Each {} was left out as a whole, so knowing it helps nobody.", column);
  } else if (std::isnan(association)) {
    out.sentence = fmt::format("How much {} says about {} cannot be computed.", column, study.target.column);
  } else if (association >= confounded || alone > 0) {
    out.answer = Tick::no;
    out.sentence = alone > 0 ? fmt::format("At {} of {} sites all samples are of one class.", alone, sites.size())
                             : fmt::format("{} says a good deal about {} (association {:.2f}, from 0 to 1).", column,
                                           study.target.column, association);
  } else {
    out.answer = Tick::yes;
    out.sentence = fmt::format("{} says little about {} (association {:.2f}, from 0 to 1).", column,
                               study.target.column, association);
  }
  return out;
}

std::string score_of(const CoverageScore& score) {
  return fmt::format("{} {:.2f}; {:g} is chance", score.measure == Measure::auc ? "AUC" : "correlation",
                     score.value.value, score.chance.value);
}

TrustCheck check_coverage(const Study& study, const DataFacts& data) {
  TrustCheck out{.name = "Coverage told apart from " + study.target.column, .section = "data"};
  const std::optional<CoverageFacts>& facts = data.coverage;
  if (!facts) {
    out.sentence = "Where the volumes have values was not compared.";
  } else if (facts->varying == 0) {
    out.answer = Tick::yes;
    out.sentence = "All volumes have values in the same voxels.";
  } else if (!facts->volumes) {
    out.sentence = "Whether the places where volumes have values give it away was not looked at.";
  } else if (facts->leak && facts->varying_in_mask > 0) {
    out.answer = Tick::no;
    out.sentence = fmt::format("Where volumes have values is enough to tell it ({}).", score_of(*facts->volumes));
  } else {
    out.answer = Tick::yes;
    out.sentence =
        facts->leak ? "The volumes are cut differently, but inside the mask all of them have values."
                    : fmt::format("Where volumes have values does not give it away ({}).", score_of(*facts->volumes));
  }
  return out;
}

/// As in the warning: one class larger than another by half.
std::optional<TrustCheck> check_balance(const Study& study) {
  if (study.target.regression()) return {};
  TrustCheck out{.name = "Classes balanced", .section = "data"};
  std::vector<Index> n;
  if (study.counts.classes) n = *study.counts.classes;
  if (study.counts.positive) n = {*study.counts.positive, study.counts.samples - *study.counts.positive};
  if (n.empty()) {
    out.sentence = "How many samples each class has is not known.";
    return out;
  }
  const auto [least, most] = std::ranges::minmax(n);
  out.answer = 2 * most <= 3 * least ? Tick::yes : Tick::no;
  out.sentence = least == most ? fmt::format("Each class has {}.", plural(least, "sample"))
                               : fmt::format("The {} class has {}, the {} {}.", n.size() > 2 ? "largest" : "larger",
                                             plural(most, "sample"), n.size() > 2 ? "smallest" : "smaller", least);
  return out;
}

/// "a, b and c".
std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t n = 0; n < names.size(); ++n)
    out += (n == 0 ? "" : n + 1 == names.size() ? " and " : ", ") + names[n];
  return out;
}

TrustCheck check_fits(const Study& study) {
  TrustCheck out{.name = "Every fit proven", .section = "convergence"};
  Index unfinished = 0;
  double worst = 0;
  std::vector<std::string> unproven;
  for (const StudyMethod& method : study.methods) {
    if (is_baseline(method.name)) continue;
    double gap = std::isnan(method.fits.worst_gap) ? 0 : method.fits.worst_gap;
    if (method.final && !std::isnan(method.final->relative_gap)) gap = std::max(gap, method.final->relative_gap);
    const bool proves = gap > 0 || (method.final && !std::isnan(method.final->relative_gap));
    if (!proves) unproven.push_back(method.name);
    worst = std::max(worst, gap);
    unfinished += method.fits.unconverged;
    unfinished += std::ranges::count(method.chosen, Status::iteration_limit, &StudyChoice::status);
    unfinished += method.final && method.final->status == Status::iteration_limit;
  }
  const std::string gap = fmt::format("the worst relative gap is {:.1e}", worst);
  if (unfinished > 0) {
    out.answer = Tick::no;
    out.sentence = fmt::format("{} did not converge; {}.", plural(unfinished, "fit"), gap);
  } else if (!unproven.empty()) {
    out.sentence = listed(unproven) + (unproven.size() > 1 ? " have no proof" : " has no proof") +
                   (worst > 0 ? fmt::format("; of the others {}.", gap) : ".");
  } else {
    out.answer = Tick::yes;
    out.sentence = fmt::format("All fits converged; {}.", gap);
  }
  return out;
}

TrustCheck check_choice(const Study& study) {
  TrustCheck out{.name = "Choice of method accounted for", .section = "tables"};
  const Index methods = compared_in(study);
  const StudyMethod* const best = best_method(study);
  const double p = best == nullptr ? not_known : p_of(*best, study.score);
  if (methods < 2) {
    out.answer = Tick::yes;
    out.sentence = "One method was tried.";
  } else if (std::isnan(p)) {
    out.answer = Tick::no;
    out.sentence = fmt::format("{} methods were tried, and the score of the best is a little too good.", methods);
  } else {
    out.answer = Tick::yes;
    out.sentence = fmt::format("{} methods were tried; corrected for that, {} for the best one.", methods,
                               p_in_prose(corrected(p, methods)));
  }
  return out;
}

using Linked = std::vector<std::pair<TrustCheck, std::optional<Topic>>>;

/// Points each check to its warning, where there is one.
std::vector<TrustCheck> linked(const Linked& checks, const std::vector<Warning>& warnings) {
  std::vector<TrustCheck> out;
  for (const auto& [check, topic] : checks) {
    out.push_back(check);
    const auto found = topic ? std::ranges::find(warnings, *topic, &Warning::topic) : warnings.end();
    if (found != warnings.end()) out.back().warning = static_cast<Index>(found - warnings.begin());
  }
  return out;
}

}  // namespace

std::vector<TrustCheck> trust_in_cv(const Study& study, const CvResults& results, const DataFacts& data) {
  Linked out = {{check_people(study, results), {}},
                {check_permutations(study), Topic::permutations},
                {check_sites(study, data, results.groups ? results.groups->column : ""), Topic::sites},
                {check_coverage(study, data), Topic::coverage}};
  if (const std::optional<TrustCheck> balance = check_balance(study)) out.emplace_back(*balance, Topic::balance);
  out.emplace_back(check_fits(study), Topic::fits);
  out.emplace_back(TrustCheck{.name = "Settings chosen inside the folds",
                              .answer = Tick::yes,
                              .sentence = "Inner folds of each training set chose them.",
                              .section = "sensitivity",
                              .warning = {}},
                   std::nullopt);
  out.emplace_back(check_choice(study), Topic::choice);
  return linked(out, cv_warnings_by_topic(data, study));
}

std::vector<TrustCheck> trust_in_fit(const Study& study, const FitResults& fit, const DataFacts& data) {
  Linked out = {{TrustCheck{.name = "Tested on samples left out",
                            .answer = Tick::no,
                            .sentence = "A fit has seen all samples; sturm cv leaves some out.",
                            .section = "scores",
                            .warning = {}},
                 {}},
                {check_sites(study, data, ""), Topic::sites},
                {check_coverage(study, data), Topic::coverage}};
  if (const std::optional<TrustCheck> balance = check_balance(study)) out.emplace_back(*balance, Topic::balance);
  out.emplace_back(check_fits(study), Topic::fits);
  TrustCheck choice{.name = "Setting chosen by cross-validation", .section = "methods"};
  choice.answer = fit.choice ? Tick::yes : Tick::no;
  choice.sentence = fit.choice ? fmt::format("The best of {} over {}; its score there is optimistic.",
                                             plural(fit.choice->settings, "setting"), plural(fit.choice->folds, "fold"))
                               : "It was given, and nothing says how it was found.";
  out.emplace_back(std::move(choice), std::nullopt);
  return linked(out, fit_warnings_by_topic(fit, data));
}

}  // namespace sturm
