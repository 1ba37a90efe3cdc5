// SPDX-License-Identifier: BSD-3-Clause
// data.json: what results tell of the samples beside the numbers.
#pragma once

#include "sturm/results/describe.h"

namespace sturm {

/// How often a value stands in a column.
struct ValueCount {
  std::string column, value;
  Index count = 0;
};
template <>
inline constexpr const char* type_name<ValueCount> = "ValueCount";
template <class Field>
void describe(Field& field, ValueCount& c) {
  field("column", c.column);
  field("value", c.value);
  field("count", c.count);
}

/// A line of a list of facts.
struct Fact {
  std::string name, value;
};
template <>
inline constexpr const char* type_name<Fact> = "Fact";
template <class Field>
void describe(Field& field, Fact& f) {
  field("name", f.name);
  field("value", f.value);
}

struct Excluded {
  std::string sample, reason;
};
template <>
inline constexpr const char* type_name<Excluded> = "Excluded";
template <class Field>
void describe(Field& field, Excluded& e) {
  field("sample", e.sample);
  field("reason", e.reason);
}

/// The samples of a site: of each class, or of a regression the mean and the sum of squares about it.
struct SiteCount {
  std::string site;
  Index n = 0;
  std::optional<std::vector<Index>> class_samples;
  std::optional<Index> positive;
  std::optional<double> mean, squares;
};
template <>
inline constexpr const char* type_name<SiteCount> = "SiteCount";
template <class Field>
void describe(Field& field, SiteCount& s) {
  field("site", s.site);
  field("n", s.n);
  field("class_samples", s.class_samples);
  field("positive", s.positive);
  field("mean", s.mean);
  field("squares", s.squares);
}

/// How well the target is told from coverage alone, on samples left out.
struct CoverageScore {
  Measure measure = Measure::auc;
  Number value, chance, p;  ///< p by permutations, one-sided
  Index permutations = 0;
  std::vector<double> by_class;  ///< of several classes
  bool clear = false;
};
template <>
inline constexpr const char* type_name<CoverageScore> = "CoverageScore";
template <class Field>
void describe(Field& field, CoverageScore& c) {
  field("measure", c.measure);
  field("value", c.value, "on samples left out; of several classes that of the class that is told best");
  field("chance", c.chance);
  field("p", c.p, "one-sided, by permutations that keep groups");
  field("permutations", c.permutations);
  field("by_class", c.by_class, "of several classes, each against the rest");
  field("clear", c.clear, "it beats chance clearly");
}

/// Where volumes have values, and whether that alone gives the target away.
struct CoverageFacts {
  Index varying = 0, varying_in_mask = 0;
  std::optional<CoverageScore> volumes, in_mask;
  bool leak = false;
  std::string sentence;
};
template <>
inline constexpr const char* type_name<CoverageFacts> = "CoverageFacts";
template <class Field>
void describe(Field& field, CoverageFacts& c) {
  field("varying", c.varying, "voxels that are 0 or NaN in some volumes and not in others");
  field("varying_in_mask", c.varying_in_mask);
  field("volumes", c.volumes, "how well the target is told by where whole volumes have values");
  field("in_mask", c.in_mask, "and by where they have values inside the mask");
  field("leak", c.leak, "the target is told from coverage clearly better than by chance");
  field("sentence", c.sentence);
}

/// What the volumes say of the space that they are in.
struct SpaceFacts {
  std::string entity;
  Index form_code = 0;
  bool phantom = false;
};
template <>
inline constexpr const char* type_name<SpaceFacts> = "SpaceFacts";
template <class Field>
void describe(Field& field, SpaceFacts& s) {
  field("entity", s.entity, "of all file names, as in space-MNI152NLin6Asym; empty: they name none, or several");
  field("form_code", s.form_code, "of all headers, as NIfTI has them; 4 is MNI, and 0 stands for several");
  field("phantom", s.phantom, "made by sturm phantom: of nobody's brain");
}

struct DataFacts {
  std::string command;
  std::vector<ValueCount> table;
  std::vector<Excluded> excluded;
  std::vector<std::string> warnings;
  std::optional<std::vector<Index>> class_samples;
  std::optional<Index> positive;
  std::optional<std::string> site_column;
  std::optional<std::vector<SiteCount>> sites;
  std::vector<Fact> facts;
  std::optional<std::vector<Fact>> hashes;
  std::optional<CoverageFacts> coverage;
  std::optional<std::string> data_set;
  std::optional<SpaceFacts> space;
};
template <>
inline constexpr const char* type_name<DataFacts> = "DataFacts";
template <class Field>
void describe(Field& field, DataFacts& d) {
  field("command", d.command, "as one would type it");
  field("table", d.table, "values of its columns, in the samples that are used");
  field("excluded", d.excluded);
  field("warnings", d.warnings);
  field("class_samples", d.class_samples, "of more than two classes");
  field("positive", d.positive, "samples, of two classes");
  field("site_column", d.site_column);
  field("sites", d.sites);
  field("facts", d.facts, "what the volumes are");
  field("hashes", d.hashes, "of a fit");
  field("coverage", d.coverage);
  field("data_set", d.data_set, "what the folder of the samples is called");
  field("space", d.space, "of volumes");
}

}  // namespace sturm
