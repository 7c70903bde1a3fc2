// SPDX-License-Identifier: Apache-2.0
// Every loop entry point of GCC's interface, also those that today's GCC no longer emits: each
// iteration runs once, chunks lie in the loop's direction, ordered regions come in order.
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

typedef unsigned long long ull;

#define EACH_CHUNKED(F) F(static) F(dynamic) F(guided)
#define EACH_PLAIN(F) EACH_CHUNKED(F) F(nonmonotonic_dynamic) F(nonmonotonic_guided)
#define EACH_RUNTIME(F) F(runtime) F(nonmonotonic_runtime) F(maybe_nonmonotonic_runtime)
#define EACH_ORDERED(F) F(ordered_static) F(ordered_dynamic) F(ordered_guided)

#define DECLARE(name)                                                              \
  bool GOMP_loop_##name##_start(long, long, long, long, long *, long *);           \
  bool GOMP_loop_##name##_next(long *, long *);                                    \
  bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull, ull *, ull *);       \
  bool GOMP_loop_ull_##name##_next(ull *, ull *);
#define DECLARE_RUNTIME(name)                                                      \
  bool GOMP_loop_##name##_start(long, long, long, long *, long *);                 \
  bool GOMP_loop_##name##_next(long *, long *);                                    \
  bool GOMP_loop_ull_##name##_start(bool, ull, ull, ull, ull *, ull *);            \
  bool GOMP_loop_ull_##name##_next(ull *, ull *);
EACH_PLAIN(DECLARE)
EACH_ORDERED(DECLARE)
EACH_RUNTIME(DECLARE_RUNTIME)
DECLARE_RUNTIME(ordered_runtime)
bool GOMP_loop_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ordered_start(long, long, long, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *, void **);
bool GOMP_loop_ull_ordered_start(bool, ull, ull, ull, long, ull, ull *, ull *, uintptr_t *,
                                 void **);
void GOMP_loop_end(void);
void GOMP_loop_end_nowait(void);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);

enum { LIMIT = 400 };

static int hits[LIMIT];
static long ordered_last;

struct shape {
  long start, end, step, chunk;
};

static long trips(struct shape s) {
  long span = s.step > 0 ? s.end - s.start : s.start - s.end, step = labs(s.step);
  return span <= 0 ? 0 : (span + step - 1) / step;
}

static void run_chunk(struct shape s, long from, long to, bool ordered) {
  EXPECT(s.step > 0 ? from < to : from > to, "chunk from %ld to %ld", from, to);
  for (long i = from; s.step > 0 ? i < to : i > to; i += s.step) {
    long trip = (i - s.start) / s.step;
    EXPECT(trip >= 0 && trip < trips(s) && trip * s.step + s.start == i, "iteration %ld", i);
    __atomic_add_fetch(&hits[trip], 1, __ATOMIC_RELAXED);
    if (!ordered) continue;
    GOMP_ordered_start();
    EXPECT(ordered_last == trip, "trip %ld comes after %ld", trip, ordered_last);
    ordered_last = trip + 1;
    GOMP_ordered_end();
  }
}

static void begin(void) {
#pragma omp single
  {
    memset(hits, 0, sizeof hits);
    ordered_last = 0;
  }
}

static void end(struct shape s, const char *name) {
  if (s.chunk & 1)
    GOMP_loop_end();
  else
    GOMP_loop_end_nowait();
#pragma omp barrier
#pragma omp single
  for (long trip = 0; trip < LIMIT; trip++)
    EXPECT(hits[trip] == (trip < trips(s)), "%s: trip %ld ran %d times (%ld to %ld by %ld)", name,
           trip, hits[trip], s.start, s.end, s.step);
}

