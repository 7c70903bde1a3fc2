// SPDX-License-Identifier: Apache-2.0
//
// taskgroup of Clang, Flang and Intel's compilers, whose begin and end are calls of their own: the
// group's record cannot lie in a frame. Owned by the task that encountered it.
#include "abi/kmp/taskgroup.h"

#include <cstdlib>
#include <new>

#include "abi/kmp/layout.h"
#include "abi/kmp/taskred.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_wait.h"
#include "omp/thread/thread.h"
#include "omp/worksharing/told.h"
#include "os/report.h"

namespace tulle::kmp {

omp::TaskGroup* begin_group(omp::Thread* thread) {
  void* memory = malloc(sizeof(omp::TaskGroup));
  if (!memory) os::fatal("no memory for a taskgroup");
  auto* group = new (memory) omp::TaskGroup;
  omp::taskgroup_begin(thread, group);
  return group;
}

void end_group(omp::Thread* thread) {
  omp::TaskGroup* group = thread->task()->group;
  omp::taskgroup_end(thread);
  finish_reductions(group);
  free(group);
}

TULLE_KMP void __kmpc_taskgroup(Ident*, int32_t) {
  omp::begin_told_taskgroup();
  begin_group(omp::self_or_attach());
}
TULLE_KMP void __kmpc_end_taskgroup(Ident*, int32_t) {
  omp::Thread* thread = omp::self();
  if (omp::somebody_records()) omp::record_taskwait(thread);
  omp::end_told_taskgroup(&end_group);
}

}  // namespace tulle::kmp
