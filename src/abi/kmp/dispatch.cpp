// SPDX-License-Identifier: Apache-2.0
//
// Loops whose chunks are dealt out at run time, for Clang, Flang and Intel's compilers: init, then
// next until it gives 0, which ends the loop. Bounds are inclusive. Sections of Intel's compilers (the
// others make them a static loop).
#include "abi/kmp/context.h"
#include "abi/kmp/layout.h"
#include "omp/worksharing/loop.h"
#include "omp/worksharing/ordered.h"

namespace tulle::kmp {
namespace {

// 0 for a chunk that was not given.
omp::Schedule translate(omp::Thread* thread, int32_t schedule, int64_t chunk) {
  const bool monotonic = schedule & kScheduleMonotonic;
  const uint64_t size = chunk > 0 ? static_cast<uint64_t>(chunk) : 0;
  switch (schedule_code(schedule)) {
    case ScheduleCode::static_chunked:
    case ScheduleCode::static_balanced_chunked:
      return {omp::ScheduleKind::fixed, true, size != 0 ? size : 1};
    case ScheduleCode::static_even:
    case ScheduleCode::static_greedy:
    case ScheduleCode::static_balanced:
      return {omp::ScheduleKind::fixed, true, 0};
    case ScheduleCode::guided_chunked:
    case ScheduleCode::guided_iterative:
    case ScheduleCode::guided_analytical:
    case ScheduleCode::guided_simd:
    case ScheduleCode::trapezoidal:
      return {omp::ScheduleKind::guided, monotonic, size};
    case ScheduleCode::runtime:
    case ScheduleCode::runtime_simd:
      return omp::runtime_schedule(thread, monotonic);
    case ScheduleCode::automatic:
      return {omp::ScheduleKind::automatic, monotonic, 0};
    default:
      return {omp::ScheduleKind::dynamic, monotonic, size};
  }
}

template <class T>
void init(int32_t schedule, Bounds<T> bounds, std::make_signed_t<T> step, int64_t chunk) {
  omp::Thread* thread = omp::self_or_attach();
  omp::loop_begin(thread, {.space = omp::space_through<T>(bounds.lower, bounds.upper, step),
                           .schedule = translate(thread, schedule, chunk),
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
int32_t next(int32_t* last, T* lower, T* upper) {
  omp::Thread* thread = omp::self();
  omp::LoopChunk chunk;
  if (!omp::loop_next(thread, chunk)) {
    omp::loop_end(omp::self());
    return 0;
  }
  *lower = static_cast<T>(chunk.first);
  *upper = static_cast<T>(chunk.final);
  if (last) *last = chunk.last;
  return 1;
}

}  // namespace

// The stride that `next` could return is the step that the caller gave to `init`: compiled code keeps
// that itself, so it stays as it is. `fini` ends an iteration of an ordered loop, whose ordered region
// has told that already; `deinit` ends a loop, as the last `next` did.
#define TULLE_DISPATCH(suffix, T, S)                                                             \
  TULLE_KMP void __kmpc_dispatch_init_##suffix(Ident*, int32_t, int32_t schedule, T lower,       \
                                               T upper, S step, S chunk) {                       \
    init<T>(schedule, {lower, upper}, step, chunk);                                              \
  }                                                                                              \
  TULLE_KMP void __kmpc_dist_dispatch_init_##suffix(Ident*, int32_t, int32_t schedule,           \
                                                    int32_t* last, T lower, T upper, S step,     \
                                                    S chunk) {                                   \
    init_distributed<T>(schedule, last, {lower, upper}, step, chunk);                            \
  }                                                                                              \
  TULLE_KMP int32_t __kmpc_dispatch_next_##suffix(Ident*, int32_t, int32_t* last, T* lower,      \
                                                  T* upper, S*) {                                \
    return next<T>(last, lower, upper);                                                          \
  }                                                                                              \
  TULLE_KMP void __kmpc_dispatch_fini_##suffix(Ident*, int32_t) {}

TULLE_DISPATCH(4, int32_t, int32_t)
TULLE_DISPATCH(4u, uint32_t, int32_t)
TULLE_DISPATCH(8, int64_t, int64_t)
TULLE_DISPATCH(8u, uint64_t, int64_t)

#undef TULLE_DISPATCH

TULLE_KMP void __kmpc_dispatch_deinit(Ident*, int32_t) {}

TULLE_KMP void __kmpc_ordered(Ident*, int32_t) { omp::ordered_begin(omp::self_or_attach()); }
TULLE_KMP void __kmpc_end_ordered(Ident*, int32_t) { omp::ordered_end(omp::self()); }

}  // namespace tulle::kmp