#define RUN_LONG(name, ordered, next, ...)                      \
  begin();                                                      \
  if (GOMP_loop_##name(__VA_ARGS__)) do                         \
      run_chunk(s, from, to, ordered);                          \
    while (GOMP_loop_##next(&from, &to));                       \
  end(s, #name);

// An unsigned loop that crosses zero would be another loop.
#define RUN_ULL(name, ordered, next, ...)                       \
  if (s.start >= 0 && s.end >= 0) {                             \
    begin();                                                    \
    if (GOMP_loop_ull_##name(__VA_ARGS__)) do                   \
        run_chunk(s, (long)ufrom, (long)uto, ordered);          \
      while (GOMP_loop_ull_##next(&ufrom, &uto));               \
    end(s, "ull_" #name);                                       \
  }

#define CHUNKED(name)                                                                         \
  RUN_LONG(name##_start, false, name##_next, s.start, s.end, s.step, s.chunk, &from, &to)     \
  RUN_ULL(name##_start, false, name##_next, s.step > 0, s.start, s.end, s.step, s.chunk,      \
          &ufrom, &uto)
#define RUNTIME(name)                                                                         \
  RUN_LONG(name##_start, false, name##_next, s.start, s.end, s.step, &from, &to)              \
  RUN_ULL(name##_start, false, name##_next, s.step > 0, s.start, s.end, s.step, &ufrom, &uto)
#define ORDERED(name)                                                                         \
  RUN_LONG(name##_start, true, name##_next, s.start, s.end, s.step, s.chunk, &from, &to)      \
  RUN_ULL(name##_start, true, name##_next, s.step > 0, s.start, s.end, s.step, s.chunk,       \
          &ufrom, &uto)

static void named_loops(struct shape s) {
  long from, to;
  ull ufrom, uto;
  EACH_PLAIN(CHUNKED)
  EACH_RUNTIME(RUNTIME)
  EACH_ORDERED(ORDERED)
  RUN_LONG(ordered_runtime_start, true, ordered_runtime_next, s.start, s.end, s.step, &from, &to)
  RUN_ULL(ordered_runtime_start, true, ordered_runtime_next, s.step > 0, s.start, s.end, s.step,
          &ufrom, &uto)
}

// The forms that are told the schedule: every kind, monotonic or not, with zeroed memory that the
// team shares. `next` may be named after the clause's schedule.
static void told_loops(struct shape s) {
  static const long kinds[] = {0, 1, 2, 3, 4, 0x80000000L, 0x80000001L, 0x80000002L, 0x80000003L};
  for (unsigned k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    long kind = kinds[k], from, to;
    ull ufrom, uto;
    void *memory = (void *)64, *shared;
    begin();
    bool more = GOMP_loop_start(s.start, s.end, s.step, kind, s.chunk, &from, &to, NULL, &memory);
    __atomic_add_fetch((long *)memory + 7, 1, __ATOMIC_RELAXED);
    for (; more; more = GOMP_loop_runtime_next(&from, &to)) run_chunk(s, from, to, false);
#pragma omp barrier
    EXPECT_EQ(((long *)memory)[7], omp_get_num_threads());
    for (int word = 0; word < 7; word++) EXPECT_EQ(((long *)memory)[word], 0);
    shared = memory;
    EXPECT(shared == memory);
    end(s, "start");
    RUN_LONG(ordered_start, true, ordered_runtime_next, s.start, s.end, s.step, kind, s.chunk,
             &from, &to, NULL, NULL)
    RUN_ULL(start, false, runtime_next, s.step > 0, s.start, s.end, s.step, kind, s.chunk, &ufrom,
            &uto, NULL, NULL)
    RUN_ULL(ordered_start, true, ordered_runtime_next, s.step > 0, s.start, s.end, s.step, kind,
            s.chunk, &ufrom, &uto, NULL, NULL)
  }
}

int main(void) {
  static const struct shape shapes[] = {
      {0, 100, 1, 1},   {0, 101, 1, 7},  {5, 6, 1, 2},        {10, 10, 1, 3},
      {300, 0, -1, 4},  {37, -41, -3, 5}, {-7, 292, 3, 1000}, {100, 90, 1, 1},
  };
  for (omp_sched_t kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
    omp_set_schedule(kind, 3);
    for (unsigned i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
#pragma omp parallel
      {
        named_loops(shapes[i]);
        if (kind == omp_sched_dynamic) told_loops(shapes[i]);
      }
    }
  }
  return 0;
}
