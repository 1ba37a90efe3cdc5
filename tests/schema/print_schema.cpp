// SPDX-License-Identifier: BSD-3-Clause
// Prints types of the page from the descriptions that the program writes and reads with: web/src/schema.ts, the study
// in a report with what there is to know about each score; or, asked for `results`, web/src/results.ts, which is
// results.json and fit.json; or, asked for `palette`, web/src/palette.ts, the colours of every picture.
#include <fmt/core.h>

#include <set>
#include <utility>

#include "sturm/report/palette.h"
#include "sturm/report/study.h"

namespace sturm {
namespace {

class Printer {
 public:
  template <class T>
  void print() {
    const std::string name = type_name<T>;
    if (!done_.insert(name).second) return;
    Body body{*this, {}, false};
    T value;
    describe(body, value);
    text_ += fmt::format("\nexport interface {} {{\n{}}}\n", name, body.text);
  }
  /// What was printed so far; what follows imports it.
  std::string take() {
    earlier_ = done_;
    return std::exchange(text_, {});
  }
  const std::set<std::string>& imported() const { return imported_; }

 private:
  template <class T>
  std::string type() {
    if constexpr (Described<T>) {
      if (earlier_.contains(type_name<T>)) imported_.insert(type_name<T>);
      print<T>();
      return type_name<T>;
    } else if constexpr (std::is_same_v<T, Number>) {
      return "number";
    } else if constexpr (std::is_same_v<T, Setting>) {
      return "{ [name: string]: number }";
    } else if constexpr (std::is_same_v<T, bool>) {
      return "boolean";
    } else if constexpr (std::is_same_v<T, std::string>) {
      return "string";
    } else if constexpr (std::is_same_v<T, Measure>) {
      return "ScoreKey";
    } else if constexpr (std::is_enum_v<T>) {
      std::string out;
      for (const std::string& word : names_of<T>()) out += (out.empty() ? "\"" : " | \"") + word + "\"";
      return out;
    } else if constexpr (std::is_floating_point_v<T>) {
      return "number | null";
    } else if constexpr (std::is_integral_v<T>) {
      return "number";
    } else if constexpr (is_optional<T>::value) {
      return type<typename T::value_type>();
    } else if constexpr (is_or_null<T>::value) {
      const std::string of = type<typename T::value_type>();
      return of.ends_with("| null") ? of : of + " | null";
    } else if constexpr (is_by_score<T>::value) {
      return "{ [key in ScoreKey]?: " + type<typename T::mapped_type>() + " }";
    } else if constexpr (is_named<T>::value) {
      return "{ [name: string]: " + type<typename T::value_type::second_type>() + " }";
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
      // So many numbers have no gap: a place, an interval.
      using Each = typename T::value_type;
      const std::string of = std::is_floating_point_v<Each> ? "number" : type<Each>();
      std::string out;
      for (std::size_t i = 0; i < std::tuple_size<T>::value; ++i) out += (i > 0 ? ", " : "") + of;
      return "[" + out + "]";
    } else {
      const std::string of = type<typename T::value_type>();
      return of.find(' ') == std::string::npos ? of + "[]" : "(" + of + ")[]";
    }
  }

  struct Body {
    Printer& printer;
    std::string text;
    bool optional;

    template <class T>
    void operator()(const std::string& key, T&, const std::string& help = "") {
      if (!help.empty()) text += fmt::format("  /** {} */\n", help);
      const bool plain = key.find_first_of(" -") == std::string::npos;
      text += fmt::format("  {}{}: {};\n", plain ? key : '"' + key + '"', optional || is_optional<T>::value ? "?" : "",
                          printer.type<T>());
    }
    template <class T>
    void others(Named<T>&, const std::string& help = "") {
      text += fmt::format("  /** And {}. */\n  [name: string]: unknown;\n", help);
    }
    template <class T, class Members>
    void each_score(ByScore<T>&, const Members& members) {
      optional = true;
      for (const MeasureFacts& facts : all_measures()) {
        T value{};
        members(*this, std::string(facts.key), value);
      }
      optional = false;
    }
  };

  std::string text_;
  std::set<std::string> done_, earlier_, imported_;
};

std::string scores() {
  std::string out =
      "\nexport interface ScoreFacts {\n  title: string;\n  /** A share of samples, shown in percent. */\n"
      "  percent: boolean;\n  higherIsBetter: boolean;\n}\n\nexport const scores = {\n";
  for (const MeasureFacts& facts : all_measures())
    out += fmt::format("  {}: {{ title: \"{}\", percent: {}, higherIsBetter: {} }},\n", facts.key, title_of(facts),
                       facts.percent, facts.higher_is_better);
  return out + "} as const satisfies { [key: string]: ScoreFacts };\n\nexport type ScoreKey = keyof typeof scores;\n";
}

std::string palettes() {
  std::string out = "\nexport type Rgb = [number, number, number];\n";
  const auto add = [&](const char* name, const char* help, std::span<const Colour> colours) {
    out += fmt::format("\n/** {} */\nexport const {}: Rgb[] = [\n", help, name);
    for (const Colour& c : colours) out += fmt::format("  [{}, {}, {}],\n", c[0], c[1], c[2]);
    out += "];\n";
  };
  add("positive", "Weights above zero, from weak to strong.", palette::positive);
  add("negative", "Weights below zero, from weak to strong.", palette::negative);
  add("cividis", "Shares and scores, from 0 to 1.", palette::cividis);
  add("methods", "Methods on a light page, in their order.", palette::methods);
  return out;
}

}  // namespace
}  // namespace sturm

int main(int count, char** words) {
  sturm::Printer printer;
  printer.print<sturm::Study>();
  const std::string study = printer.take();
  fmt::print(
      "// SPDX-License-Identifier: BSD-3-Clause\n"
      "// Printed by tests/schema/print_schema.cpp from what the program writes; scripts/schema.sh prints it again.\n");
  const std::string asked = count < 2 ? "schema" : words[1];
  if (asked == "palette") {
    fmt::print("{}", sturm::palettes());
    return 0;
  }
  if (asked != "results") {
    fmt::print("{}{}", sturm::scores(), study);
    return 0;
  }
  printer.print<sturm::CvResults>();
  printer.print<sturm::FitResults>();
  const std::string results = printer.take();
  std::string names;
  for (const std::string& name : printer.imported()) names += (names.empty() ? "" : ", ") + name;
  fmt::print("import type {{ {} }} from \"./schema\";\n{}", names, results);
}
