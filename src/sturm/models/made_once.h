// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mutex>
#include <optional>

namespace sturm {

/// A value that is made when somebody first asks for it; whoever asks meanwhile waits. What could not be made is tried
/// again.
template <class Value>
class MadeOnce {
 public:
  template <class Make>
  const Value& get(Make make) const {
    const std::lock_guard lock(making_);
    if (!value_) value_.emplace(make());
    return *value_;
  }

 private:
  mutable std::mutex making_;
  mutable std::optional<Value> value_;
};

}  // namespace sturm
