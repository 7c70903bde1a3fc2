// SPDX-License-Identifier: Apache-2.0
// The number of this process in its MPI job.
#pragma once

#include <cstdlib>

namespace tulle::stats {

// -1: it is in none.
inline int rank() {
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return std::atoi(value);
  return -1;
}

}  // namespace tulle::stats
