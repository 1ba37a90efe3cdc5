// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/app/unfinished.h"

#include <fmt/core.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include "sturm/app/work_study.h"
#include "sturm/core/files.h"
#include "sturm/core/sentence.h"
#include "sturm/core/table.h"
#include "sturm/report/page.h"
#include "sturm/solver/progress.h"

namespace sturm {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr auto look_again = std::chrono::milliseconds(200);
constexpr auto between_pages = std::chrono::seconds(2);
constexpr int most_failures = 10;  ///< a study that begins anew removes its journal under our feet

bool is_done(const fs::path& folder) {
  std::error_code failure;
  return fs::exists(folder / "results.json", failure);
}

/// Grows with every task that is done.
std::uintmax_t bytes_of_journals(const fs::path& work) {
  std::uintmax_t out = 0;
  std::error_code failure;
  for (const auto& entry : fs::directory_iterator(work, failure)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with("journal-")) continue;
    const std::uintmax_t size = entry.file_size(failure);
    if (!failure) out += size;
  }
  return out;
}

std::string minutes_words(double seconds) {
  if (seconds < 90) return fmt::format("about {} s are left", std::lround(std::ceil(seconds)));
  if (seconds < 5400) return fmt::format("about {} minutes are left", std::lround(seconds / 60));
  return fmt::format("about {:.1f} hours are left", seconds / 3600);
}

std::string how_far(const StudyProgress& progress) {
  const std::string left =
      std::isfinite(progress.seconds_left) ? ", and " + minutes_words(progress.seconds_left) : std::string();
  return fmt::format("The study is running: {} of {} are done{}. This file is written again as it goes on; reload it.",
                     progress.done, plural(progress.tasks, "task"), left);
}

}  // namespace

fs::path work_folder(const fs::path& folder) {
  if (is_done(folder) || fs::exists(folder / "fit.json")) return {};
  if (is_work_folder(folder)) return folder;
  const fs::path beside = fs::path(folder.string() + ".work");
  return is_work_folder(beside) ? beside : fs::path();
}

UnfinishedResults::UnfinishedResults(const fs::path& work)
    : path_(fs::temp_directory_path() / fmt::format("sturm-report-{}", ::getpid())), work_(work) {
  fs::remove_all(path_);
  if (!fs::create_directory(path_)) throw Error({path_.string()}, "cannot be made; check TMPDIR.");
  try {
    PartialResults found = write_partial_results(work, path_);
    missing_ = std::move(found.missing);
    progress_ = found.progress;
  } catch (...) {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
    throw;
  }
}

UnfinishedResults::~UnfinishedResults() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

ReportRequest UnfinishedResults::request(ReportRequest asked) const {
  asked.folder = path_;
  asked.work = work_;
  asked.missing = missing_;
  if (progress_.done < progress_.tasks) asked.progress = progress_;
  return asked;
}

void watch_study(const ReportRequest& request, const fs::path& page, bool force, const std::function<bool()>& stop,
                 const WatchNews& news) {
  if (fs::exists(page) && !force)
    throw Error({page.string()}, "is there already; " + option_name("force") + " replaces it, " +
                                     option_name("output") + " names another file.");
  if (!is_done(request.folder) && work_folder(request.folder).empty())
    throw Error({request.folder.string()},
                "holds no study that is under way, nor does the work folder beside it; start sturm cv first.");
  const auto write = [&](const ReportRequest& of) { write_file(page, report_page(empty_page(), make_report(of))); };
  std::uintmax_t seen = 0;
  int failures = 0;
  std::optional<Clock::time_point> first;
  double share_at_first = 0;
  for (Clock::time_point next = Clock::now();; std::this_thread::sleep_for(look_again)) {
    if (stop()) throw Interrupted();
    if (is_done(request.folder)) return write(request);
    const fs::path work = work_folder(request.folder);
    const std::uintmax_t bytes = work.empty() ? 0 : bytes_of_journals(work);
    if (bytes == seen || Clock::now() < next) continue;
    try {
      const UnfinishedResults results(work);
      StudyProgress progress = results.progress();
      const Clock::time_point now = Clock::now();
      if (!first) {
        first = now;
        share_at_first = progress.share;
      } else if (progress.share > share_at_first) {
        const double seconds = std::chrono::duration<double>(now - *first).count();
        progress.seconds_left = (1 - progress.share) * seconds / (progress.share - share_at_first);
      }
      ReportRequest here = results.request(request);
      if (here.progress) {
        here.progress = progress;
        here.missing.front() = how_far(progress);
      }
      write(here);
      news(progress);
      if (!here.progress && request.folder == work) return;  // nothing is missing: the page is whole
      failures = 0;
      seen = bytes;
    } catch (const Error&) {
      if (++failures >= most_failures) throw;
    }
    next = Clock::now() + between_pages;
  }
}

}  // namespace sturm
