// SPDX-License-Identifier: Apache-2.0
// The extension API for tasks (include/tulle/tasks.h): a control variable of the current task. Any
// thread.
#include "abi/api/extension.h"
#include "omp/icv/environment_words.h"
#include "omp/task/task_icv.h"
#include "omp/thread/thread.h"

namespace omp = tulle::omp;

TULLE_EXTENSION int tulle_set_task_creation(const char* policy) {
  omp::TaskCreation creation = omp::global_icv().task_creation.value;
  if (policy != nullptr && !omp::parse_word(policy, creation)) return 0;
  omp::writable_icv(omp::self_or_attach())->task_creation = creation;
  return 1;
}
