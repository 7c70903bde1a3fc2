// SPDX-License-Identifier: Apache-2.0
//
// Loops whose chunks are dealt out at run time, for Clang, Flang and Intel's compilers: init, then
// next until it gives 0, which ends the loop. Bounds are inclusive. Sections of Intel's compilers (the
// others make them a static loop).
#include "abi/kmp/context.h"
#include "abi/kmp/layout.h"
#include "omp/tool/called.h"
#include "omp/worksharing/loop.h"
#include "omp/worksharing/told.h"

namespace tulle::kmp {
namespace {

// The schedule of a loop. Those of the simd schedules are divided in blocks of the vector's length, which
// comes as their chunk.
struct Loop {
  omp::LoopSpace space;
  omp::Schedule schedule;
};

omp::Schedule run_schedule(omp::Thread* thread, bool monotonic) {
  return omp::runtime_schedule(thread, monotonic, {omp::ScheduleKind::fixed, true, 0});
}

// 0 for a chunk that was not given.
omp::Schedule translate(omp::Thread* thread, int32_t schedule, uint64_t chunk) {
  const bool monotonic = schedule & kScheduleMonotonic;
  switch (schedule_code(schedule)) {
    case ScheduleCode::static_chunked:
      return {omp::ScheduleKind::fixed, true, chunk != 0 ? chunk : 1};
    case ScheduleCode::static_even:
    case ScheduleCode::static_greedy:
    case ScheduleCode::static_balanced:
      return {omp::ScheduleKind::fixed, true, 0};
    case ScheduleCode::guided_chunked:
    case ScheduleCode::guided_iterative:
    case ScheduleCode::guided_analytical:
    case ScheduleCode::trapezoidal:
      return {omp::ScheduleKind::guided, monotonic, chunk};
    case ScheduleCode::runtime:
      return run_schedule(thread, monotonic);
    case ScheduleCode::automatic:
      return {omp::ScheduleKind::automatic, monotonic, 0};
    default:
      return {omp::ScheduleKind::dynamic, monotonic, chunk};
  }
}

bool is_simd(ScheduleCode code) {
  return code >= ScheduleCode::static_balanced_chunked && code <= ScheduleCode::runtime_simd;
}

// The even division of libomp's static_balanced_chunked: all threads but the last ones get as many blocks.
omp::Schedule block_schedule(omp::Thread* thread, int32_t schedule, uint64_t blocks) {
  const ScheduleCode code = schedule_code(schedule);
  const bool monotonic = schedule & kScheduleMonotonic;
  if (code == ScheduleCode::guided_simd) return {omp::ScheduleKind::guided, monotonic, 1};
  if (code == ScheduleCode::runtime_simd) {
    const omp::Schedule chosen = run_schedule(thread, monotonic);
    const bool even = chosen.kind == omp::ScheduleKind::automatic ||
                      (chosen.kind == omp::ScheduleKind::fixed && chosen.chunk == 0);
    if (!even) return chosen;
  }
  const uint64_t threads = thread->team->nthreads;
  return {omp::ScheduleKind::fixed, true, blocks / threads + (blocks % threads != 0 ? 1 : 0)};
}

Loop loop_of(omp::Thread* thread, const omp::LoopSpace& space, int32_t schedule, int64_t chunk) {
  const uint64_t size = chunk > 0 ? static_cast<uint64_t>(chunk) : 0;
  if (TULLE_LIKELY(!is_simd(schedule_code(schedule))))
    return {space, translate(thread, schedule, size)};
  const omp::LoopSpace blocks = space.in_blocks(size != 0 ? size : 1);
  return {blocks, block_schedule(thread, schedule, blocks.trips)};
}

template <class T>
void init(int32_t schedule, Bounds<T> bounds, std::make_signed_t<T> step, int64_t chunk) {
  omp::Thread* thread = omp::self_or_attach();
  const Loop loop = loop_of(thread, omp::space_through<T>(bounds.lower, bounds.upper, step),
                            schedule, chunk);
  omp::loop_begin(thread, {.space = loop.space,
                           .schedule = loop.schedule,
                           .ordered = (schedule & kScheduleOrdered) != 0});
}

// The team's even part of the space; its threads divide it as the schedule says.
template <class T>
void init_distributed(int32_t schedule, int32_t* last, Bounds<T> space,
                      std::make_signed_t<T> step, int64_t chunk) {
  if (last) *last = 0;
  if (!space.empty(step)) {
    const Part<T> team = split_even(space, step, league_share());
    space = team.bounds;
    if (last) *last = team.last;
  }
  init(schedule, space, step, chunk);
}

template <class T>
int32_t next(int32_t* last, T* lower, T* upper, std::make_signed_t<T>* stride) {
  omp::Thread* thread = omp::self();
  omp::LoopChunk chunk;
  if (!omp::loop_next(thread, chunk)) {
    omp::loop_end(omp::self());
    return 0;
  }
  *lower = static_cast<T>(chunk.first);
  *upper = static_cast<T>(chunk.end - chunk.unit);
  if (stride) *stride = static_cast<std::make_signed_t<T>>(chunk.unit);
  if (last) *last = chunk.last;
  return 1;
}

}  // namespace

// The stride that `next` returns is the step that the caller gave to `init`. `fini` ends an iteration of an
// ordered loop, whose ordered region has told that already; `deinit` ends a loop, as the last `next` did.
#define TULLE_DISPATCH(suffix, T, S)                                                             \
  TULLE_KMP void __kmpc_dispatch_init_##suffix(Ident*, int32_t, int32_t schedule, T lower,       \
                                               T upper, S step, S chunk) {                       \
    TULLE_CALLED();                                                                              \
    init<T>(schedule, {lower, upper}, step, chunk);                                              \
  }                                                                                              \
  TULLE_KMP void __kmpc_dist_dispatch_init_##suffix(Ident*, int32_t, int32_t schedule,           \
                                                    int32_t* last, T lower, T upper, S step,     \
                                                    S chunk) {                                   \
    TULLE_CALLED();                                                                              \
    init_distributed<T>(schedule, last, {lower, upper}, step, chunk);                            \
  }                                                                                              \
  TULLE_KMP int32_t __kmpc_dispatch_next_##suffix(Ident*, int32_t, int32_t* last, T* lower,      \
                                                  T* upper, S* stride) {                         \
    return next<T>(last, lower, upper, stride);                                                  \
  }                                                                                              \
  TULLE_KMP void __kmpc_dispatch_fini_##suffix(Ident*, int32_t) {}

TULLE_DISPATCH(4, int32_t, int32_t)
TULLE_DISPATCH(4u, uint32_t, int32_t)
TULLE_DISPATCH(8, int64_t, int64_t)
TULLE_DISPATCH(8u, uint64_t, int64_t)

#undef TULLE_DISPATCH

TULLE_KMP void __kmpc_dispatch_deinit(Ident*, int32_t) {}

TULLE_KMP void __kmpc_ordered(Ident*, int32_t) { omp::enter_ordered(); }
TULLE_KMP void __kmpc_end_ordered(Ident*, int32_t) { omp::leave_ordered(); }

}  // namespace tulle::kmp
