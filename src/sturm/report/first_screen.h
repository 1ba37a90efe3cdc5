// SPDX-License-Identifier: BSD-3-Clause
// What the first screen of a report says: whether it worked, whether it can be believed, and where the weights are.
#pragma once

#include "sturm/results/describe.h"

namespace sturm {

/// Whether the best method is better than guessing.
enum class Worked { yes, unclear, no };
template <>
inline std::vector<std::string> names_of<Worked>() {
  return {"yes", "unclear", "no"};
}

struct StudyAnswers {
  Worked worked = Worked::unclear;
  std::string sentence, interval_of;
};
template <>
inline constexpr const char* type_name<StudyAnswers> = "Answers";
template <class Field>
void describe(Field& field, StudyAnswers& a) {
  field("worked", a.worked, "Whether anything is better than guessing.");
  field("sentence", a.sentence, "The same in a sentence, with what guessing reaches.");
  field("interval_of", a.interval_of, "Whom the interval is over: people, or samples; empty where there is none.");
}

enum class Tick { yes, no, unknown };
template <>
inline std::vector<std::string> names_of<Tick>() {
  return {"yes", "no", "not known"};
}

/// One thing that a reader would ask before believing a study.
struct TrustCheck {
  std::string name;
  Tick answer = Tick::unknown;
  std::string sentence, section;
  OrNull<Index> warning;
};
template <>
inline constexpr const char* type_name<TrustCheck> = "TrustCheck";
template <class Field>
void describe(Field& field, TrustCheck& c) {
  field("name", c.name);
  field("answer", c.answer);
  field("sentence", c.sentence);
  field("section", c.section, "Id of the section that has more of it.");
  field("warning", c.warning, "Its place in Study.warnings; null where there is none.");
}

enum class PictureKind { glass, bar, slice };
template <>
inline std::vector<std::string> names_of<PictureKind>() {
  return {"glass", "bar", "slice"};
}

struct StudyPicture {
  std::string id;
  PictureKind kind = PictureKind::glass;
  std::string words;
  Index width = 0, height = 0;
};
template <>
inline constexpr const char* type_name<StudyPicture> = "Picture";
template <class Field>
void describe(Field& field, StudyPicture& p) {
  field("id", p.id, "Of its script element: picture-ID, an SVG file in base64.");
  field("kind", p.kind);
  field("words", p.words, "For those who cannot see it.");
  field("width", p.width, "In pixels of the page.");
  field("height", p.height);
}

/// The map on the first screen.
struct StudyWhere {
  OrNull<std::string> volume, method;
  std::string words;
  Index voxels = 0;
  double least = not_known, limit = not_known;
  std::vector<StudyPicture> pictures;
};
template <>
inline constexpr const char* type_name<StudyWhere> = "Where";
template <class Field>
void describe(Field& field, StudyWhere& w) {
  field("volume", w.volume, "Its id among the volumes; null where there is no map to show.");
  field("method", w.method);
  field("words", w.words, "Which map it is, and which of its voxels are shown.");
  field("voxels", w.voxels, "That are shown.");
  field("least", w.least, "The least |w| that is shown.");
  field("limit", w.limit, "The |w| that has the last colour.");
  field("pictures", w.pictures);
}

}  // namespace sturm
