// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <cstddef>

namespace tulle::stats {

namespace {

// Bytes of the character of UTF-8 that `text` begins with; 0: it begins with none.
size_t length_of_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  const auto second = static_cast<unsigned char>(length > 1 ? text[1] : 0);
  const bool too_long = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool none = (lead == 0xED && second >= 0xA0) || (lead == 0xF4 && second >= 0x90);
  return too_long || none ? 0 : length;
}

}  // namespace

// What is no text becomes a question mark.
void Json::quote(std::string_view value) {
  text_ += '"';
  while (!value.empty()) {
    const size_t length = length_of_character(value);
    const char first = value[0];
    if (length == 0 || static_cast<unsigned char>(first) < ' ')
      text_ += length == 0 ? '?' : ' ';
    else if (first == '"' || first == '\\')
      (text_ += '\\') += first;
    else
      text_ += value.substr(0, length);
    value.remove_prefix(length == 0 ? 1 : length);
  }
  text_ += '"';
}

}  // namespace tulle::stats
