// SPDX-License-Identifier: Apache-2.0
// Text written into memory of fixed size. What does not fit is counted and dropped, so that a caller
// learns the room that it needs; the text is null-terminated whenever there is room for a byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tulle::omp {

class TextBuffer {
 public:
  TextBuffer(char* data, std::size_t capacity) : data_(data), capacity_(capacity) { terminate(); }

  void put(char c) {
    if (length_ + 1 < capacity_) data_[length_] = c;
    ++length_;
    terminate();
  }

  void put(std::string_view text) {
    for (char c : text) put(c);
  }

  void put_number(int64_t value) {
    if (value < 0) put('-');
    put_unsigned(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value));
  }

  void put_unsigned(uint64_t value, unsigned base = 10) {
    char digits[20];
    int count = 0;
    do {
      digits[count++] = "0123456789abcdef"[value % base];
      value /= base;
    } while (value != 0);
    while (count > 0) put(digits[--count]);
  }

  // The length of the whole text, dropped parts included.
  std::size_t length() const { return length_; }

  std::string_view text() const {
    if (capacity_ == 0) return {};
    return {data_, length_ < capacity_ ? length_ : capacity_ - 1};
  }

 private:
  void terminate() {
    if (capacity_ != 0) data_[length_ < capacity_ ? length_ : capacity_ - 1] = '\0';
  }

  char* data_;
  std::size_t capacity_;
  std::size_t length_ = 0;
};

}  // namespace tulle::omp
