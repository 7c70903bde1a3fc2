// SPDX-License-Identifier: Apache-2.0
// Loops over long, and those over unsigned long long, whose direction comes apart; the step of one
// of these that goes down is in two's complement. start: the loop, and the thread's first chunk;
// next: one more. False: none left. Ends follow in any case, the same for both.
#include "abi/gomp/loop.h"

#include "abi/gomp/entry.h"
#include "omp/tool/called.h"
#include "omp/worksharing/told.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

using gomp::kAnyOrder;
using gomp::kMonotonic;
using Kind = omp::ScheduleKind;
using ull = unsigned long long;

namespace {

omp::LoopSpace space(long start, long end, long step) {
  return omp::space_until(start, end, step);
}

omp::LoopSpace space(bool up, ull start, ull end, ull step) {
  return omp::space_until<uint64_t>(start, end, step, up);
}

template <class T>
bool start_with(const omp::LoopSpace& space, T chunk, Kind kind, bool monotonic, bool ordered,
                T* from, T* to) {
  omp::Schedule schedule{kind, monotonic, static_cast<uint64_t>(chunk)};
  return gomp::begin_loop(omp::self_or_attach(), {space, schedule, ordered}, from, to);
}

template <class T>
bool start_runtime(const omp::LoopSpace& space, bool monotonic, bool ordered, T* from, T* to) {
  omp::Thread* thread = omp::self_or_attach();
  omp::Schedule schedule = gomp::runtime_schedule(thread, monotonic);
  return gomp::begin_loop(thread, {space, schedule, ordered}, from, to);
}

template <class T>
bool start_shared(const omp::LoopSpace& space, long coded, T chunk, bool ordered, T* from, T* to,
                  uintptr_t* reductions, void** memory) {
  omp::Thread* thread = omp::self_or_attach();
  omp::Schedule schedule = gomp::schedule_of(thread, coded, static_cast<uint64_t>(chunk));
  return gomp::begin_shared_loop(thread, {space, schedule, ordered}, from, to, reductions, memory);
}

}  // namespace

#define TULLE_LOOP_NEXT(name)                                         \
  TULLE_GOMP bool GOMP_loop_##name##_next(long* from, long* to) {     \
    return gomp::next_chunk(omp::self(), from, to);                   \
  }                                                                   \
  TULLE_GOMP bool GOMP_loop_ull_##name##_next(ull* from, ull* to) {   \
    return gomp::next_chunk(omp::self(), from, to);                   \
  }

#define TULLE_LOOP(name, kind, monotonic, ordered)                                               \
  TULLE_GOMP bool GOMP_loop_##name##_start(long start, long end, long step, long chunk,          \
                                           long* from, long* to) {                               \
    TULLE_CALLED();                                                                              \
    return start_with(space(start, end, step), chunk, kind, monotonic, ordered, from, to);       \
  }                                                                                              \
  TULLE_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step, ull chunk, \
                                               ull* from, ull* to) {                             \
    TULLE_CALLED();                                                                              \
    return start_with(space(up, start, end, step), chunk, kind, monotonic, ordered, from, to);   \
  }                                                                                              \
  TULLE_LOOP_NEXT(name)

#define TULLE_RUNTIME_LOOP(name, monotonic, ordered)                                           \
  TULLE_GOMP bool GOMP_loop_##name##_start(long start, long end, long step, long* from,        \
                                           long* to) {                                         \
    TULLE_CALLED();                                                                             \
    return start_runtime(space(start, end, step), monotonic, ordered, from, to);               \
  }                                                                                            \
  TULLE_GOMP bool GOMP_loop_ull_##name##_start(bool up, ull start, ull end, ull step,          \
                                               ull* from, ull* to) {                           \
    TULLE_CALLED();                                                                             \
    return start_runtime(space(up, start, end, step), monotonic, ordered, from, to);           \
  }                                                                                            \
  TULLE_LOOP_NEXT(name)

#define TULLE_SHARED_LOOP(name, ordered)                                                         \
  TULLE_GOMP bool GOMP_loop_##name(long start, long end, long step, long schedule, long chunk,   \
                                   long* from, long* to, uintptr_t* reductions, void** memory) { \
    TULLE_CALLED();                                                                             \
    return start_shared(space(start, end, step), schedule, chunk, ordered, from, to, reductions, \
                        memory);                                                                 \
  }                                                                                              \
  TULLE_GOMP bool GOMP_loop_ull_##name(bool up, ull start, ull end, ull step, long schedule,     \
                                       ull chunk, ull* from, ull* to, uintptr_t* reductions,     \
                                       void** memory) {                                          \
    TULLE_CALLED();                                                                             \
    return start_shared(space(up, start, end, step), schedule, chunk, ordered, from, to,         \
                        reductions, memory);                                                     \
  }

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

TULLE_SHARED_LOOP(start, false)
TULLE_SHARED_LOOP(ordered_start, true)

// The ends of all loops, doacross ones included.
TULLE_GOMP void GOMP_loop_end() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  omp::meet(omp::tool::SyncKind::barrier_workshare);
}

TULLE_GOMP void GOMP_loop_end_nowait() { omp::loop_end(omp::self_or_attach()); }

TULLE_GOMP bool GOMP_loop_end_cancel() {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_end(thread);
  return omp::meet_cancellable(omp::tool::SyncKind::barrier_workshare);
}

TULLE_GOMP void GOMP_ordered_start() { omp::enter_ordered(); }
TULLE_GOMP void GOMP_ordered_end() { omp::leave_ordered(); }
