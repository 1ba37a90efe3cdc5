// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/core/output_folder.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill() is POSIX's
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "sturm/core/error.h"
#include "sturm/core/files.h"
#include "sturm/core/host.h"
#include "sturm/core/sentence.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;

std::string draft_prefix(const fs::path& target) {
  return "." + target.filename().string() + ".part-" + host_name() + "-";
}

/// Whether something is there; not being allowed to look, or a path that leads nowhere, is an error.
bool is_there(const fs::path& path, const std::string& option) {
  std::error_code failure;
  const fs::file_status status = fs::status(path, failure);
  if (fs::exists(status)) return true;
  if (status.type() == fs::file_type::not_found) {
    if (fs::is_symlink(fs::symlink_status(path, failure)))
      throw Error({path.string()}, "is a link to what does not exist; choose another " + option_name(option) + ".");
    return false;
  }
  if (failure == std::errc::not_a_directory) return false;  // the file above it is met on the way up
  throw Error({path.string()},
              "cannot be used: " + reason_of(failure) + "; choose another " + option_name(option) + ".");
}

/// How long the name of a file may be in the folder that is nearest above.
std::size_t longest_name(const fs::path& above) {
  const long most = ::pathconf(above.c_str(), _PC_NAME_MAX);
  return most > 0 ? static_cast<std::size_t>(most) : 255;
}

}  // namespace

fs::path place_for_folder(const fs::path& folder, const std::string& option) {
  if (folder.empty()) throw UsageError(option_name(option) + " is empty: give it the name of a folder.");
  std::error_code failure;
  fs::path target = fs::weakly_canonical(fs::absolute(folder, failure), failure);
  if (failure || target.empty()) target = fs::absolute(folder, failure).lexically_normal();
  if (target.filename().empty()) target = target.parent_path();
  if (!target.has_relative_path())
    throw Error({target.string()}, "is the root of the file system; choose another " + option_name(option) + ".");
  fs::path above = target.parent_path();
  while (above.has_relative_path() && !is_there(above, option)) above = above.parent_path();
  // The draft lies beside the target, under a longer name.
  const std::size_t most = longest_name(above), longest = draft_prefix(target).size() + 10;
  if (longest > most)
    throw Error({target.string()}, "cannot be used: its name is too long by " + std::to_string(longest - most) +
                                       " letters; choose another " + option_name(option) + ".");
  is_there(target, option);
  if (!fs::is_directory(above, failure))
    throw Error({above.string()}, "is a file, and folders are needed up to " + target.string() + "; choose another " +
                                      option_name(option) + ".");
  if (::access(above.c_str(), W_OK | X_OK) != 0)
    throw Error({above.string()}, "nothing can be written there (" +
                                      reason_of(std::error_code(errno, std::generic_category())) +
                                      "); choose another " + option_name(option) + ".");
  return target;
}

bool lies_in(const fs::path& path, const fs::path& folder) {
  std::error_code failure;
  const auto whole = [&](const fs::path& name) {
    fs::path found = fs::weakly_canonical(fs::absolute(name, failure), failure);
    if (failure || found.empty()) found = fs::absolute(name, failure).lexically_normal();
    return found.filename().empty() ? found.parent_path() : found;
  };
  const fs::path inner = whole(path), outer = whole(folder);
  return std::ranges::mismatch(outer, inner).in1 == outer.end();
}

void refuse_inside(const fs::path& output, const std::vector<std::pair<std::string, fs::path>>& paths) {
  for (const auto& [option, path] : paths)
    if (!path.empty() && lies_in(path, output))
      throw UsageError(option_name(option) + " " + path.string() + " lies in the folder of `output`, " +
                       output.string() + ", which is written as a whole; give one of them another place.");
}

OutputFolder::OutputFolder(const fs::path& target, bool replace, std::vector<std::string> ours)
    : replace_(replace), ours_(std::move(ours)) {
  target_ = place_for_folder(target, "output");
  draft_ = target_.parent_path() / (draft_prefix(target_) + std::to_string(::getpid()));
  check_target();
  remove_stale();
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!drafted_) return;
  fs::remove_all(draft_, ignored);
  if (made_.empty()) return;
  // Folders that were made for nothing; those that hold something by now stay.
  for (fs::path above = draft_.parent_path(); fs::remove(above, ignored) && above != made_;)
    above = above.parent_path();
}

void OutputFolder::check_target() const {
  const std::string name = target_.string();
  if (!is_there(target_, "output")) return;
  if (!fs::is_directory(target_)) throw Error({name}, "is a file, and `output` names a folder; choose another.");
  std::error_code failure;
  if (fs::equivalent(target_, fs::current_path(failure), failure))
    throw Error({name}, "is the folder you are in; give `output` the name of a new folder.");
  const bool empty = fs::is_empty(target_, failure);
  if (failure) throw Error({name}, "cannot be looked into: " + reason_of(failure) + "; choose another `output`.");
  if (empty) return;
  if (!replace_) throw Error({name}, "exists and is not empty; choose another `output`, or add `force` to replace it.");
  for (const auto& entry : fs::directory_iterator(target_))
    if (std::ranges::find(ours_, entry.path().filename().string()) == ours_.end())
      throw Error(
          {name},
          "holds '" + entry.path().filename().string() +
              "', which is no result of this command, so `force` does not replace it; choose another `output`.");
}

void OutputFolder::remove_stale() const {
  std::error_code ignored;
  const std::string prefix = draft_prefix(target_);
  for (const auto& entry : fs::directory_iterator(target_.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    pid_t process = 0;
    if (!name.starts_with(prefix)) continue;
    const auto [end, code] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), process);
    if (code != std::errc{} || end != name.data() + name.size() || process <= 0) continue;
    if (process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH)) fs::remove_all(entry.path(), ignored);
  }
}

const fs::path& OutputFolder::draft() {
  if (drafted_) return draft_;
  std::error_code failure;
  for (fs::path above = draft_.parent_path(); above.has_relative_path() && !fs::exists(above, failure);
       above = above.parent_path())
    made_ = above;
  failure.clear();
  drafted_ = true;  // the destructor takes away what is made, also where it is made in part
  fs::create_directories(draft_, failure);
  if (failure) throw Error({draft_.string()}, "cannot be made: " + reason_of(failure) + "; choose another `output`.");
  return draft_;
}

void OutputFolder::publish() {
  check_target();  // somebody may have been there in the meantime
  sync_folder(draft());
  // A folder that is absent or empty is replaced by rename(); a full one changes places with the draft, in one step
  // where the file system can, and the draft's name then holds the old files for the destructor to remove.
  std::error_code ignored;
  const bool full = fs::exists(target_, ignored) && !fs::is_empty(target_, ignored);
  bool moved = full ? ::renameat2(AT_FDCWD, draft_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0
                    : ::rename(draft_.c_str(), target_.c_str()) == 0;
  if (!moved && full && (errno == EINVAL || errno == ENOSYS)) {
    fs::remove_all(target_, ignored);
    moved = ::rename(draft_.c_str(), target_.c_str()) == 0;
  }
  if (!moved) throw Error({target_.string()}, std::string("cannot be written (") + std::strerror(errno) + ").");
  drafted_ = full;
  made_.clear();
  sync_folder(target_.parent_path());
}

}  // namespace sturm
