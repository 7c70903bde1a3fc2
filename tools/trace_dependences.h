// SPDX-License-Identifier: Apache-2.0
// Which tasks had to follow which, found from the addresses that they name (OpenMP 5.2 §15.9.5).
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "trace_lanes.h"

namespace tulle::tools {

class Dependences {
 public:
  // Of what `maker` made: tasks of different makers do not follow each other.
  void add(std::uint64_t maker, std::uint32_t task, int kind, std::uint64_t address, std::vector<Edge>& edges);

 private:
  struct Last {
    int kind = 0;
    std::vector<std::uint32_t> before, tasks;  // tasks of one kind that may run beside each other; those before them
  };
  std::map<std::pair<std::uint64_t, std::uint64_t>, Last> last_;
};

}  // namespace tulle::tools
