// SPDX-License-Identifier: Apache-2.0
// Loops over long. start: the loop, and the thread's first chunk; next: one more. False: none left.
// Ends follow in any case.
#include "abi/gomp/loop.h"

#include "abi/gomp/entry.h"
#include "omp/barrier.h"
#include "omp/ordered.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

using gomp::kAnyOrder;
using gomp::kMonotonic;
using Kind = omp::ScheduleKind;

namespace {

omp::LoopRequest loop(long start, long end, long step, omp::Schedule schedule, bool ordered) {
  return {omp::space_until(start, end, step), schedule, ordered};
}

bool start_with(long start, long end, long step, omp::Schedule schedule, bool ordered, long* from,
                long* to) {
  return gomp::begin_loop(omp::self_or_attach(), loop(start, end, step, schedule, ordered), from,
                          to);
}

bool start_runtime(long start, long end, long step, bool monotonic, bool ordered, long* from,
                   long* to) {
  omp::Schedule schedule = omp::runtime_schedule(omp::self_or_attach(), monotonic);
  return start_with(start, end, step, schedule, ordered, from, to);
}

bool start_shared(long start, long end, long step, long coded, long chunk, bool ordered,
                  long* from, long* to, uintptr_t* reductions, void** memory) {
  omp::Thread* thread = omp::self_or_attach();
  omp::Schedule schedule = gomp::schedule_of(thread, coded, static_cast<uint64_t>(chunk));
  return gomp::begin_shared_loop(thread, loop(start, end, step, schedule, ordered), from, to,
                                 reductions, memory);
}

}  // namespace

#define TULLE_LOOP_NEXT(name)                                   \
  TULLE_GOMP bool GOMP_loop_##name##_next(long* from, long* to) { \
    return gomp::next_chunk(omp::self(), from, to);             \
  }

#define TULLE_LOOP(name, kind, monotonic, ordered)                                            \
  TULLE_GOMP bool GOMP_loop_##name##_start(long start, long end, long step, long chunk,       \
                                           long* from, long* to) {                            \
    omp::Schedule schedule{kind, monotonic, static_cast<uint64_t>(chunk)};                    \
    return start_with(start, end, step, schedule, ordered, from, to);                         \
  }                                                                                           \
  TULLE_LOOP_NEXT(name)

#define TULLE_RUNTIME_LOOP(name, monotonic, ordered)                                          \
  TULLE_GOMP bool GOMP_loop_##name##_start(long start, long end, long step, long* from,       \
                                           long* to) {                                        \
    return start_runtime(start, end, step, monotonic, ordered, from, to);                     \
  }                                                                                           \
  TULLE_LOOP_NEXT(name)

TULLE_LOOP(static, Kind::fixed, kMonotonic, false)
TULLE_LOOP(dynamic, Kind::dynamic, kMonotonic, false)
TULLE_LOOP(guided, Kind::guided, kMonotonic, false)
TULLE_LOOP(nonmonotonic_dynamic, Kind::dynamic, kAnyOrder, false)
TULLE_LOOP(nonmonotonic_guided, Kind::guided, kAnyOrder, false)
TULLE_LOOP(ordered_static, Kind::fixed, kMonotonic, true)
TULLE_LOOP(ordered_dynamic, Kind::dynamic, kMonotonic, true)
TULLE_LOOP(ordered_guided, Kind::guided, kMonotonic, true)

TULLE_RUNTIME_LOOP(runtime, kMonotonic, false)
TULLE_RUNTIME_LOOP(nonmonotonic_runtime, kAnyOrder, false)
TULLE_RUNTIME_LOOP(maybe_nonmonotonic_runtime, kAnyOrder, false)
TULLE_RUNTIME_LOOP(ordered_runtime, kMonotonic, true)

TULLE_GOMP bool GOMP_loop_start(long start, long end, long step, long schedule, long chunk,
                                long* from, long* to, uintptr_t* reductions, void** memory) {
  return start_shared(start, end, step, schedule, chunk, false, from, to, reductions, memory);
}

TULLE_GOMP bool GOMP_loop_ordered_start(long start, long end, long step, long schedule, long chunk,
                                        long* from, long* to, uintptr_t* reductions,
                                        void** memory) {
  return start_shared(start, end, step, schedule, chunk, true, from, to, reductions, memory);
}

// The ends of all loops, doacross and unsigned ones included.
TULLE_GOMP void GOMP_loop_end() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  omp::barrier(thread);
}

TULLE_GOMP void GOMP_loop_end_nowait() { omp::loop_end(omp::self_or_attach()); }

TULLE_GOMP bool GOMP_loop_end_cancel() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  return omp::barrier_cancellable(thread);
}

TULLE_GOMP void GOMP_ordered_start() { omp::ordered_begin(omp::self_or_attach()); }
TULLE_GOMP void GOMP_ordered_end() { omp::ordered_end(omp::self_or_attach()); }
