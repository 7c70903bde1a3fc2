// SPDX-License-Identifier: Apache-2.0
// Also GOMP_scope_start: a scope with task reductions is a construct that shares nothing else. The
// compiler ends it with a barrier and GOMP_workshare_task_reduction_unregister.
#include "abi/gomp/work_share.h"

#include <cstdlib>

#include "abi/gomp/entry.h"
#include "abi/gomp/reduction.h"
#include "abi/gomp/taskgroup.h"
#include "omp/thread/work_share.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "os/report.h"

namespace omp = tulle::omp;

namespace tulle::abi::gomp {

namespace {

void* zeroed(size_t bytes) {
  void* memory = calloc(1, bytes);
  if (memory == nullptr) os::fatal("out of memory for a worksharing construct");
  return memory;
}

}  // namespace

void begin_shared(omp::Thread* thread, uintptr_t* reductions, void** memory) {
  if (reductions == nullptr && memory == nullptr) return;
  if (reductions != nullptr) begin_taskgroup(thread, true);
  omp::ShareSlot* slot;
  bool first = omp::share_begin(thread, slot);
  if (memory != nullptr) {
    if (first) slot->memory = zeroed(reinterpret_cast<size_t>(*memory));
    *memory = slot->memory;
  }
  if (reductions != nullptr) {
    if (first)
      register_for_group(thread, reductions);
    else
      register_shared(thread, reductions, static_cast<const uintptr_t*>(slot->data));
  }
  if (!first) return;
  slot->data = reductions;
  omp::share_open(thread);
}

}  // namespace tulle::abi::gomp

TULLE_GOMP void GOMP_scope_start(uintptr_t* reductions) {
  omp::Thread* thread = omp::self_or_attach();
  tulle::abi::gomp::begin_shared(thread, reductions, nullptr);
  omp::share_end(thread);
}

// GCC 17's development version (it may still change): -fopenmp-ompt's forms, for each scope. Null: without such
// reductions.
TULLE_GOMP void GOMP_scope_start_with_end(uintptr_t* reductions) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  if (reductions != nullptr) GOMP_scope_start(reductions);
  if (omp::tool::active()) omp::tool::begin_work(thread, omp::tool::WorkKind::scope, 1);
}

TULLE_GOMP void GOMP_scope_end() {
  if (omp::tool::active()) omp::tool::end_work(omp::self_or_attach());
}
