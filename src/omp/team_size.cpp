// SPDX-License-Identifier: Apache-2.0
#include "omp/parallel.h"

namespace tulle::omp {

uint32_t team_size(Thread* outer, uint32_t requested) {
  const Icv& icv = icv_of(outer);
  uint32_t n = requested != 0 ? requested : icv.nthreads;
  if (n <= 1) return 1;
  // OpenMP 5.2 §10.1.1: a region beyond max-active-levels is inactive.
  if (outer->team->active_level >= static_cast<uint32_t>(icv.max_active_levels)) return 1;
  if (n > static_cast<uint32_t>(icv.thread_limit)) n = static_cast<uint32_t>(icv.thread_limit);
  // Claims count members in 20 bits.
  if (n > sync::ClaimRange::kLimit) n = sync::ClaimRange::kLimit;
  return n == 0 ? 1 : n;
}

}  // namespace tulle::omp
