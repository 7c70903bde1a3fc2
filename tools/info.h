// SPDX-License-Identifier: Apache-2.0
// `tulle info`: the machine, the usable processors and the control variables, as the runtime sees
// them from this process; or where the teams of a program went.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "library.h"

namespace tulle::tools {

class Info {
 public:
  explicit Info(CLI::App& app);

  // Takes the program and its arguments off a command line that begins with `info`: what follows
  // --placement.
  void take_program(std::vector<std::string>& words);

  bool chosen() const { return command_->parsed(); }
  bool runs_a_program() const { return chosen() && placement_; }
  int operator()() const;

 private:
  CLI::App* command_;
  // Runs the program, and draws where its teams went; returns its exit status.
  int show_placement(const Library& library, const char* description) const;

  std::string topology_;
  std::vector<std::string> program_;
  bool placement_ = false;
  bool json_ = false;
};

}  // namespace tulle::tools
