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

namespace sturm {
namespace {

namespace fs = std::filesystem;

std::string draft_prefix(const fs::path& target) {
  return "." + target.filename().string() + ".part-" + host_name() + "-";
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target, bool replace, std::vector<std::string> ours)
    : replace_(replace), ours_(std::move(ours)) {
  std::error_code ignored;
  target_ = fs::weakly_canonical(fs::absolute(target), ignored);
  if (target_.filename().empty()) target_ = target_.parent_path();
  draft_ = target_.parent_path() / (draft_prefix(target_) + std::to_string(::getpid()));
  check_target();
  remove_stale();
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (drafted_) fs::remove_all(draft_, ignored);
}

void OutputFolder::check_target() const {
  const std::string name = target_.string();
  fs::path above = target_.parent_path();
  while (!fs::exists(above)) above = above.parent_path();
  if (!fs::is_directory(above) || ::access(above.c_str(), W_OK | X_OK) != 0)
    throw Error({above.string()}, "nothing can be written there; choose another `output`.");
  if (!fs::exists(target_)) return;
  if (!fs::is_directory(target_)) throw Error({name}, "is a file, and `output` names a folder; choose another.");
  if (fs::equivalent(target_, fs::current_path()))
    throw Error({name}, "is the folder you are in; give `output` the name of a new folder.");
  if (fs::is_empty(target_)) return;
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
  fs::create_directories(draft_, failure);
  if (failure) throw Error({draft_.string()}, "cannot be made (" + failure.message() + "); check free space.");
  drafted_ = true;
  return draft_;
}

void OutputFolder::publish() {
  check_target();  // somebody may have been there in the meantime
  sync_folder(draft());
  // A folder that is absent or empty is replaced by rename(); a full one changes places with the draft, in one step
  // where the file system can, and the draft's name then holds the old files for the destructor to remove.
  const bool full = fs::exists(target_) && !fs::is_empty(target_);
  bool moved = full ? ::renameat2(AT_FDCWD, draft_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) == 0
                    : ::rename(draft_.c_str(), target_.c_str()) == 0;
  if (!moved && full && (errno == EINVAL || errno == ENOSYS)) {
    fs::remove_all(target_);
    moved = ::rename(draft_.c_str(), target_.c_str()) == 0;
  }
  if (!moved) throw Error({target_.string()}, std::string("cannot be written (") + std::strerror(errno) + ").");
  drafted_ = full;
  sync_folder(target_.parent_path());
}

}  // namespace sturm
