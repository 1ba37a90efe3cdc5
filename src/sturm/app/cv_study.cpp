// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/cv_study.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "sturm/app/coverage_facts.h"
#include "sturm/app/data_facts.h"
#include "sturm/app/settle_folds.h"
#include "sturm/core/memory.h"
#include "sturm/core/rng.h"
#include "sturm/core/sentence.h"
#include "sturm/eval/learning.h"
#include "sturm/imaging/content_hash.h"
#include "sturm/imaging/mask.h"
#include "sturm/models/registry.h"

namespace sturm {
namespace {

/// Goes up when the same study would give other numbers than before.
constexpr int numerics = 9;

std::vector<std::string> texts(const Table& table, const std::string& column, const std::vector<Index>& rows,
                               const char* option = "") {
  std::vector<std::string> out;
  const Index position = table.column(column, option);
  out.reserve(rows.size());
  for (const Index row : rows) out.push_back(table.cell(row, position));
  return out;
}

/// The content of one sample's volume.
template <class Real>
std::string hash_row(const Design<Real>& x, Index sample) {
  std::vector<Real> values(x.voxels());
  for (Index v = 0; v < x.voxels(); ++v) values[v] = x.column(v)[sample];
  ContentHash hash;
  hash.add(values.data(), values.size() * sizeof(Real));
  return hash.text();
}

/// A name for each sample that does not depend on where its row stands.
template <class Real>
std::vector<std::string> names_of_samples(const Dataset<Real>& data, const StudyColumns& columns) {
  std::vector<std::string> names;
  std::map<std::string, int> seen;
  for (Index m = 0; m < data.design.samples(); ++m) {
    std::string name = data.ids.empty() ? "" : data.ids[m];
    name += "|" + (data.paths.empty() ? hash_row(data.design, m) : data.paths[m]);
    if (!columns.volume.empty()) name += "|" + columns.volume[m];
    name += "|" + data.target.actual[m];
    const int before = seen[name]++;
    names.push_back(before == 0 ? name : name + "|" + std::to_string(before + 1));
  }
  return names;
}

template <class Value>
std::vector<Value> reordered(const std::vector<Value>& values, const std::vector<Index>& order) {
  std::vector<Value> out;
  for (const Index i : order)
    if (!values.empty()) out.push_back(values[i]);
  return out;
}

std::string joined(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : ",") + word;
  return out;
}

template <class Real>
StudySettings settings_of(const InputOptions& input, const CvOptions& options, const RunSettings& run,
                          const CvStudy<Real>& study) {
  StudySettings out{options, run.seed, run.precision, study.facts.target.column, input.positive, input.classes, {}, {},
                    {},      {},       numerics};
  out.options.methods = joined(study.plan.methods);
  out.options.groups = study.facts.keys.groups.empty() ? "none" : study.facts.keys.group_column;
  const std::optional<MaskRule> rule = input.learnt_mask();
  out.mask = !rule ? input.mask : rule == MaskRule::any ? "union" : "auto";
  out.weights = input.weights;
  ContentHash labels;
  for (Index m = 0; m < study.facts.keys.rows(); ++m) {
    labels.add(study.facts.keys.ids[m]);
    labels.add(study.facts.target.actual[m]);
    if (!study.facts.keys.groups.empty()) labels.add(study.facts.keys.groups[m]);
  }
  labels.add(study.nested.confounds.values.data(), study.nested.confounds.values.size() * sizeof(double));
  if (!study.nested.weights.empty())
    labels.add(study.nested.weights.data(), study.nested.weights.size() * sizeof(double));
  for (Index deal = 0; deal < study.plan.deals(); ++deal)
    for (const int fold : study.plan.deal(deal).of) labels.add(&fold, sizeof fold);
  out.table = labels.text();
  ContentHash volumes;
  for (const Resolution<Real>& r : study.nested.resolutions) {
    volumes.add(r.design.x().data(), r.design.x().size() * sizeof(Real));
    const std::vector<std::uint8_t> mask = r.design.region().mask();
    volumes.add(mask.data(), mask.size());
  }
  if (rule) volumes.add(study.gaps);
  out.volumes = volumes.text();
  return out;
}

/// What a user calls each sample.
const std::vector<std::string>& names_of_volumes(const CvFacts& facts) {
  const std::vector<std::string>& people = facts.participants.empty() ? facts.keys.ids : facts.participants;
  return facts.paths.empty() ? people : facts.paths;
}

/// What the volumes are like beside their values: the mask, who lacks what, whether that gives the target away, and who
/// stands out. To the terminal, and into the results.
template <class Real>
void judge_volumes(CvStudy<Real>& study, const Coverage& coverage,
                   const std::vector<std::shared_ptr<const LearntMasks<Real>>>& masks, std::optional<MaskRule> rule,
                   std::uint64_t seed, Events& events) {
  const CvFacts& facts = study.facts;
  const std::vector<std::string>& names = names_of_volumes(facts);
  const Resolution<Real>& finest = study.nested.resolutions.back();
  std::vector<std::uint8_t> mask;
  std::vector<std::string> notes;
  if (rule) {
    const CoveredVoxels covered = masks.back()->covered({});
    const Region region = finest.volumes({}, {}).region();
    mask = covered.mask;
    notes.push_back(describe_mask(covered, *rule, region.size(), region.box(), names) +
                    " Each training set learns its own mask in this way.");
  } else if (const std::optional<Space>& space = study.spaces.back(); space && !space->mask.empty()) {
    mask = space->mask;
  } else if (finest.design.shape() == coverage.shape()) {
    mask = finest.design.region().mask();
  }
  const CoverageFacts& found =
      study.data.coverage.emplace(coverage_facts(coverage, mask, facts.keys, facts.target.column, seed));
  study.data.facts.push_back({"coverage", found.sentence});
  const std::vector<std::string> outliers = describe_outliers(levels_of(finest.design), names);
  for (const std::string& note : notes) study.notes.push_back(note);
  events.close();
  if (found.leak)
    events.warn("WARNING: " + found.sentence);
  else
    events.detail(found.sentence);
  for (const std::string& outlier : outliers) events.warn("warning: " + outlier);
  study.data.warnings.insert(study.data.warnings.end(), notes.begin(), notes.end());
  study.data.warnings.insert(study.data.warnings.end(), outliers.begin(), outliers.end());
}

}  // namespace

