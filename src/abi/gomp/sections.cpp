// SPDX-License-Identifier: Apache-2.0
// sections: the number of the section to run, from 1; 0 when nothing is left.
#include <cstdint>

#include "abi/gomp/entry.h"
#include "abi/gomp/work_share.h"
#include "omp/tool/called.h"
#include "omp/worksharing/loop.h"
#include "omp/worksharing/told.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

TULLE_GOMP unsigned GOMP_sections_start(unsigned count) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  omp::sections_begin(thread, count);
  return omp::sections_next(thread);
}

TULLE_GOMP unsigned GOMP_sections2_start(unsigned count, uintptr_t* reductions, void** memory) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  gomp::begin_shared(thread, reductions, memory);
  omp::sections_begin(thread, count);
  return omp::sections_next(thread);
}

TULLE_GOMP unsigned GOMP_sections_next() { return omp::sections_next(omp::self()); }

TULLE_GOMP void GOMP_sections_end() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  omp::meet(omp::tool::SyncKind::barrier_workshare);
}

TULLE_GOMP void GOMP_sections_end_nowait() { omp::loop_end(omp::self_or_attach()); }

TULLE_GOMP bool GOMP_sections_end_cancel() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  return omp::meet_cancellable(omp::tool::SyncKind::barrier_workshare);
}
