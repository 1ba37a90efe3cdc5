// SPDX-License-Identifier: BSD-3-Clause
// A folder of results that is either wholly there or not there at all.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace sturm {

/// Throws, before any work is done, where no folder of this name can be made or written to: the name is too long, the
/// path leads through a file, round in a circle, or where one may not look or write. `option` is how the user gave it.
/// Returns the whole path.
std::filesystem::path place_for_folder(const std::filesystem::path& folder, const std::string& option);

/// Whether a path lies in a folder or is that folder, links followed as far as there are files.
bool lies_in(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Throws where one of these paths, by their options, lies in the folder of results: that is replaced as a whole. Empty
/// paths are not given.
void refuse_inside(const std::filesystem::path& output,
                   const std::vector<std::pair<std::string, std::filesystem::path>>& paths);

/// Files are written into a hidden folder beside the target and appear under its name all at once, in publish(). A
/// run that fails or is interrupted removes the hidden folder; one that is killed leaves it to the next run, which
/// removes those whose process is gone.
class OutputFolder {
 public:
  /// Checks the target before any work is done and writes nothing: it may be absent or empty, or, with `replace`,
  /// hold nothing but the files named `ours`.
  OutputFolder(const std::filesystem::path& target, bool replace, std::vector<std::string> ours);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& target() const { return target_; }
  /// The hidden folder, made at the first call: write here.
  const std::filesystem::path& draft();
  /// Syncs the hidden folder and gives it the target's name.
  void publish();

 private:
  void check_target() const;
  void remove_stale() const;

  std::filesystem::path target_, draft_;
  std::filesystem::path made_;  ///< the topmost folder above the target that draft() had to make; empty: none
  bool replace_;
  bool drafted_ = false;
  std::vector<std::string> ours_;
};

}  // namespace sturm
