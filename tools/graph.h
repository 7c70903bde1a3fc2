// SPDX-License-Identifier: Apache-2.0
// `tulle graph`: what is in a file of recorded task graphs. Reads the file and nothing else.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "status.h"
#include "omp/graph/graph_file.h"

namespace tulle::tools {

class Graph {
 public:
  explicit Graph(CLI::App& app);
  bool chosen() const { return command_->parsed(); }
  int operator()() const;

 private:
  const omp::RecordedGraph& one_of(const omp::RecordedGraphs& all) const;

  CLI::App* command_;
  std::string file_;
  int number_ = -1;
  std::uint32_t cores_ = 0;
  bool svg_ = false;
  bool dot_ = false;
  bool json_ = false;
};

}  // namespace tulle::tools
