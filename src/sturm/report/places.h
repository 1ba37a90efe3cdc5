// SPDX-License-Identifier: BSD-3-Clause
// Where files lie is nobody's business but the user's: a report is sent around. Paths from the root or from a home are
// told by what comes after the folders they have in common, or by their last part.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace sturm {

/// The name of the folder that a table lies in, or of a data set whose derivatives it has; empty where that would be
/// somebody's home. `home` may be empty.
std::string data_set_name(const std::filesystem::path& input, bool is_folder, const std::filesystem::path& home);

class Places {
 public:
  /// What lies in it is told by its path from there. Folders that lie at the root, such as /home, do not count.
  void add_folder(const std::filesystem::path& folder);

  /// A whole text that is a path from the root: longer texts may hold it, spaces and all.
  void add_path(const std::string& path);

  /// The text without the places of files. Words of a shell may stand in it.
  std::string without(std::string text) const;

  /// The same for every text of a JSON value. Its texts that are paths are added first, and those between the words of
  /// a shell; the folder that all of `files` have in common, too.
  void leave_out_of(nlohmann::ordered_json& value, const std::vector<std::string>& files);

 private:
  std::string shortened(const std::string& path) const;

  std::vector<std::string> folders_;  ///< with a slash at the end; the first that fits counts
  std::vector<std::string> above_;    ///< those that these lie in, whose names may have spaces; longest first
  std::map<std::size_t, std::vector<std::string>, std::greater<>> paths_;  ///< by length
};

}  // namespace sturm
