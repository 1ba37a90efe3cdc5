// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/study/outcome_record.h"

#include <algorithm>
#include <bit>
#include <nlohmann/json.hpp>
#include <utility>

namespace sturm {
namespace {

using nlohmann::json;

static_assert(std::endian::native == std::endian::little, "numbers lie in the record as they do in memory");

template <class Value>
json packed(const std::vector<Value>& values) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(values.data());
  return json::binary({bytes, bytes + values.size() * sizeof(Value)});
}

template <class Value>
std::vector<Value> unpacked(const json& from) {
  const auto& bytes = from.get_binary();
  if (bytes.size() % sizeof(Value) != 0) throw Error("holds numbers that are cut short");
  std::vector<Value> out(bytes.size() / sizeof(Value));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::uint8_t*>(out.data()));
  return out;
}

/// A whole number that its type can hold; the library would cut others to fit.
template <class Whole>
Whole whole(const json& from) {
  if (from.is_number_unsigned() && std::in_range<Whole>(from.get<std::uint64_t>())) return from.get<Whole>();
  if (from.is_number_integer() && !from.is_number_unsigned() && std::in_range<Whole>(from.get<std::int64_t>()))
    return from.get<Whole>();
  throw Error("holds " + std::string(from.type_name()) + " where a whole number belongs, or one that is too large");
}

/// Whether values nest no deeper than records do (7 levels): the parser would follow them down the stack. Each value of
/// CBOR begins with its kind in three bits and an argument: a number, a length in bytes, or how many values follow.
bool is_shallow(std::string_view cbor) {
  constexpr std::size_t deepest = 16;
  std::vector<std::uint64_t> open;  ///< how many values are to come, of each list that is not at its end
  while (!cbor.empty()) {
    const auto head = static_cast<unsigned char>(cbor.front());
    const unsigned kind = head >> 5U, size = head & 31U;
    const std::size_t bytes = size < 24 ? 0 : size < 28 ? std::size_t{1} << (size - 24) : 0;
    if (size > 27 || cbor.size() < 1 + bytes) return false;  // of no length yet, or cut short: we write neither
    std::uint64_t argument = size < 24 ? size : 0;
    for (std::size_t b = 0; b < bytes; ++b) argument = argument << 8U | static_cast<unsigned char>(cbor[1 + b]);
    cbor.remove_prefix(1 + bytes);
    if (kind == 2 || kind == 3) {
      if (argument > cbor.size()) return false;
      cbor.remove_prefix(argument);
    }
    if (!open.empty()) --open.back();
    if (kind == 4 || kind == 5) open.push_back(kind == 5 ? 2 * argument : argument);
    if (open.size() > deepest) return false;
    while (!open.empty() && open.back() == 0) open.pop_back();
  }
  return open.empty();
}

json to_json(const GridPoint& p) {
  return {{"resize", packed(std::vector{p.resize})},
          {"setting", packed(p.setting)},
          {"scores", packed(p.scores)},
          {"sparsity", packed(std::vector{p.sparsity, p.sparsity_in_mask})},
          {"gaps", packed(p.gaps)},
          {"unconverged", p.unconverged}};
}

GridPoint point_from(const json& j) {
  return {unpacked<double>(j.at("resize")).at(0),  unpacked<double>(j.at("setting")),
          unpacked<double>(j.at("scores")),        unpacked<double>(j.at("sparsity")).at(0),
          unpacked<double>(j.at("gaps")),          whole<Index>(j.at("unconverged")),
          unpacked<double>(j.at("sparsity")).at(1)};
}

json to_json(const SafeTensors& content) {
  json arrays = json::object();
  for (const auto& [name, array] : content.arrays)
    arrays[name] = {{"type", array.type},
                    {"shape", array.shape},
                    {"bytes", packed(std::vector<std::uint8_t>(array.bytes.begin(), array.bytes.end()))}};
  return {{"arrays", arrays}, {"words", content.metadata}};
}

