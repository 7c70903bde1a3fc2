// SPDX-License-Identifier: Apache-2.0
// single: start says who executes it. With copyprivate the others wait in copy_start for the
// address that the executing thread gives to copy_end; a barrier by the compiler follows.
#include "omp/worksharing/single.h"

#include "abi/gomp/entry.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace omp = tulle::omp;

TULLE_GOMP bool GOMP_single_start() {
  TULLE_CALLED();
  return omp::take_told_single(omp::self_or_attach());
}

// GCC 17's development version (it may still change): -fopenmp-ompt's form, whose end the executing thread tells.
TULLE_GOMP bool GOMP_single_start_with_end() {
  TULLE_CALLED();
  return omp::take_told_single(omp::self_or_attach());
}

TULLE_GOMP void GOMP_single_end() {
  if (omp::tool::active()) omp::tool::end_work(omp::self_or_attach());
}

TULLE_GOMP void* GOMP_single_copy_start() {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  return omp::take_told_single(thread) ? nullptr : omp::receive_copyprivate(thread);
}

TULLE_GOMP void GOMP_single_copy_end(void* data) { omp::send_copyprivate(omp::self(), data); }
