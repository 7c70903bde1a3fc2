// SPDX-License-Identifier: Apache-2.0
// Settings of the runtime as options of the command line, each an environment variable by another name,
// and the variables that put this command's runtime under a program.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tulle::tools {

using Variables = std::vector<std::pair<std::string, std::string>>;

// Where the loader finds the runtime, by the names that programs ask for and before all that they bring, and what
// it needs for an MPI of the program's.
Variables runtime_variables(const std::string& program);

// The runtime alone, without what is set in this process.
Variables runtime_variables_alone();

// As a word for a shell.
std::string quoted(const std::string& text);

class Settings {
 public:
  explicit Settings(CLI::App* command);
  // Those that were given.
  Variables variables() const;

 private:
  std::vector<std::string> values_;
  bool share_ = false, compatible_ = false;
};

}  // namespace tulle::tools
