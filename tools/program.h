// SPDX-License-Identifier: Apache-2.0
// What a program's file tells before it runs: whether the loader will put a library under it at all.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace tulle::tools {

struct Program {
  // How far the runtime's two variables reach.
  enum class Reach {
    whole,
    with_asan_first,  // the sanitizer's library has to be loaded before all others
    children_only,    // the program itself not, but what it starts
    none,             // the loader of another system would not start the program
  };
  Reach reach = Reach::whole;
  std::string why;   // a sentence about what is not reached; empty if all is
  std::string asan;  // the sanitizer's library
};

// The file that execvp() would take; empty if there is none.
std::string find_program(const std::string& name);

// Looks at the program's file, and at its interpreter's if it is a script.
Program look_at_program(const std::string& name);

}  // namespace tulle::tools
