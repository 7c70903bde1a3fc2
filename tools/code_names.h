// SPDX-License-Identifier: Apache-2.0
// Functions and lines of places in files, by addr2line where it is installed. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace tulle::tools {

class CodeNames {
 public:
  void want(const std::string& module, std::uint64_t offset) { names_[module][offset]; }
  // All that were wanted, one call for each file.
  void look_up();
  // "function (file:line)", or as much of that as is known; at least the file and the place in it.
  std::string name(const std::string& module, std::uint64_t offset) const;

 private:
  std::map<std::string, std::map<std::uint64_t, std::string>> names_;
};

}  // namespace tulle::tools
