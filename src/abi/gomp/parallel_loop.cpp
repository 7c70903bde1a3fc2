// SPDX-License-Identifier: Apache-2.0
// A parallel region that is one loop or one sections construct: the work-share is made with the
// team, and members begin with next. The forms with _start leave member 0's call to the program.
#include "abi/gomp/entry.h"
#include "abi/gomp/loop.h"
#include "abi/gomp/region.h"
#include "omp/region/parallel.h"
#include "omp/region/team_size.h"
#include "omp/tool/called.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

using gomp::kAnyOrder;
using gomp::kMonotonic;
using Kind = omp::ScheduleKind;

namespace {

void fork_with_loop(const omp::RegionRequest& region, omp::LoopRequest loop) {
  omp::Thread* outer = omp::self_or_attach();
  auto prepare = [](omp::Thread* primary, void* argument) {
    omp::loop_prepare(primary, *static_cast<const omp::LoopRequest*>(argument));
  };
  omp::fork(outer, region, omp::team_size(outer, region.num_threads), prepare, &loop);
}

void fork_with_sections(const omp::RegionRequest& region, uint32_t count) {
  omp::Thread* outer = omp::self_or_attach();
  auto prepare = [](omp::Thread* primary, void* argument) {
    omp::sections_prepare(primary, *static_cast<const uint32_t*>(argument));
  };
  omp::fork(outer, region, omp::team_size(outer, region.num_threads), prepare, &count);
}

omp::LoopRequest loop(long start, long end, long step, omp::Schedule schedule) {
  return {omp::space_until(start, end, step), schedule, false};
}

omp::LoopRequest runtime_loop(long start, long end, long step, bool monotonic) {
  return loop(start, end, step, gomp::runtime_schedule(omp::self_or_attach(), monotonic));
}

void run_and_join(omp::RegionFunction function, void* data) {
  function(data);
  omp::join();
}

}  // namespace

#define TULLE_PARALLEL_LOOP(name, kind, monotonic)                                            \
  TULLE_GOMP void GOMP_parallel_loop_##name(omp::RegionFunction function, void* data,         \
                                            unsigned num_threads, long start, long end,       \
                                            long step, long chunk, unsigned flags) {          \
    TULLE_CALLED();                                                                           \
    omp::Schedule schedule{kind, monotonic, static_cast<uint64_t>(chunk)};                    \
    fork_with_loop({function, data, num_threads, gomp::bind_of(flags)},                       \
                   loop(start, end, step, schedule));                                         \
    run_and_join(function, data);                                                             \
  }

#define TULLE_PARALLEL_RUNTIME_LOOP(name, monotonic)                                          \
  TULLE_GOMP void GOMP_parallel_loop_##name(omp::RegionFunction function, void* data,         \
                                            unsigned num_threads, long start, long end,       \
                                            long step, unsigned flags) {                      \
    TULLE_CALLED();                                                                           \
    fork_with_loop({function, data, num_threads, gomp::bind_of(flags)},                       \
                   runtime_loop(start, end, step, monotonic));                                \
    run_and_join(function, data);                                                             \
  }

#define TULLE_PARALLEL_LOOP_START(name, kind)                                                 \
  TULLE_GOMP void GOMP_parallel_loop_##name##_start(omp::RegionFunction function, void* data, \
                                                    unsigned num_threads, long start,         \
                                                    long end, long step, long chunk) {        \
    TULLE_CALLED();                                                                           \
    omp::Schedule schedule{kind, kMonotonic, static_cast<uint64_t>(chunk)};                   \
    fork_with_loop({function, data, num_threads}, loop(start, end, step, schedule));          \
  }

TULLE_PARALLEL_LOOP(static, Kind::fixed, kMonotonic)
TULLE_PARALLEL_LOOP(dynamic, Kind::dynamic, kMonotonic)
TULLE_PARALLEL_LOOP(guided, Kind::guided, kMonotonic)
TULLE_PARALLEL_LOOP(nonmonotonic_dynamic, Kind::dynamic, kAnyOrder)
TULLE_PARALLEL_LOOP(nonmonotonic_guided, Kind::guided, kAnyOrder)

TULLE_PARALLEL_RUNTIME_LOOP(runtime, kMonotonic)
TULLE_PARALLEL_RUNTIME_LOOP(nonmonotonic_runtime, kAnyOrder)
TULLE_PARALLEL_RUNTIME_LOOP(maybe_nonmonotonic_runtime, kAnyOrder)

TULLE_PARALLEL_LOOP_START(static, Kind::fixed)
TULLE_PARALLEL_LOOP_START(dynamic, Kind::dynamic)
TULLE_PARALLEL_LOOP_START(guided, Kind::guided)

TULLE_GOMP void GOMP_parallel_loop_runtime_start(omp::RegionFunction function, void* data,
                                                 unsigned num_threads, long start, long end,
                                                 long step) {
  TULLE_CALLED();
  fork_with_loop({function, data, num_threads}, runtime_loop(start, end, step, kMonotonic));
}

TULLE_GOMP void GOMP_parallel_sections(omp::RegionFunction function, void* data,
                                       unsigned num_threads, unsigned count, unsigned flags) {
  TULLE_CALLED();
  fork_with_sections({function, data, num_threads, gomp::bind_of(flags)}, count);
  run_and_join(function, data);
}

TULLE_GOMP void GOMP_parallel_sections_start(omp::RegionFunction function, void* data,
                                             unsigned num_threads, unsigned count) {
  TULLE_CALLED();
  fork_with_sections({function, data, num_threads}, count);
}
