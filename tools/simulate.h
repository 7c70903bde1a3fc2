// SPDX-License-Identifier: Apache-2.0
// `tulle simulate`: where a policy would put the threads of nested teams on any machine, and how long
// they would take in virtual time; or what a construct would take (constructs.h). Nothing of it runs on this machine's workers.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "constructs.h"
#include "library.h"

namespace tulle::tools {

class Simulate {
 public:
  explicit Simulate(CLI::App& app);
  bool chosen() const { return command_->parsed(); }
  int operator()() const;

 private:
  CLI::App* command_;
  std::string policy_ = "affinity";
  std::string machine_;
  std::string teams_ = "4x4";
  double ratio_ = 1;
  double remote_ = 1.4;
  double tick_ = 0;
  std::uint64_t seed_ = 1;
  bool hints_ = false;
  bool json_ = false;
  ConstructQuestion question_;
};

}  // namespace tulle::tools
