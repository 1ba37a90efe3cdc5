// SPDX-License-Identifier: BSD-3-Clause
// Values that go to files and to the page of a report. Beside each struct stands one function
//     template <class Field> void describe(Field& field, Result& r) { field("key", r.member, "what it means"); ... }
// which is the only place that names its keys: JSON is written and read through it (json.h), so are the rows of tables
// (rows.h), and the types of the page are printed from it (tests/schema). See docs/decisions/018-results-schema.md.
// What a member is says how it is written:
//     double            a number, null where it is NaN          Number       a number that is never NaN
//     std::optional<T>  left out where there is none            OrNull<T>    null where there is none
//     an enum           the word of names_of()                  Named<T>     an object with a key for each name
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "sturm/core/options.h"
#include "sturm/eval/scores.h"

namespace sturm {

/// What a described struct is called in the types of the page; null for everything else. Specialised beside it.
template <class T>
inline constexpr const char* type_name = nullptr;
template <class T>
concept Described = (type_name<std::remove_cv_t<T>> != nullptr);

inline constexpr double not_known = std::numeric_limits<double>::quiet_NaN();

/// A number that is always there, so that nobody who reads it needs to ask.
struct Number {
  double value = 0;
  Number(double v = 0) : value(v) {}  // NOLINT(google-explicit-constructor): it is a number
  Number& operator+=(double v) { return value += v, *this; }
  Number& operator/=(double v) { return value /= v, *this; }
  operator double() const { return value; }  // NOLINT(google-explicit-constructor)
};

/// Null where there is none.
template <class T>
struct OrNull : std::optional<T> {
  using std::optional<T>::optional;
  bool operator==(const OrNull&) const = default;
};

/// By name, in an order that is kept.
template <class T>
using Named = std::vector<std::pair<std::string, T>>;

/// The values of a method's parameters: an object in JSON, "tau=0.1 gamma=2" in a cell.
struct Setting {
  Named<Number> values;
};

/// A value for each score that a study has, in the order of all_measures().
template <class T>
using ByScore = std::map<Measure, T>;

/// Describes a value that is only read: the visitor takes its members as they are.
template <class Field, class T>
void describe_const(Field& field, const T& value) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): visitors that write do not change it
  describe(field, const_cast<T&>(value));
}

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};
template <class T>
struct is_or_null : std::false_type {};
template <class T>
struct is_or_null<OrNull<T>> : std::true_type {};
template <class T>
struct is_list : std::false_type {};
template <class T>
struct is_list<std::vector<T>> : std::true_type {};
template <class T, std::size_t n>
struct is_list<std::array<T, n>> : std::true_type {};
template <class T>
struct is_named : std::false_type {};
template <class T>
struct is_named<Named<T>> : std::true_type {};
template <class T>
struct is_by_score : std::false_type {};
template <class T>
struct is_by_score<ByScore<T>> : std::true_type {};

}  // namespace sturm
