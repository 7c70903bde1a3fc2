// SPDX-License-Identifier: Apache-2.0
// What costs a program most of its cores' time, and what would help.
#pragma once

#include <string>
#include <vector>

#include "stats_record.h"

namespace tulle::tools {

struct Advice {
  std::string fault;  // imbalance, fine-tasks, lock, oversubscribed, spinning, schedule, serial, dependences, mpi, quota
  double loss = 0;    // an estimate, as a share of the time of all cores
  std::string text;
};

// The greatest loss first. Nothing where nothing stands out.
std::vector<Advice> advice_for(const std::vector<ProcessRecord>& processes);

// The factors of parallel efficiency as users of HPC know them (Performance Optimisation and Productivity).
struct Factors {
  double parallel_efficiency = 0;  // useful work of the time of all cores
  double load_balance = 1;         // of the members of outermost regions
  double serial = 0;               // share of the elapsed time in which no region runs
  double mpi = 0;                  // share in which a thread waits in MPI
};
Factors factors_of(const ProcessRecord& process);

}  // namespace tulle::tools
