// SPDX-License-Identifier: Apache-2.0
// A cursor over the text of an environment variable. It never allocates and never reads past the
// end; keywords are compared without regard to case, and spaces around them are skipped.
#pragma once

#include <cstdint>
#include <string_view>

namespace tulle::omp {

class Scanner {
 public:
  explicit constexpr Scanner(std::string_view text) : rest_(text) {}

  constexpr bool at_end() {
    skip_space();
    return rest_.empty();
  }

  // The next character that is no space, or a null byte at the end.
  constexpr char peek() {
    skip_space();
    return rest_.empty() ? '\0' : rest_.front();
  }

  constexpr bool accept(char c) {
    if (peek() != c || c == '\0') return false;
    rest_.remove_prefix(1);
    return true;
  }

  // A keyword: letters, digits, '_' and '-' after a first letter. Empty if there is none.
  constexpr std::string_view word() {
    skip_space();
    std::size_t length = 0;
    while (length < rest_.size() && in_word(rest_[length], length == 0)) ++length;
    return take(length);
  }

  // An unsigned decimal number. False, without moving, if there is none or it overflows.
  constexpr bool number(uint64_t& value) {
    skip_space();
    std::size_t length = 0;
    uint64_t sum = 0;
    while (length < rest_.size() && rest_[length] >= '0' && rest_[length] <= '9') {
      uint64_t digit = static_cast<uint64_t>(rest_[length] - '0');
      if (sum > (UINT64_MAX - digit) / 10) return false;
      sum = sum * 10 + digit;
      ++length;
    }
    if (length == 0) return false;
    rest_.remove_prefix(length);
    value = sum;
    return true;
  }

  // The same with a sign.
  constexpr bool signed_number(int64_t& value) {
    Scanner ahead = *this;
    bool negative = ahead.accept('-');
    if (!negative) ahead.accept('+');
    uint64_t magnitude = 0;
    if (!ahead.number(magnitude) || magnitude > INT64_MAX) return false;
    value = negative ? -static_cast<int64_t>(magnitude) : static_cast<int64_t>(magnitude);
    *this = ahead;
    return true;
  }

  constexpr std::string_view rest() const { return rest_; }

  static constexpr bool same_word(std::string_view a, std::string_view b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
      if (lower(a[i]) != lower(b[i])) return false;
    return true;
  }

  static constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }

  static constexpr std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
  }

  static constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

 private:
  static constexpr bool in_word(char c, bool first) {
    char l = lower(c);
    if (l >= 'a' && l <= 'z') return true;
    return !first && ((c >= '0' && c <= '9') || c == '_' || c == '-');
  }

  constexpr void skip_space() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
  }

  constexpr std::string_view take(std::size_t length) {
    std::string_view taken(rest_.data(), length);
    rest_.remove_prefix(length);
    return taken;
  }

  std::string_view rest_;
};

}  // namespace tulle::omp
