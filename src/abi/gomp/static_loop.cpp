// SPDX-License-Identifier: Apache-2.0
// Loops that the compiler deals out itself, as GCC 17's development version asks for their parts (observed in its
// sources in autumn 2026: it may still change): how many there are and which one is the caller's, in a complex number.
// _start, _dispatch and _end are -fopenmp-ompt's forms, which tell tools.
#include "abi/gomp/entry.h"
#include "omp/region/teams.h"
#include "omp/thread/asked_size.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace omp = tulle::omp;

using omp::tool::DispatchKind;
using omp::tool::WorkKind;

namespace {

using Part = __complex__ int;

Part part_of(uint32_t count, uint32_t number) {
  Part part;
  __real__ part = static_cast<int>(count);
  __imag__ part = static_cast<int>(number);
  return part;
}

Part part_of_team() {
  const omp::Thread* thread = omp::self();
  if (thread == nullptr) return part_of(1, 0);
  omp::ask_size(thread->team);
  return part_of(thread->team->nthreads, thread->num);
}

Part part_of_league() {
  const omp::League* league = omp::league_of(omp::self());
  return league != nullptr ? part_of(league->teams, league->team) : part_of(1, 0);
}

TULLE_COLD void tell_begin(WorkKind kind, uint64_t iterations, const void* code) {
  omp::Thread* thread = omp::self_or_attach();
  omp::tool::called_from(thread, code);
  omp::tool::begin_work(thread, kind, iterations);
}

TULLE_COLD void tell_chunk(DispatchKind kind, uint64_t start, uint64_t iterations) {
  omp::tool::dispatch_chunk(omp::self_or_attach(), kind, start, iterations);
}

TULLE_COLD void tell_end() { omp::tool::end_work(omp::self_or_attach()); }

}  // namespace

#define TULLE_STATIC_LOOP(name, kind, chunk, part)                                                     \
  TULLE_GOMP Part GOMP_##name##_static_worksharing(unsigned long long) { return part(); }              \
  TULLE_GOMP Part GOMP_##name##_static_worksharing_start(unsigned long long iterations) {              \
    if (omp::tool::active()) tell_begin(kind, iterations, TULLE_CALLER());                             \
    return part();                                                                                     \
  }                                                                                                    \
  TULLE_GOMP void GOMP_##name##_static_worksharing_dispatch(unsigned long long start,                  \
                                                            unsigned long long iterations) {           \
    if (omp::tool::active()) tell_chunk(DispatchKind::chunk, start, iterations);                       \
  }                                                                                                    \
  TULLE_GOMP void GOMP_##name##_static_worksharing_end() {                                             \
    if (omp::tool::active()) tell_end();                                                               \
  }                                                                                                    \
  static_assert(true)

TULLE_STATIC_LOOP(loop, WorkKind::loop_static, loop_chunk, part_of_team);
TULLE_STATIC_LOOP(distribute, WorkKind::distribute, distribute_chunk, part_of_league);

#undef TULLE_STATIC_LOOP
