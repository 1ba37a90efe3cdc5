// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/terminal/voice.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>

#include "sturm/core/log_file.h"
#include "sturm/core/text.h"
#include "sturm/terminal/words.h"

namespace sturm::cli {
namespace {

using nlohmann::ordered_json;

volatile std::sig_atomic_t json = 0, quiet = 0, open_bar = 0, log_handle = -1;
std::unique_ptr<LogFile> log_file;
std::mutex lines;  // of one thread at a time

constexpr const char* clear_line = "\r\033[K";

void write_all(int handle, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(handle, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;  // nobody listens
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

void prepare_streams() {
  // What is written to a closed stdout must fail, and what goes to a closed stderr be lost: hence the two directions.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    while (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
      if (::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY) < 0) break;
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void speak_json() { json = 1; }
bool speaks_json() { return json != 0; }
void speak_of_errors_alone() { quiet = 1; }

void open_log(const std::string& name) {
  if (name.empty()) return;
  log_file = std::make_unique<LogFile>(name, "log-json");
  log_handle = log_file->handle();
}

void tell_event(ordered_json what) {
  if (!json && !log_file) return;
  char now[25];
  utc_time(now);
  ordered_json whole = {{"event", what["event"]}, {"time", now}};
  whole.update(what);
  const std::string line = whole.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n";
  const std::lock_guard lock(lines);
  if (json) write_all(STDERR_FILENO, line);
  if (log_file && !log_file->append(line)) {
    const std::string words = log_file->name() + ": the log cannot be written any more; going on without it.";
    log_handle = -1;
    log_file.reset();
    const ordered_json warning = {{"event", "warning"}, {"time", now}, {"text", words}};
    write_all(STDERR_FILENO, json ? warning.dump(-1, ' ', false, ordered_json::error_handler_t::replace) + "\n"
                                  : "warning: " + printable(words) + "\n");
  }
}

namespace {

void tell_as(std::string_view kind, const std::string& before, const std::string& sentence, bool matters) {
  const std::string text = in_flags(sentence);
  tell_event({{"event", kind}, {"text", text}});
  if (json || (quiet && !matters)) return;
  const std::lock_guard lock(lines);
  write_all(STDERR_FILENO, (open_bar ? clear_line : "") + before + text + "\n");
}

}  // namespace

void tell(std::string_view kind, const std::string& sentence) {
  tell_as(kind, kind == "say" ? "" : std::string(kind) + ": ", sentence, kind == "error");
}

void tell_plainly(std::string_view kind, const std::string& sentence) { tell_as(kind, "", sentence, true); }

void tell_failure(const std::string& sentence) { tell_as("error", "sturm: ", sentence, true); }

void draw(std::string_view bytes) {
  if (!json) write_all(STDERR_FILENO, bytes);
}

void bar_is_open(bool open) { open_bar = open; }

void tell_stopped(const char* words, int status) {
  // A handler may neither allocate nor wait: the words are ours and need no escaping.
  char time[25], line[512];
  utc_time(time);
  const char* const now = time;
  std::size_t length = 0;
  const auto add = [&](const char* text) {
    for (; *text != '\0' && length < sizeof line; ++text) line[length++] = *text;
  };
  for (const char* part : {"{\"event\":\"error\",\"time\":\"", now, "\",\"text\":\"", words, "\"}\n"}) add(part);
  for (const char* part : {"{\"event\":\"exit\",\"time\":\"", now, "\",\"status\":"}) add(part);
  const char digits[] = {static_cast<char>('0' + status / 10), static_cast<char>('0' + status % 10), '\0'};
  add(digits);
  add("}\n");
  if (log_handle >= 0) write_all(log_handle, {line, length});
  if (json) return write_all(STDERR_FILENO, {line, length});
  write_all(STDERR_FILENO, open_bar ? clear_line : "");
  write_all(STDERR_FILENO, "sturm: ");
  write_all(STDERR_FILENO, words);
  write_all(STDERR_FILENO, "\n");
}

int finish(int status) {
  const bool flushed = std::fflush(stdout) == 0;
  const int reason = errno;
  if (!flushed || std::ferror(stdout) != 0) {
    tell_failure(std::string("not everything could be written to stdout") +
                 (flushed ? "" : std::string(" (") + std::strerror(reason) + ")") +
                 "; give it a place with room, and run the command again.");
    if (status == done) status = bad_input;
  }
  tell_event({{"event", "exit"}, {"status", status}});
  return status;
}

}  // namespace sturm::cli
