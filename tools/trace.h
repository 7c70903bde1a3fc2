// SPDX-License-Identifier: Apache-2.0
// `tulle trace`: runs a program on Tulle, and draws what its threads did, moment by moment.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "settings.h"

namespace tulle::tools {

struct TraceForm;

class Trace {
 public:
  explicit Trace(CLI::App& app);

  void take_program(std::vector<std::string>& words);
  bool chosen() const { return command_->parsed(); }

  // Ends as the program did.
  int operator()() const;

 private:
  Variables variables(const std::string& folder) const;
  void show(const std::string& folder, const std::string& output) const;
  // What there is, while the program goes on; `number`: the how manieth time.
  void show_meanwhile(const std::string& folder, const std::string& why, int number) const;
  int run(const std::string& folder) const;
  std::string output() const;

  CLI::App* command_;
  Settings settings_;
  std::vector<std::string> program_;
  std::string folder_, read_, output_;
  unsigned mib_ = 0;
  double last_ = 0, standstill_ = 0;
  const TraceForm* form_;
};

}  // namespace tulle::tools
