// SPDX-License-Identifier: BSD-3-Clause
// Numbers in a device's own memory. The layers above hold arrays and hand them to a backend; only linalg/ looks inside.
#pragma once

#include <memory>
#include <type_traits>

#include "sturm/core/shape.h"

namespace sturm::linalg {

class Backend;

/// A stretch of an array; does not own. The address is the device's: nothing outside linalg/ may follow it.
template <class T>
class Part {
 public:
  Part() = default;
  Part(T* address, Index size) : address_(address), size_(size) {}
  template <class U>
  requires std::is_same_v<const U, T> Part(
      const Part<U>& other)  // NOLINT(google-explicit-constructor): a part that may be written may be read
      : address_(other.address()), size_(other.size()) {}

  Index size() const { return size_; }
  explicit operator bool() const { return address_ != nullptr; }
  Part part(Index first, Index count) const { return {address_ + first, count}; }
  T* address() const { return address_; }

 private:
  T* address_ = nullptr;
  Index size_ = 0;
};

/// Owning; made by Backend::make, on one device.
template <class T>
class Array {
 public:
  Array() = default;

  Index size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Part<T> whole() { return {address(), size_}; }
  Part<const T> whole() const { return {address(), size_}; }
  // NOLINTNEXTLINE(google-explicit-constructor): an array is one of its parts
  operator Part<T>() requires(!std::is_const_v<T>) { return whole(); }
  operator Part<const T>() const { return whole(); }  // NOLINT(google-explicit-constructor)
  Part<T> part(Index first, Index count) { return whole().part(first, count); }
  Part<const T> part(Index first, Index count) const { return whole().part(first, count); }

 private:
  friend class Backend;
  Array(std::shared_ptr<const void> memory, Index size) : memory_(std::move(memory)), size_(size) {}
  T* address() const { return static_cast<T*>(const_cast<void*>(memory_.get())); }  // NOLINT: made to be written

  std::shared_ptr<const void> memory_;
  Index size_ = 0;
};

/// Where the columns of a design stand in an array that has room for more: made by Backend::place.
class Placement {
 public:
  Placement(Index columns, Index size) : columns_(columns), size_(size) {}
  Placement(const Placement&) = delete;
  Placement& operator=(const Placement&) = delete;
  virtual ~Placement() = default;

  Index columns() const { return columns_; }
  Index size() const { return size_; }  ///< of the array

 private:
  Index columns_, size_;
};
using PlacementPointer = std::shared_ptr<const Placement>;

}  // namespace sturm::linalg