SafeTensors content_from(const json& j) {
  SafeTensors out;
  for (const auto& [name, array] : j.at("arrays").items()) {
    const auto& bytes = array.at("bytes").get_binary();
    StoredArray& stored = out.arrays[name];
    stored = {array.at("type").get<std::string>(), {}, std::string(bytes.begin(), bytes.end())};
    Index size = stored.type == "F64" ? 8 : stored.type == "F32" ? 4 : stored.type == "U8" ? 1 : 0;
    for (const json& extent : array.at("shape")) {
      stored.shape.push_back(whole<Index>(extent));
      size = checked_product(size, stored.shape.back());
    }
    if (size != std::ssize(stored.bytes)) throw Error("holds an array whose numbers do not fit its shape");
  }
  out.metadata = j.at("words").get<std::map<std::string, std::string>>();
  return out;
}

Index bytes_of(const SafeTensors& content) {
  std::size_t out = 0;
  for (const auto& [name, array] : content.arrays) out += array.bytes.size();
  return static_cast<Index>(out);
}

json to_json(const FoldOutcome& o) {
  json grid = json::array(), trace = json::array(), readable = json::array();
  for (const FoldOutcome& sparser : o.readable) readable.push_back(to_json(sparser));
  for (const GridPoint& point : o.grid) grid.push_back(to_json(point));
  for (const TraceRow& row : o.trace)
    trace.push_back(
        {{"iteration", row.iteration}, {"numbers", packed(std::vector{row.objective, row.gap, row.change})}});
  return {{"method", o.method},
          {"grid", grid},
          {"setting", packed(o.setting)},
          {"decision", packed(o.decision)},
          {"numbers", packed(std::vector{o.resize, o.inner_score, o.objective, o.relative_gap, o.sparsity,
                                         o.sparsity_in_mask, o.intercept, o.best_score, o.standard_error})},
          {"iterations", o.iterations},
          {"status", to_word(o.status)},
          {"tubal_rank", o.tubal_rank},
          {"trained", o.trained},
          {"shape", {o.shape.n1, o.shape.n2, o.shape.n3}},
          {"positive", packed(o.positive)},
          {"negative", packed(o.negative)},
          {"coef", packed(o.coef)},
          {"trace", trace},
          {"fitted", packed(o.fitted)},
          {"pattern", packed(o.pattern)},
          {"readable", readable},
          {"model", to_json(o.model)}};
}

FoldOutcome outcome_from(const json& j) {
  FoldOutcome o;
  o.method = j.at("method").get<std::string>();
  for (const json& point : j.at("grid")) o.grid.push_back(point_from(point));
  o.setting = unpacked<double>(j.at("setting"));
  o.decision = unpacked<double>(j.at("decision"));
  const auto numbers = unpacked<double>(j.at("numbers"));
  o.resize = numbers.at(0);
  o.inner_score = numbers.at(1);
  o.objective = numbers.at(2);
  o.relative_gap = numbers.at(3);
  o.sparsity = numbers.at(4);
  o.sparsity_in_mask = numbers.at(5);
  o.intercept = numbers.at(6);
  o.best_score = numbers.at(7);
  o.standard_error = numbers.at(8);
  o.iterations = whole<int>(j.at("iterations"));
  o.status = from_word<Status>(j.at("status").get<std::string>(), "status");
  o.tubal_rank = whole<Index>(j.at("tubal_rank"));
  o.trained = whole<Index>(j.at("trained"));
  const json& extents = j.at("shape");
  o.shape = Shape{whole<Index>(extents.at(0)), whole<Index>(extents.at(1)), whole<Index>(extents.at(2))}.check();
  o.positive = unpacked<std::uint8_t>(j.at("positive"));
  o.negative = unpacked<std::uint8_t>(j.at("negative"));
  o.coef = unpacked<float>(j.at("coef"));
  o.pattern = unpacked<float>(j.at("pattern"));
  const auto voxels = static_cast<std::size_t>(o.shape.size());
  if (o.positive.size() % static_cast<std::size_t>(o.sign_bytes()) != 0 || o.negative.size() != o.positive.size() ||
      o.coef.size() % voxels != 0 || (!o.pattern.empty() && o.pattern.size() != o.coef.size()))
    throw Error("holds a map of other voxels than " + to_string(o.shape));
  for (const json& row : j.at("trace")) {
    const auto values = unpacked<double>(row.at("numbers"));
    o.trace.push_back({whole<int>(row.at("iteration")), values.at(0), values.at(1), values.at(2)});
  }
  o.fitted = unpacked<double>(j.at("fitted"));
  o.model = content_from(j.at("model"));
  for (const json& sparser : j.at("readable")) o.readable.push_back(outcome_from(sparser));
  return o;
}

