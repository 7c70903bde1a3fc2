// SPDX-License-Identifier: Apache-2.0
// `tulle env`: the lines that put Tulle under everything that is started in some surroundings.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "settings.h"

namespace tulle::tools {

class Env {
 public:
  explicit Env(CLI::App& app);
  bool chosen() const { return command_->parsed(); }
  int operator()() const;

 private:
  CLI::App* command_;
  Settings settings_;
  std::string surroundings_ = "shell";
};

}  // namespace tulle::tools
