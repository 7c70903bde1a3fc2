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

class Run {
 public:
  explicit Run(CLI::App& app);

  // Takes the program and its arguments off a command line that begins with `run`: they start
  // behind "--" or at the first word that is neither an option nor its value.
  void take_program(std::vector<std::string>& words);

  bool chosen() const { return command_->parsed(); }

  // Becomes the program, or with -v runs it; returns an exit status only if becoming fails.
  int operator()() const;

 private:
  bool takes_next_word(const std::string& option) const;
  Variables variables_for_program() const;
  Variables settings() const;

  CLI::App* command_;
  Settings settings_;
  std::vector<std::string> program_;
  int verbosity_ = 0;
  bool print_ = false;
};

}  // namespace tulle::tools
