// SPDX-License-Identifier: Apache-2.0
// masked and master, as GCC 17's development version calls them (observed in its sources in autumn 2026: it may still
// change). The forms with an end are those of -fopenmp-ompt, and tell tools.
#include "abi/gomp/entry.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace omp = tulle::omp;

namespace {

bool has_number(int32_t number) { return static_cast<int32_t>(omp::self_or_attach()->num) == number; }

TULLE_COLD void tell(omp::tool::Endpoint endpoint, const void* code) {
  omp::Thread* thread = omp::self_or_attach();
  omp::tool::masked(thread, endpoint, omp::tool::in_program(thread, code));
}

}  // namespace

TULLE_GOMP bool GOMP_has_masked_thread_num(int32_t number) { return has_number(number); }

TULLE_GOMP bool GOMP_has_masked_thread_num_with_end(int32_t number) {
  const bool executes = has_number(number);
  if (omp::tool::active() && executes) tell(omp::tool::Endpoint::begin, TULLE_CALLER());
  return executes;
}

TULLE_GOMP void GOMP_masked_end() {
  if (omp::tool::active()) tell(omp::tool::Endpoint::end, TULLE_CALLER());
}
