// SPDX-License-Identifier: Apache-2.0
// Loops over unsigned long long; the direction comes apart, and the step of one that goes down is
// in two's complement. Their ends are those of loop.cpp.
#include "abi/gomp/entry.h"
#include "abi/gomp/loop.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

using gomp::kAnyOrder;
using gomp::kMonotonic;
using Kind = omp::ScheduleKind;
using ull = unsigned long long;

namespace {

omp::LoopRequest loop(bool up, ull start, ull end, ull step, omp::Schedule schedule, bool ordered) {
  return {omp::space_until<uint64_t>(start, end, step, up), schedule, ordered};
}

bool start_with(bool up, ull start, ull end, ull step, omp::Schedule schedule, bool ordered,
                ull* from, ull* to) {
  return gomp::begin_loop(omp::self_or_attach(), loop(up, start, end, step, schedule, ordered),
                          from, to);
}

bool start_runtime(bool up, ull start, ull end, ull step, bool monotonic, bool ordered, ull* from,
                   ull* to) {
  omp::Schedule schedule = omp::runtime_schedule(omp::self_or_attach(), monotonic);
  return start_with(up, start, end, step, schedule, ordered, from, to);
}

bool start_shared(bool up, ull start, ull end, ull step, long coded, ull chunk, bool ordered,
                  ull* from, ull* to, uintptr_t* reductions, void** memory) {
  omp::Thread* thread = omp::self_or_attach();
  omp::Schedule schedule = gomp::schedule_of(thread, coded, chunk);
  return gomp::begin_shared_loop(thread, loop(up, start, end, step, schedule, ordered), from, to,
                                 reductions, memory);
}

}  // namespace

#define TULLE_LOOP_NEXT(name)                                       \
  TULLE_GOMP bool GOMP_loop_ull_##name##_next(ull* from, ull* to) { \
    return gomp::next_chunk(omp::self(), from, to);                 \
  }

#define TULLE_LOOP(name, kind, monotonic, ordered)                                            \
  TULLE_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step,         \
                                               ull chunk, ull* from, ull* to) {               \
    return start_with(up, start, end, step, {kind, monotonic, chunk}, ordered, from, to);     \
  }                                                                                           \
  TULLE_LOOP_NEXT(name)

#define TULLE_RUNTIME_LOOP(name, monotonic, ordered)                                          \
  TULLE_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step,         \
                                               ull* from, ull* to) {                          \
    return start_runtime(up, start, end, step, monotonic, ordered, from, to);                 \
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

TULLE_GOMP bool GOMP_loop_ull_start(bool up, ull start, ull end, ull step, long schedule,
                                    ull chunk, ull* from, ull* to, uintptr_t* reductions,
                                    void** memory) {
  return start_shared(up, start, end, step, schedule, chunk, false, from, to, reductions, memory);
}

TULLE_GOMP bool GOMP_loop_ull_ordered_start(bool up, ull start, ull end, ull step, long schedule,
                                            ull chunk, ull* from, ull* to, uintptr_t* reductions,
                                            void** memory) {
  return start_shared(up, start, end, step, schedule, chunk, true, from, to, reductions, memory);
}
