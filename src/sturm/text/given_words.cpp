// SPDX-License-Identifier: BSD-3-Clause
#include "sturm/text/given_words.h"

#include <map>

#include "sturm/core/error.h"
#include "sturm/core/suggest.h"
#include "sturm/core/table.h"

namespace sturm {
namespace {

bool is_flag(const std::string& word) { return word.size() > 1 && word[0] == '-'; }
bool is_long(const std::string& word) { return word.size() > 1 && word[0] == '-' && word[1] == '-'; }
bool is_number(const std::string& word) {
  return word.size() > 1 && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
}

/// The words behind a command, one after the other.
class Reader {
 public:
  Reader(const ProgramPage& program, const CommandPage& command, const std::vector<std::string>& words, std::size_t at)
      : command_(command),
        name_(program.self.name + " " + command.name),
        see_("; see " + program.self.name + " help " + command.name + "."),
        words_(words),
        at_(at) {}

  /// True where help is asked for.
  bool read() {
    for (bool flags = true; at_ < words_.size(); ++at_) {
      const std::string& word = words_[at_];
      if (flags && word.size() == 2 && is_long(word))
        flags = false;
      else if (!flags || !is_flag(word) || (command_.flag(word.substr(0, 2)) == nullptr && is_number(word)))
        stands_alone(word);
      else if (is_long(word) ? long_flag(word) : short_flags(word))
        return true;
    }
    for (const FlagPage& flag : command_.flags)
      if (flag.alone && flag.required && alone_.empty())
        throw UsageError(name_ + " needs " + flag.value + ": " + flag.sentence + see_);
    return false;
  }

 private:
  bool long_flag(const std::string& word) {
    const auto equals = word.find('=');
    return given(word.substr(0, equals), equals != std::string::npos,
                 equals == std::string::npos ? "" : word.substr(equals + 1));
  }

  /// "-q", "-o DIR", "-oDIR", "-qv"
  bool short_flags(const std::string& word) {
    for (std::size_t n = 1; n < word.size(); ++n) {
      const std::string name = {'-', word[n]};
      const FlagPage* const flag = command_.flag(name);
      const bool value = flag != nullptr && !flag->value.empty() && n + 1 < word.size();
      if (given(flag == nullptr && n == 1 ? word : name, value, value ? word.substr(n + 1) : "")) return true;
      if (value) return false;
    }
    return false;
  }

  bool given(const std::string& name, bool has_value, const std::string& value) {
    const FlagPage* const flag = command_.flag(name);
    if (flag == nullptr)
      throw UsageError(name_ + " has no flag " + name + did_you_mean(name, command_.flag_names()) + see_);
    if (flag->name() == help_flag()) return true;
    if (flag->value.empty()) {
      if (has_value)
        throw UsageError(name + " takes no value, and '" + value + "' is given to it; leave that out" + see_);
      return false;
    }
    if (!flag->often && given_[flag->name()]++ > 0)
      throw UsageError(flag->name() + " is given twice; give it once" + see_);
    if (has_value && value.empty()) throw UsageError(name + " is empty: give it a value, or leave it out" + see_);
    if (has_value) return false;
    const bool last = at_ + 1 == words_.size();
    if (last || (is_long(words_[at_ + 1]) && command_.flag(words_[at_ + 1]) != nullptr))
      throw UsageError(name + " needs a value (" + flag->value + ")" +
                       (last ? ", and nothing follows it" : ", and " + words_[at_ + 1] + " follows it") + see_);
    ++at_;
    return false;
  }

  void stands_alone(const std::string& word) {
    alone_.push_back(word);
    std::size_t room = 0;
    for (const FlagPage& flag : command_.flags) room += flag.alone ? 1 : 0;
    if (alone_.size() <= room) return;
    const std::string meant = nearest_word(std::string(2, '-') + word, command_.flag_names());
    throw UsageError(name_ + " does not know what to do with the word '" + word + "'" +
                     (meant.empty() ? "" : " (did you mean " + meant + "?)") + see_);
  }

  static std::string help_flag() { return std::string(2, '-') + "help"; }

  const CommandPage& command_;
  std::string name_, see_;
  const std::vector<std::string>& words_;
  std::size_t at_;
  std::map<std::string, int> given_;
  std::vector<std::string> alone_;
};

}  // namespace

GivenWords check_words(const ProgramPage& program, const std::vector<std::string>& words) {
  GivenWords out;
  if (words.empty()) return {.command = {}, .help = true, .version = false};
  const std::string& name = program.self.name;
  const std::string& first = words[0];
  if (const FlagPage* const flag = program.self.flag(first)) {
    const bool version = flag->name().ends_with("version");
    return {.command = {}, .help = !version, .version = version};
  }
  if (is_flag(first))
    throw UsageError(name + " has no flag " + first + did_you_mean(first, program.self.flag_names()) +
                     "; the first word is a command, and its flags come after it: see " + name + " help.");
  const CommandPage* const command = program.command(first);
  if (command == nullptr)
    throw UsageError(name + " has no command '" + first + "'" + did_you_mean(first, program.command_names()) +
                     "; there are: " + join(program.command_names(), 50) + ".");
  out.command = first;
  out.help = Reader(program, *command, words, 1).read();
  return out;
}

}  // namespace sturm
