// SPDX-License-Identifier: Apache-2.0
// Time in calls of MPI that wait for other processes, by the place that calls. The tool's library has them under
// their own names and calls the next one's, so it is seen where it is loaded before the program.
#pragma once

#include <cstdint>

#include "sites.h"

namespace tulle::stats {

struct MpiTotals {
  const char* call = nullptr;
  uint64_t count = 0;
  uint64_t time = 0;
};

MpiTotals mpi_totals(uint32_t site);
void forget_mpi();

}  // namespace tulle::stats
