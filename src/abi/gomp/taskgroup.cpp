// SPDX-License-Identifier: Apache-2.0
#include "abi/gomp/taskgroup.h"

#include <cstdlib>
#include <new>

#include "abi/gomp/entry.h"
#include "omp/replay/graph_region.h"
#include "omp/worksharing/told.h"
#include "os/report.h"

namespace omp = tulle::omp;

namespace tulle::abi::gomp {

void begin_taskgroup(omp::Thread* thread, bool hidden) {
  void* memory = malloc(sizeof(omp::TaskGroup));
  if (memory == nullptr) os::fatal("out of memory for a taskgroup");
  auto* group = new (memory) omp::TaskGroup;
  group->hidden = hidden;
  omp::taskgroup_begin(thread, group);
}

void end_taskgroup(omp::Thread* thread) {
  omp::TaskGroup* group = thread->task()->group;
  omp::taskgroup_end(thread);
  free(group);
}

}  // namespace tulle::abi::gomp

namespace gomp = tulle::abi::gomp;

TULLE_GOMP void GOMP_taskgroup_start() {
  omp::begin_told_taskgroup();
  gomp::begin_taskgroup(omp::self_or_attach(), false);
}
TULLE_GOMP void GOMP_taskgroup_end() {
  omp::Thread* thread = omp::self();
  if (omp::somebody_records()) omp::record_taskwait(thread);
  omp::end_told_taskgroup(&gomp::end_taskgroup);
}