std::string group_column(const Table& table, const std::string& chosen) {
  if (chosen == "none") return {};
  return chosen.empty() && table.has("participant_id") ? "participant_id" : chosen;
}

StudyColumns read_columns(const Table& table, const CvOptions& options, const FoldChoice& outer,
                          const std::vector<Index>& rows, const std::string& target) {
  StudyColumns out;
  out.group_column = group_column(table, options.groups);
  if (!out.group_column.empty()) {
    const Index column = table.column(out.group_column, "groups");
    for (const Index row : rows)
      if (table.missing(row, column))
        throw Error(table.place(row, column),
                    "has no value, and samples of a group stay together; fill it in, or say `groups none`.");
    out.groups = texts(table, out.group_column, rows);
  }
  if (outer.kind == FoldKind::column) out.folds = texts(table, outer.column, rows, "outer");
  if (table.has("volume")) out.volume = texts(table, "volume", rows);
  const std::vector<std::string> confounds = split(options.confounds, ',');
  out.confounds = read_confounds(table, confounds, rows, target);
  return out;
}

SampleKeys keys_of(const Target& target) {
  SampleKeys keys;
  keys.y = target.y;
  keys.classification = target.classification();
  if (target.classes) keys.class_names = {{-1, target.classes->negative}, {1, target.classes->positive}};
  keys.several = static_cast<Index>(target.names.size());
  for (Index c = 0; c < keys.several; ++c) keys.class_names[static_cast<double>(c)] = target.names[c];
  return keys;
}

Score score_of(Score wish, bool classification) {
  const bool for_classes = wish == Score::accuracy || wish == Score::balanced_accuracy || wish == Score::auc;
  if (wish == Score::automatic) return classification ? Score::accuracy : Score::r2;
  if (for_classes != classification)
    throw UsageError(classification ? option_name("score", to_word(wish)) +
                                          " is for a regression, and `positive` or `classes` asks for classes."
                                    : option_name("score", to_word(wish)) +
                                          " is for classes: add `classes`, or `positive` and one of them.");
  return wish;
}

std::vector<std::string> methods_of(const std::string& list) {
  const std::string all = "svm,lasso,enet,remurs,sturm,lasso+svm,enet+svm,remurs+svm,sturm+svm,mmk,surf";
  std::vector<std::string> out;
  for (const std::string& name : split(list == "all" ? all : list, ',')) {
    find_method<double>(name);
    if (std::ranges::find(out, name) == out.end()) out.push_back(name);
  }
  if (out.empty()) throw UsageError("`methods` is empty; there are: all, " + all + ".");
  return out;
}

