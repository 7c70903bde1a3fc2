// SPDX-License-Identifier: Apache-2.0
// An array that grows while something is built, for types that may be moved as bytes. One thread.
#pragma once

#include <stdlib.h>

#include <cstddef>
#include <type_traits>

namespace tulle::topology {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  ~Array() { free(items_); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  // False if memory is short; the array is as it was.
  bool append(const T& item) {
    if (size_ == room_) {
      int room = room_ == 0 ? 64 : room_ * 2;
      T* larger = static_cast<T*>(realloc(items_, static_cast<std::size_t>(room) * sizeof(T)));
      if (larger == nullptr) return false;
      items_ = larger;
      room_ = room;
    }
    items_[size_++] = item;
    return true;
  }

  int size() const { return size_; }
  T& operator[](int i) { return items_[i]; }
  const T& operator[](int i) const { return items_[i]; }
  T* begin() const { return items_; }
  T* end() const { return items_ + size_; }

 private:
  T* items_ = nullptr;
  int size_ = 0;
  int room_ = 0;
};

}  // namespace tulle::topology
