// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/imaging/bids.h"

#include <algorithm>

#include "sturm/core/error.h"
#include "sturm/core/table.h"
#include "sturm/core/text.h"

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

std::vector<fs::path> find_by_entities(const fs::path& folder, const std::string& participant,
                                       const std::string& entities) {
  const std::string subject = participant.starts_with("sub-") ? participant : "sub-" + participant;
  if (subject.find('/') != std::string::npos)
    throw Error("participant_id " + in_quotes(participant) + " is not the name of a folder.");
  const fs::path root = folder / subject;
  std::vector<fs::path> found;
  if (!fs::is_directory(root)) return found;
  std::vector<std::string> wanted = split(entities, '_');
  wanted.push_back(subject);
  for (const auto& entry : fs::recursive_directory_iterator(root, fs::directory_options::skip_permission_denied))
    if (entry.is_regular_file() && has_all(split(stem_of(entry.path()), '_'), wanted)) found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::vector<std::pair<std::string, std::string>> entities_of(const fs::path& file) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const std::string& part : split(stem_of(file), '_'))
    if (const auto dash = part.find('-'); dash != std::string::npos && dash > 0)
      out.emplace_back(part.substr(0, dash), part.substr(dash + 1));
  return out;
}

}  // namespace sturm