/// What a fit with a setting is worth.
FoldOutcome told(const std::string& method, const GridPoint& point, const FitReport& r) {
  FoldOutcome out;
  out.method = method;
  out.resize = point.resize;
  out.setting = point.setting;
  out.objective = r.objective;
  out.relative_gap = r.relative_gap;
  out.sparsity = r.sparsity;
  out.sparsity_in_mask = r.sparsity_in_mask;
  out.intercept = r.intercept;
  out.iterations = r.iterations;
  out.status = r.status;
  out.tubal_rank = r.tubal_rank;
  return out;
}

}  // namespace

int FoldOutcome::sign(Index voxel, Index of_class) const {
  const Index byte = of_class * sign_bytes() + voxel / 8;
  const auto bit = [&](const std::vector<std::uint8_t>& bits) { return bits[byte] >> (voxel % 8) & 1; };
  return bit(positive) - bit(negative);
}

bool FoldOutcome::selects(Index voxel) const {
  for (Index c = 0; c < classes_of_signs(); ++c)
    if (sign(voxel, c) != 0) return true;
  return false;
}

FoldOutcome kept(const std::string& method, NestedOutcome outcome, bool with_grid, bool with_coefficients) {
  FoldOutcome out = told(method, outcome.chosen(), outcome.report);
  out.inner_score = outcome.choice.mean;
  out.best_score = outcome.choice.best;
  out.standard_error = outcome.choice.standard_error;
  out.decision = std::move(outcome.decision);
  out.trained = outcome.trained;
  out.shape = outcome.shape;
  if (outcome.readable && with_coefficients) {
    ReadableOutcome& found = *outcome.readable;
    const GridPoint& point = outcome.grid[found.sparsest.position];
    const bool same = found.sparsest.position == outcome.choice.chosen;
    FoldOutcome& readable = out.readable.emplace_back(told(method, point, same ? outcome.report : found.report));
    readable.inner_score = found.sparsest.mean;
    readable.best_score = found.sparsest.best;
    readable.standard_error = found.sparsest.standard_error;
    readable.coef = std::move(found.coef);
    readable.shape = found.shape;
  }
  if (with_grid) out.grid = std::move(outcome.grid);
  if (with_grid && !outcome.coef.empty()) {
    const Index voxels = outcome.shape.size(), bytes = out.sign_bytes();
    out.positive.assign(bytes * (std::ssize(outcome.coef) / voxels), 0);
    out.negative = out.positive;
    for (Index at = 0; at < std::ssize(outcome.coef); ++at) {
      const Index voxel = at % voxels, byte = at / voxels * bytes + voxel / 8;
      if (outcome.coef[at] > 0) out.positive[byte] |= static_cast<std::uint8_t>(1U << voxel % 8);
      if (outcome.coef[at] < 0) out.negative[byte] |= static_cast<std::uint8_t>(1U << voxel % 8);
    }
  }
  if (with_coefficients) {
    out.coef = std::move(outcome.coef);
    out.pattern = std::move(outcome.pattern);
    out.trace = outcome.report.trace;
    out.fitted = std::move(outcome.fitted);
    if (outcome.model) out.model = content_of(*outcome.model, true);
    if (bytes_of(out.model) > most_bytes_of_model) out.model = {};
  }
  return out;
}

std::string encode(std::span<const FoldOutcome> outcomes) {
  json all = json::array();
  for (const FoldOutcome& outcome : outcomes) all.push_back(to_json(outcome));
  std::string bytes;
  json::to_cbor(all, bytes);
  return bytes;
}

std::vector<FoldOutcome> decode(std::string_view bytes, const std::string& task) {
  try {
    std::vector<FoldOutcome> out;
    if (!is_shallow(bytes)) throw Error("its values are cut short, or not nested as ours are");
    for (const json& outcome : json::from_cbor(bytes)) out.push_back(outcome_from(outcome));
    return out;
  } catch (const std::exception& error) {
    throw Error("the journal's record of " + task + " cannot be read (" + error.what() + "); begin anew with `force`.");
  }
}

}  // namespace sturm
