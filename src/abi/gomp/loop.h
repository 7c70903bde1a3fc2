// SPDX-License-Identifier: Apache-2.0
// The common part of loops over long and over unsigned long long. Each schedule has
// entry points of its own, named by the clause: a modifier `monotonic`, or ordered, gives the plain
// name, no modifier `nonmonotonic_` (GCC 9 and later), and a chunk of 0 stands for none.
#pragma once

#include <cstdint>

#include "abi/gomp/work_share.h"
#include "omp/worksharing/loop.h"

namespace tulle::abi::gomp {

// libgomp gives each thread rising chunks with either name, and programs have come to rely on it.
inline constexpr bool kMonotonic = true;
inline constexpr bool kAnyOrder = true;

// As in libgomp: dynamic if nobody chose, and chunks of auto where run-sched-var has any.
inline omp::Schedule runtime_schedule(omp::Thread* thread, bool monotonic) {
  omp::Schedule schedule =
      omp::runtime_schedule(thread, monotonic, {omp::ScheduleKind::dynamic, false, 1});
  if (schedule.kind == omp::ScheduleKind::automatic && schedule.chunk > 1)
    schedule.kind = omp::ScheduleKind::fixed;
  return schedule;
}

// The schedule of GOMP_loop_start and its like. 0 is runtime; 4, auto in omp.h, is runtime with the
// modifier nonmonotonic, since the compiler itself makes auto static.
inline omp::Schedule schedule_of(omp::Thread* thread, long coded, uint64_t chunk) {
  constexpr long kMonotonicBit = 0x80000000, kRuntime = 0, kRuntimeAnyOrder = 4;
  long kind = coded & ~kMonotonicBit & 0xffffffff;
  if (kind == kRuntime || kind == kRuntimeAnyOrder) return runtime_schedule(thread, kMonotonic);
  return {static_cast<omp::ScheduleKind>(kind), kMonotonic, chunk};
}

template <class T>
TULLE_MAY_SUSPEND bool next_chunk(omp::Thread* thread, T* from, T* to) {
  omp::LoopChunk chunk;
  if (!omp::loop_next(thread, chunk)) return false;
  *from = static_cast<T>(chunk.first);
  *to = static_cast<T>(chunk.end);
  return true;
}

template <class T>
TULLE_MAY_SUSPEND bool begin_loop(omp::Thread* thread, const omp::LoopRequest& request, T* from,
                                  T* to) {
  omp::loop_begin(thread, request);
  return next_chunk(thread, from, to);
}

// Without addresses for a chunk the compiled code divides the loop itself (static), and wants only
// what is shared.
template <class T>
TULLE_MAY_SUSPEND bool begin_shared_loop(omp::Thread* thread, const omp::LoopRequest& request,
                                         T* from, T* to, uintptr_t* reductions, void** memory) {
  begin_shared(thread, reductions, memory);
  if (from == nullptr) return true;
  return begin_loop(thread, request, from, to);
}

}  // namespace tulle::abi::gomp
