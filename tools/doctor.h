// SPDX-License-Identifier: Apache-2.0
// `tulle doctor`: what a running process has of OpenMP, BLAS and thread pools, and what its OpenMP threads wait for.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace tulle::tools {

class Doctor {
 public:
  explicit Doctor(CLI::App& app);
  bool chosen() const { return command_->parsed(); }
  int operator()() const;

 private:
  CLI::App* command_;
  std::string given_;
};

}  // namespace tulle::tools
