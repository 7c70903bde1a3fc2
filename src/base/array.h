// SPDX-License-Identifier: Apache-2.0
// An array that grows, of plain values: memory of malloc, no exceptions. Where memory ends, what would have
// been added is dropped and the array says so from then on. Owner: one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace tulle {

template <class T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  ~Array() { free(items_); }
  Array(Array&& other) noexcept { swap(other); }
  Array& operator=(Array&& other) noexcept {
    swap(other);
    return *this;
  }

  void swap(Array& other) noexcept {
    std::swap(items_, other.items_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    std::swap(short_of_memory_, other.short_of_memory_);
  }

  size_t size() const { return size_; }
  size_t room() const { return room_; }
  bool empty() const { return size_ == 0; }
  bool short_of_memory() const { return short_of_memory_; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T* begin() { return items_; }
  T* end() { return items_ + size_; }
  const T* begin() const { return items_; }
  const T* end() const { return items_ + size_; }
  T& operator[](size_t at) { return items_[at]; }
  const T& operator[](size_t at) const { return items_[at]; }
  T& back() { return items_[size_ - 1]; }

  bool push(T item) {
    if (size_ == room_ && !reserve(room_ == 0 ? kFirst : 2 * room_)) return false;
    items_[size_++] = item;
    return true;
  }

  // All that is added is zero.
  bool resize(size_t size) {
    if (size > room_ && !reserve(size)) return false;
    for (size_t i = size_; i < size; ++i) items_[i] = T{};
    size_ = size;
    return true;
  }

  bool reserve(size_t room) {
    if (room <= room_) return true;
    void* memory = room > SIZE_MAX / sizeof(T) ? nullptr : realloc(items_, room * sizeof(T));
    short_of_memory_ = short_of_memory_ || memory == nullptr;
    if (memory == nullptr) return false;
    items_ = static_cast<T*>(memory);
    room_ = room;
    return true;
  }

  void clear() { size_ = 0; }

  // Gives back what was reserved and not used.
  void shrink() {
    void* memory = size_ == 0 ? nullptr : realloc(items_, size_ * sizeof(T));
    if (memory == nullptr) return;
    items_ = static_cast<T*>(memory);
    room_ = size_;
  }

 private:
  static constexpr size_t kFirst = 8;

  T* items_ = nullptr;
  size_t size_ = 0;
  size_t room_ = 0;
  bool short_of_memory_ = false;
};

}  // namespace tulle
