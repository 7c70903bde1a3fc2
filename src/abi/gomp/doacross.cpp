// SPDX-License-Identifier: Apache-2.0
// Loops with cross-iteration dependences, over trip numbers from 0: `counts` has the trips of each
// dimension, of which the first is divided among threads. The next functions and ends are those of
// other loops. Waits are for trips that exist.
#include <cstdarg>

#include "abi/gomp/entry.h"
#include "abi/gomp/loop.h"
#include "base/contract.h"
#include "omp/tool/called.h"
#include "omp/worksharing/doacross.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

using gomp::kAnyOrder;
using gomp::kMonotonic;
using Kind = omp::ScheduleKind;
using ull = unsigned long long;

namespace {

static_assert(sizeof(long) == sizeof(uint64_t) && sizeof(ull) == sizeof(uint64_t));

// The program's numbers as the runtime's: same width, none negative.
template <class T>
const uint64_t* trips(const T* numbers) {
  return reinterpret_cast<const uint64_t*>(numbers);
}

template <class T>
bool start(omp::Thread* thread, unsigned dimensions, const T* counts, omp::Schedule schedule,
           T* from, T* to) {
  omp::doacross_loop_begin(thread, trips(counts), dimensions, schedule);
  return gomp::next_chunk(thread, from, to);
}

template <class T>
bool start_shared(unsigned dimensions, const T* counts, long coded, T chunk, T* from, T* to,
                  uintptr_t* reductions, void** memory) {
  omp::Thread* thread = omp::self_or_attach();
  omp::Schedule schedule = gomp::schedule_of(thread, coded, static_cast<uint64_t>(chunk));
  gomp::begin_shared(thread, reductions, memory);
  return start(thread, dimensions, counts, schedule, from, to);
}

constexpr uint32_t kMaxDimensions = 64;

// `first` and the numbers behind it, one for each dimension of the loop in force.
template <class T>
void wait_for(T first, va_list others) {
  omp::Thread* thread = omp::self();
  uint32_t dimensions = omp::doacross_loop_dimensions(thread);
  TULLE_REQUIRE(dimensions <= kMaxDimensions);
  uint64_t trip[kMaxDimensions] = {static_cast<uint64_t>(first)};
  for (uint32_t i = 1; i < dimensions; ++i)
    trip[i] = static_cast<uint64_t>(va_arg(others, T));
  omp::doacross_loop_wait(thread, trip);
}

}  // namespace

#define TULLE_DOACROSS(prefix, type, name, kind)                                              \
  TULLE_GOMP bool GOMP_loop_##prefix##doacross_##name##_start(                                \
      unsigned dimensions, type* counts, type chunk, type* from, type* to) {                  \
    TULLE_CALLED();                                                                           \
    omp::Schedule schedule{kind, kMonotonic, static_cast<uint64_t>(chunk)};                   \
    return start(omp::self_or_attach(), dimensions, counts, schedule, from, to);              \
  }

#define TULLE_DOACROSS_LOOPS(prefix, type)                                                    \
  TULLE_DOACROSS(prefix, type, static, Kind::fixed)                                           \
  TULLE_DOACROSS(prefix, type, dynamic, Kind::dynamic)                                        \
  TULLE_DOACROSS(prefix, type, guided, Kind::guided)                                          \
  TULLE_GOMP bool GOMP_loop_##prefix##doacross_runtime_start(unsigned dimensions,             \
                                                             type* counts, type* from,        \
                                                             type* to) {                      \
    TULLE_CALLED();                                                                           \
    omp::Thread* thread = omp::self_or_attach();                                              \
    return start(thread, dimensions, counts, gomp::runtime_schedule(thread, kMonotonic), from, \
                 to);                                                                         \
  }                                                                                           \
  TULLE_GOMP bool GOMP_loop_##prefix##doacross_start(                                         \
      unsigned dimensions, type* counts, long schedule, type chunk, type* from, type* to,     \
      uintptr_t* reductions, void** memory) {                                                 \
    TULLE_CALLED();                                                                           \
    return start_shared(dimensions, counts, schedule, chunk, from, to, reductions, memory);   \
  }                                                                                           \
  TULLE_GOMP void GOMP_doacross_##prefix##post(type* trip) {                                  \
    omp::doacross_loop_post(omp::self(), trips(trip));                                        \
  }                                                                                           \
  TULLE_GOMP void GOMP_doacross_##prefix##wait(type first, ...) {                             \
    va_list others;                                                                           \
    va_start(others, first);                                                                  \
    wait_for(first, others);                                                                  \
    va_end(others);                                                                           \
  }

TULLE_DOACROSS_LOOPS(, long)
TULLE_DOACROSS_LOOPS(ull_, ull)
