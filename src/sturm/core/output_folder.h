// SPDX-License-Identifier: BSD-3-Clause
// A folder of results that is either wholly there or not there at all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace sturm {

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
  bool replace_;
  bool drafted_ = false;
  std::vector<std::string> ours_;
};

}  // namespace sturm
