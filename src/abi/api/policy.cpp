// SPDX-License-Identifier: Apache-2.0
// The policy of a thread's outermost regions (include/tulle/hints.h).
#include "abi/api/extension.h"
#include "omp/region/team_policy.h"

TULLE_EXTENSION int tulle_set_policy(const char* name) {
  return tulle::omp::set_policy(tulle::omp::self_or_attach(), name) ? 1 : 0;
}
