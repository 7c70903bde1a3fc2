// SPDX-License-Identifier: Apache-2.0
// `tulle stats`: runs a program on Tulle, and says at its end what its threads did with their time.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "settings.h"

namespace tulle::tools {

class Stats {
 public:
  explicit Stats(CLI::App& app);

  void take_program(std::vector<std::string>& words);
  bool chosen() const { return command_->parsed(); }

  // Ends as the program did.
  int operator()() const;

 private:
  Variables variables(const std::string& folder) const;
  void show(const std::string& folder) const;
  std::string output() const;

  CLI::App* command_;
  Settings settings_;
  std::vector<std::string> program_;
  std::string folder_, read_, output_;
  bool json_ = false, html_ = false, all_ = false;
};

}  // namespace tulle::tools