std::vector<double> numbers_of(const std::string& list, const std::string& option, double most) {
  std::vector<double> out;
  for (const std::string& word : split(list, ',')) {
    const double value = parse_number(word);
    if (!(value > 0 && value <= most))
      throw UsageError(
          fmt::format("{} holds numbers above 0 and up to {}, not '{}'.", option_name(option), most, word));
    out.push_back(value);
  }
  if (out.empty()) throw UsageError(option_name(option) + " holds no number; give it one or more, with commas.");
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

NestedOptions nested_options_of(const CvOptions& options, bool classification) {
  NestedOptions nested;
  nested.grid = options.grid;
  nested.score = score_of(options.score, classification);
  nested.inner = parse_folds(options.folds.inner, "inner");
  nested.choice = options.choice;
  if (!options.top.empty()) nested.top = numbers_of(options.top, "top", 100);
  nested.normalize = options.normalize;
  nested.intercept = options.intercept;
  nested.balanced = options.balanced;
  nested.tube = options.tube;
  nested.alpha = options.alpha;
  nested.inner_gap = options.inner_gap;
  return nested;
}

template <class Real>
CvStudy<Real> load_samples_to_choose_on(const InputOptions& input, const CvOptions& options, const RunSettings& run,
                                        Events& events, bool outline) {
  CvStudy<Real> study;
  const FoldChoice outer = parse_folds(options.folds.outer, "outer");
  const std::vector<double> factors = numbers_of(options.resize, "resize", 1);
  InputOptions source = input;
  const std::optional<MaskRule> rule = input.learnt_mask();  // each training set learns its own
  std::vector<std::shared_ptr<const LearntMasks<Real>>> masks;
  std::shared_ptr<const Coverage> coverage;
  ContentHash gaps;
  StudyColumns columns;
  TableFacts about;
  std::vector<Index> order;
  LoadPlan plan{
      .purpose = Purpose::fit, .memory = memory_budget(run), .outline = outline, .masks_later = rule.has_value()};
  plan.read_target = [&](const Table& table) {
    Target target = read_target(table, {source.target, source.positive, source.classes});
    std::vector<Index> rows(table.rows());
    std::iota(rows.begin(), rows.end(), Index{0});
    const std::vector<Index> missing = rows_without(table, target.column);
    if (input.drop_missing) std::erase_if(rows, [&](Index r) { return std::ranges::binary_search(missing, r); });
    if (missing.empty() || input.drop_missing) columns = read_columns(table, options, outer, rows, target.column);
    about = describe_table(table, target, input, &options);
    return target;
  };
  plan.progress = [&](Index done, Index total) { events.count(done, total); };
  plan.whole = [&](const std::function<void()>& work) { do_whole(events, work); };
  CvFacts& facts = study.facts;
  SampleKeys& keys = facts.keys;
  events.stage("reading " + input.name());
  std::vector<std::string> odd, skipped;
  for (const double factor : factors) {
    source.resize = factor;
    Input<Real> loaded = load_input<Real>(source, plan);
    if (loaded.outline) study.outlines.push_back(*loaded.outline);
    plan.memory -= loaded.outline
                       ? loaded.data.design.samples() * loaded.outline->voxels * static_cast<Index>(sizeof(Real))
                       : static_cast<Index>(loaded.data.design.x().size_bytes());
    if (order.empty()) {
      const std::vector<std::string> names = names_of_samples(loaded.data, columns);
      order.resize(names.size());
      std::iota(order.begin(), order.end(), Index{0});
      std::ranges::sort(order, {}, [&](Index i) { return names[i]; });
      keys.ids = reordered(names, order);
      facts.target = loaded.data.target;
      facts.target.y = reordered(loaded.data.target.y, order);
      facts.target.actual = reordered(loaded.data.target.actual, order);
      facts.participants = reordered(loaded.data.ids, order);
      facts.paths = reordered(loaded.data.paths, order);
      facts.sites = reordered(about.sites, order);
      study.nested.weights = reordered(loaded.data.weights, order);
      study.notes = loaded.notes;
      if (!outline) odd = odd_samples(loaded.data, about.lines);
    }
    const auto in_order = [&](Design<Real>& design) {
      return std::ranges::is_sorted(order) ? std::move(design) : rows_of(design, order);
    };
    study.nested.resolutions.push_back({factor, in_order(loaded.data.design)});
    Resolution<Real>& resolution = study.nested.resolutions.back();
    if (!coverage && !outline)
      coverage = std::ranges::is_sorted(order) ? loaded.coverage
                                               : std::make_shared<const Coverage>(loaded.coverage->rows_of(order));
    if (loaded.rim) plan.memory -= static_cast<Index>(loaded.rim->x().size_bytes());
    if (rule && !outline) {
      std::optional<Design<Real>> rim;
      if (loaded.rim) rim = in_order(*loaded.rim);
      if (rim) gaps.add(rim->x().data(), rim->x().size_bytes());
      const auto& own = masks.emplace_back(
          std::make_shared<const LearntMasks<Real>>(resolution.design, std::move(rim), coverage, *rule));
      resolution.learn = [own](std::span<const Index> train, std::span<const Index> rows) {
        return own->volumes(train, rows);
      };
      // The map of all samples is of their mask: of those that anything is learnt from.
      std::vector<Index> counted;
      for (std::size_t m = 0; m < study.nested.weights.size(); ++m)
        if (study.nested.weights[m] > 0) counted.push_back(static_cast<Index>(m));
      if (loaded.space && resolution.design.shape() != loaded.space->grid.shape)
        loaded.space->mask = own->covered(counted).mask;
    }
    study.spaces.push_back(std::move(loaded.space));
    skipped = std::move(loaded.skipped);
  }
  note_skipped(skipped, about.data);
  about.data.warnings.insert(about.data.warnings.end(), odd.begin(), odd.end());
  std::vector<Shape> shapes;
  for (const Resolution<Real>& r : study.nested.resolutions) shapes.push_back(r.design.shape());
  for (std::size_t r = 0; r < study.outlines.size(); ++r) shapes[r] = study.outlines[r].shape;
  events.close();
  tell(about, events);
  study.data = about.data;
  study.data.warnings.insert(study.data.warnings.end(), about.notes.begin(), about.notes.end());
  study.data.facts = volume_facts(input, study.spaces.front(), static_cast<Index>(order.size()), shapes);
  study.data.space = space_facts(input, study.spaces.front());
  for (const std::string& note : study.notes)
    if (input.cache.empty() || !note.starts_with("volumes taken")) study.data.warnings.push_back(note);
  std::vector<std::string> ids = std::move(keys.ids);
  keys = keys_of(facts.target);
  keys.ids = std::move(ids);
  keys.groups = reordered(columns.groups, order);
  keys.group_column = columns.group_column;
  check(keys);
  if (options.balanced && !keys.classification)
    throw UsageError("`balanced` weighs classes: add `classes`, or `positive` and one of two.");
  facts.score = score_of(options.score, keys.classification);
  facts.resize = factors;
  study.nested.keys = keys;
  study.nested.confounds = rows_of(columns.confounds, order);
  study.nested.backend = &backend_of(run);
  study.nested.options = nested_options_of(options, keys.classification);
  study.nested.options.method = {options.solver, std::max<Index>(plan.memory, 1), run.seed, {}};
  if (rule && coverage)
    for (Index m = 0; m < coverage->samples(); ++m)
      gaps.add(coverage->lacks(m).data(), coverage->lacks(m).size() * sizeof(std::uint64_t));
  study.gaps = gaps.text();
  if (coverage) judge_volumes(study, *coverage, masks, rule, run.seed, events);
  study.coverage = std::move(coverage);
  study.finest_masks = masks.empty() ? nullptr : masks.back();
  study.given_folds = reordered(columns.folds, order);
  return study;
}

template <class Real>
CvStudy<Real> load_study(const InputOptions& input, const CvOptions& asked, const RunSettings& run, Events& events,
                         bool outline) {
  CvOptions options = asked;
  const std::vector<std::string> methods = methods_of(options.methods);
  FoldChoice outer = parse_folds(options.folds.outer, "outer");
  if (options.repeats < 1 || options.repeats > 1000) throw UsageError("`repeats` is a number from 1 to 1000.");
  if (options.repeats > 1 && outer.kind != FoldKind::count)
    throw UsageError(option_name("repeats") + " deals the outer folds anew, and " +
                     option_name("outer", options.folds.outer) + " leaves nothing to deal; give a number of folds.");
  CvStudy<Real> study = load_samples_to_choose_on<Real>(input, options, run, events, outline);
  const SampleKeys& keys = study.nested.keys;
  settle_outer(keys, options, outer, study.notes);
  const auto deal = [&](Index number) {
    return make_folds(keys, outer, run.seed, outer_stream(number), study.given_folds);
  };
  const std::vector<double> shares = parse_shares(options.learning_curve);
  std::vector<Folds> again;
  for (Index number = 1; number < options.repeats; ++number) again.push_back(deal(number));
  study.plan = make_plan(methods, deal(0), outer, options.permutations, std::move(again), shares);
  if (study.finest_masks)
    if (const std::string lacking =
            lacking_when_tested(*study.finest_masks, *study.coverage, study.plan.outer, names_of_volumes(study.facts));
        !lacking.empty()) {
      study.notes.push_back(lacking);
      study.data.warnings.push_back(lacking);
    }
  settle_inner(study.nested.options.inner, keys, study.nested.weights, study.plan, options, study.notes);
  check_learning(study.nested.options.inner, keys, study.nested.weights, study.plan, run.seed);
  study.facts.settings = settings_of(input, options, run, study);
  return study;
}

#define STURM_INSTANTIATE(Real)                                                                                        \
  template CvStudy<Real> load_samples_to_choose_on(const InputOptions&, const CvOptions&, const RunSettings&, Events&, \
                                                   bool);                                                              \
  template CvStudy<Real> load_study(const InputOptions&, const CvOptions&, const RunSettings&, Events&, bool);
STURM_INSTANTIATE(float)
STURM_INSTANTIATE(double)
#undef STURM_INSTANTIATE

}  // namespace sturm
