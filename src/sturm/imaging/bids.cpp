// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/bids.h"

#include <algorithm>
#include <vector>

#include "sturm/core/error.h"
#include "sturm/core/table.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

/// The name without .nii or .nii.gz; empty for what is no volume.
std::string stem_of(const fs::path& file) {
  std::string name = file.filename().string();
  for (const std::string ending : {".nii.gz", ".nii"})
    if (name.ends_with(ending)) return name.substr(0, name.size() - ending.size());
  return {};
}

bool has_all(const std::vector<std::string>& parts, const std::vector<std::string>& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& w) { return std::ranges::find(parts, w) != parts.end(); });
}

}  // namespace

fs::path find_participants(const fs::path& folder) {
  std::error_code failure;
  fs::path above = fs::canonical(folder, failure);
  if (failure) throw Error({folder.string()}, "does not exist; `bids` names a folder with one folder per participant.");
  for (int level = 0; level < 3; ++level, above = above.parent_path())
    if (fs::exists(above / "participants.tsv")) return above / "participants.tsv";
  throw Error({folder.string()}, "has no participants.tsv in it nor above it; name one with `participants`.");
}

fs::path find_by_entities(const fs::path& folder, const std::string& participant, const std::string& entities) {
  const std::string subject = participant.starts_with("sub-") ? participant : "sub-" + participant;
  if (subject.find('/') != std::string::npos)
    throw Error("participant_id '" + participant + "' is not the name of a folder.");
  const fs::path root = folder / subject;
  if (!fs::is_directory(root)) throw Error({root.string()}, "does not exist, and " + participant + " needs it.");
  std::vector<std::string> wanted = split(entities, '_');
  wanted.push_back(subject);
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied))
    if (entry.is_regular_file() && has_all(split(stem_of(entry.path()), '_'), wanted)) found.push_back(entry.path());
  std::ranges::sort(found);
  if (found.size() == 1) return found[0];
  const std::string asked = entities.empty() ? "" : " with " + entities;
  if (found.empty()) throw Error({root.string()}, "holds no .nii or .nii.gz" + asked + " (`entities`).");
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const fs::path& f : found) names.push_back(f.filename().string());
  throw Error({root.string()}, "holds several volumes" + asked + ": " + join(names, 5) +
                                   "; say more in `entities`, or list them in a table for `samples`.");
}

}  // namespace sturm
