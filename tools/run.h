// SPDX-License-Identifier: Apache-2.0
// `tulle run`: puts Tulle under a program. Its options are environment variables by another name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "settings.h"

namespace tulle::tools {

// Becomes the program; returns an exit status, with a message, only if that fails.
int become(std::vector<std::string> program, const Variables& variables);

// Takes the program and its arguments off a command line that begins with the command's name: they start behind "--"
// or at the first word that is neither an option nor its value.
std::vector<std::string> take_program_of(const CLI::App* command, std::vector<std::string>& words);

// What puts the runtime under the program, as far as its file allows, with a line where that is not all; and `settings`.
Variables variables_for(const std::string& program, Variables settings);
// And a tool of this command's for OMPT, before those that the environment names.
Variables variables_with_tool(const std::string& program, Variables settings, const std::string& tool);

class Run {
 public:
  explicit Run(CLI::App& app);

  void take_program(std::vector<std::string>& words) { program_ = take_program_of(command_, words); }

  bool chosen() const { return command_->parsed(); }

  // Becomes the program, or with -v runs it; returns an exit status only if becoming fails.
  int operator()() const;

 private:
  Variables settings() const;

  CLI::App* command_;
  Settings settings_;
  std::vector<std::string> program_;
  int verbosity_ = 0;
  bool print_ = false;
};

}  // namespace tulle::tools
