// SPDX-License-Identifier: Apache-2.0
// As much of JSON as a process's record needs, whatever the program's locale. By hand: a library for it would take longer to
// load than all the rest of the tool.
#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace tulle::stats {

class Json {
 public:
  // An object or a list, '{' or '['; its name where it is part of an object.
  void open(char bracket, std::string_view name = {}) {
    begin(name);
    text_ += bracket;
    first_ = true;
  }
  void close(char bracket) {
    text_ += bracket;
    first_ = false;
  }

  void add(std::string_view name, std::string_view value) {
    begin(name);
    quote(value);
  }
  void add(std::string_view name, int64_t value) {
    begin(name);
    text_ += std::to_string(value);
  }
  // To a thousandth.
  void add(std::string_view name, double value) {
    const int64_t thousandths = std::llround(value * 1000);
    add(name, thousandths / 1000);
    const auto rest = static_cast<int>(std::abs(thousandths % 1000));
    if (rest == 0) return;
    if (thousandths < 0 && thousandths > -1000) text_.insert(text_.size() - 1, 1, '-');
    text_ += '.';
    for (int unit = 100; unit != 0; unit /= 10) text_ += static_cast<char>('0' + rest / unit % 10);
  }

  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view name) {
    if (!first_) text_ += ',';
    first_ = false;
    if (name.empty()) return;
    quote(name);
    text_ += ':';
  }
  void quote(std::string_view value);

  std::string text_;
  bool first_ = true;
};

}  // namespace tulle::stats
