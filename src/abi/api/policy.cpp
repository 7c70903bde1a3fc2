// SPDX-License-Identifier: Apache-2.0
// The policy of a thread's outermost regions (include/tulle/hints.h).
#include "omp/team_policy.h"

extern "C" __attribute__((visibility("default"))) int tulle_set_policy(const char* name) {
  return tulle::omp::set_policy(name) ? 1 : 0;
}
