// SPDX-License-Identifier: BSD-3-Clause
// Described values as JSON, and back.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>

#include "sturm/results/describe.h"

namespace sturm {

template <class T>
nlohmann::ordered_json to_json(const T& value);

/// Writes the members of a struct into an object.
class JsonWriter {
 public:
  explicit JsonWriter(nlohmann::ordered_json& to) : to_(to) {}

  template <class T>
  void operator()(const std::string& key, const T& value, const char* = "") {
    if constexpr (is_optional<T>::value) {
      if (value) to_[key] = to_json(*value);
    } else {
      to_[key] = to_json(value);
    }
  }
  /// Names that are known only from the study, beside the keys.
  template <class T>
  void others(const Named<T>& values, const char* = "") {
    for (const auto& [name, value] : values) to_[name] = to_json(value);
  }
  /// Members for each score: `members(field, key, value)`.
  template <class T, class Members>
  void each_score(ByScore<T>& values, const Members& members) {
    for (auto& [measure, value] : values) members(*this, std::string(facts_of(measure).key), value);
  }

 private:
  nlohmann::ordered_json& to_;
};

template <class T>
nlohmann::ordered_json to_json(const T& value) {
  using nlohmann::ordered_json;
  if constexpr (Described<T>) {
    ordered_json out = ordered_json::object();
    JsonWriter writer(out);
    describe_const(writer, value);
    return out;
  } else if constexpr (std::is_same_v<T, Setting>) {
    return to_json(value.values);
  } else if constexpr (std::is_same_v<T, Number>) {
    return ordered_json(value.value);
  } else if constexpr (std::is_floating_point_v<T>) {
    return std::isfinite(value) ? ordered_json(value) : ordered_json();
  } else if constexpr (std::is_enum_v<T>) {
    return ordered_json(to_word(value));
  } else if constexpr (is_or_null<T>::value) {
    return value ? to_json(*value) : ordered_json();
  } else if constexpr (is_named<T>::value) {
    ordered_json out = ordered_json::object();
    for (const auto& [name, each] : value) out[name] = to_json(each);
    return out;
  } else if constexpr (is_by_score<T>::value) {
    ordered_json out = ordered_json::object();
    for (const auto& [measure, each] : value) out[facts_of(measure).key] = to_json(each);
    return out;
  } else if constexpr (is_list<T>::value) {
    ordered_json out = ordered_json::array();
    for (const auto& each : value) out.push_back(to_json(each));
    return out;
  } else {
    return ordered_json(value);
  }
}

/// Takes a value out of JSON. What is not there keeps its default, but for words: a file without them is none of ours.
/// Throws Error where something is of another kind; `where` is its place, such as methods.svm.auc.
template <class T>
void from_json(const nlohmann::ordered_json& from, T& value, const std::string& where);

/// Reads the members of a struct from an object.
class JsonReader {
 public:
  JsonReader(const nlohmann::ordered_json& from, std::string where) : from_(from), where_(std::move(where)) {
    if (!from.is_object()) throw Error(where_ + " is not an object");
  }

  template <class T>
  void operator()(const std::string& key, T& value, const char* = "") {
    known_.insert(key);
    const auto found = from_.find(key);
    if (found != from_.end()) {
      ++found_;
      from_json(*found, value, place(key));
    } else if constexpr (std::is_enum_v<T>) {
      throw Error(place(key) + " is not there");
    }
  }
  /// Every key that is not described: known when all are, in finish().
  void others(Named<Number>& values, const char* = "") { others_ = &values; }
  void finish() {
    if (others_ == nullptr) return;
    others_->clear();
    for (const auto& [key, each] : from_.items()) {
      if (known_.contains(key)) continue;
      others_->emplace_back(key, Number{});
      from_json(each, others_->back().second, place(key));
    }
  }
  template <class T, class Members>
  void each_score(ByScore<T>& values, const Members& members) {
    for (const MeasureFacts& facts : all_measures()) {
      const int before = found_;
      T value{};
      members(*this, std::string(facts.key), value);
      if (found_ > before) values[facts.measure] = value;
    }
  }

 private:
  std::string place(const std::string& key) const { return where_.empty() ? key : where_ + "." + key; }

  const nlohmann::ordered_json& from_;
  std::string where_;
  std::set<std::string> known_;
  Named<Number>* others_ = nullptr;
  int found_ = 0;
};

template <class T>
void from_json(const nlohmann::ordered_json& from, T& value, const std::string& where) {
  const auto need = [&](bool right, const char* kind) {
    if (!right) throw Error(where + " is not " + kind);
  };
  if constexpr (is_or_null<T>::value || is_optional<T>::value) {
    using Value = typename T::value_type;
    value.reset();
    // Where null is a value, it is one that is there.
    constexpr bool holds_null = is_optional<T>::value && (std::is_floating_point_v<Value> || is_or_null<Value>::value);
    if (from.is_null() && !holds_null) return;
    value.emplace();
    from_json(from, *value, where);
  } else if constexpr (std::is_same_v<T, Number>) {
    from_json(from, value.value, where);
  } else if constexpr (std::is_same_v<T, Setting>) {
    from_json(from, value.values, where);
  } else if constexpr (std::is_floating_point_v<T>) {
    need(from.is_number() || from.is_null(), "a number");
    value = from.is_null() ? std::numeric_limits<T>::quiet_NaN() : from.get<T>();
  } else if constexpr (std::is_same_v<T, bool>) {
    need(from.is_boolean(), "true or false");
    value = from.get<bool>();
  } else if constexpr (std::is_integral_v<T>) {
    need(from.is_number_integer(), "a whole number");
    value = from.get<T>();
  } else if constexpr (std::is_enum_v<T>) {
    need(from.is_string(), "a word");
    const std::vector<std::string> words = names_of<T>();
    const auto found = std::ranges::find(words, from.get<std::string>());
    need(found != words.end(), "a word that is known there");
    value = static_cast<T>(found - words.begin());
  } else if constexpr (std::is_same_v<T, std::string>) {
    need(from.is_string(), "a text");
    value = from.get<std::string>();
  } else if constexpr (Described<T>) {
    JsonReader reader(from, where);
    describe(reader, value);
    reader.finish();
  } else if constexpr (is_named<T>::value) {
    need(from.is_object(), "an object");
    value.clear();
    for (const auto& [name, each] : from.items()) {
      value.emplace_back(name, typename T::value_type::second_type{});
      from_json(each, value.back().second, where.empty() ? name : where + "." + name);
    }
  } else {
    static_assert(is_list<T>::value);
    need(from.is_array(), "a list");
    if constexpr (requires { value.resize(1); })
      value.resize(from.size());
    else
      need(from.size() == value.size(), "a list of that length");
    for (std::size_t i = 0; i < value.size(); ++i) from_json(from[i], value[i], where + "[" + std::to_string(i) + "]");
  }
}

/// Looks for the keys of a struct that are not optional.
struct KeyFinder {
  const nlohmann::ordered_json& in;
  bool whole = true;

  template <class Member>
  void operator()(const std::string& key, Member&, const char* = "") {
    if constexpr (!is_optional<Member>::value) whole = whole && in.contains(key);
  }
};

/// Whether an object has every key of a struct that is not optional.
template <class T>
bool has_every_key(const nlohmann::ordered_json& from) {
  if (!from.is_object()) return false;
  KeyFinder keys{from};
  T value;
  describe(keys, value);
  return keys.whole;
}

/// As a person reads it. Bytes that are not UTF-8 are replaced, not refused.
inline std::string json_text(const nlohmann::ordered_json& value) {
  return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace sturm
