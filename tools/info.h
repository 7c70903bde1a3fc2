// SPDX-License-Identifier: Apache-2.0
// `tulle info`: the machine, the usable processors and the control variables, as the runtime sees
// them from this process.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tulle::tools {

class Info {
 public:
  explicit Info(CLI::App& app);
  bool chosen() const { return command_->parsed(); }
  int operator()() const;

 private:
  CLI::App* command_;
  std::string topology_;
  bool json_ = false;
};

}  // namespace tulle::tools
