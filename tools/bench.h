// SPDX-License-Identifier: Apache-2.0
// `tulle bench`: becomes the benchmark harness, with this command's runtime as the one to measure.
#pragma once

#include <CLI/CLI.hpp>

namespace tulle::tools {

class Bench {
 public:
  explicit Bench(CLI::App& app);
  bool chosen() const { return command_->parsed(); }

  // Returns only if there is no harness, or no Python to run it.
  int operator()() const;

 private:
  CLI::App* command_;
};

}  // namespace tulle::tools
