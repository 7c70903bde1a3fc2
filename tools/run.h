// SPDX-License-Identifier: Apache-2.0
// `tulle run`: puts Tulle under a program. Its options are environment variables by another name.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tulle::tools {

// The variables that put this command's runtime under a program, and what it needs for an MPI of the program's.
std::vector<std::pair<std::string, std::string>> runtime_variables(const std::string& program);

// Becomes the program; returns an exit status, with a message, only if that fails.
int become(std::vector<std::string> program,
           const std::vector<std::pair<std::string, std::string>>& variables);

class Run {
 public:
  explicit Run(CLI::App& app);

  // Takes the program and its arguments off a command line that begins with `run`: they start
  // behind "--" or at the first word that is neither an option nor its value.
  void take_program(std::vector<std::string>& words);

  bool chosen() const { return command_->parsed(); }

  // Becomes the program; returns an exit status only if that fails.
  int operator()() const;

 private:
  struct Option {
    const char* flag;
    const char* variable;
    const char* value_name;
    const char* meaning;
  };
  static const std::vector<Option>& options();

  bool takes_next_word(const std::string& option) const;
  std::vector<std::pair<std::string, std::string>> environment() const;

  CLI::App* command_;
  std::vector<std::string> values_;
  std::vector<std::string> program_;
  int verbosity_ = 0;
  bool print_ = false;
};

}  // namespace tulle::tools
