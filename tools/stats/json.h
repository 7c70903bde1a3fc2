// SPDX-License-Identifier: Apache-2.0
// A process's record, written from the front to the back.
#pragma once

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tulle::stats {

class Json {
 public:
  // An object or a list, '{' or '['; its name where it is part of an object.
  void open(char bracket, std::string_view name = {}) {
    open_.push_back(&put(bracket == '{' ? Value::object() : Value::array(), name));
  }
  void close(char) { open_.pop_back(); }

  void add(std::string_view name, std::string_view value) { put(Value(value), name); }
  void add(std::string_view name, int64_t value) { put(Value(value), name); }
  // To a thousandth.
  void add(std::string_view name, double value) { put(Value(std::round(value * 1000) / 1000), name); }

  // What is no text is replaced.
  std::string text() const { return root_.dump(-1, ' ', false, Value::error_handler_t::replace); }

 private:
  using Value = nlohmann::ordered_json;

  // Parts are added to the last one that is open alone, so its address stays.
  Value& put(Value value, std::string_view name) {
    if (open_.empty()) return root_ = std::move(value);
    Value& outer = *open_.back();
    if (!outer.is_array()) return outer[std::string(name)] = std::move(value);
    outer.push_back(std::move(value));
    return outer.back();
  }

  Value root_;
  std::vector<Value*> open_;
};

}  // namespace tulle::stats
