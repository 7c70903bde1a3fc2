// SPDX-License-Identifier: Apache-2.0
// The extension API for tasks (include/tulle/tasks.h): a control variable of the current task. Any
// thread.
#include "omp/environment_values.h"
#include "omp/thread.h"

namespace omp = tulle::omp;

extern "C" __attribute__((visibility("default"))) int tulle_set_task_creation(const char* policy) {
  omp::TaskCreation creation = omp::global_icv().task_creation.value;
  if (policy != nullptr && !omp::parse_task_creation(policy, creation)) return 0;
  omp::writable_icv(omp::self_or_attach())->task_creation = creation;
  return 1;
}
