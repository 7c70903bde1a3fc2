// SPDX-License-Identifier: Apache-2.0
// Chunks of guided loops (OpenMP 5.2 §11.5.3): they never grow, have the size that is asked for at
// least but for the last one, go by what is left of the whole loop, and cover each iteration once;
// int, long and unsigned long long, both directions, up to the ends of the types. The entries by
// which compilers ask for a chunk are wrapped here, so that the body knows where one begins.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <string.h>

#include "expect.h"

typedef unsigned long long Wide;

// A chunk was handed out, and its first iteration has not run. GCC takes it that its runtime changes no
// static variable of ours.
_Thread_local bool fresh;

#define WRAP(type, name, parameters, arguments)                 \
  type name parameters;                                         \
  type name parameters {                                        \
    type(*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name); \
    EXPECT(real != NULL, #name);                                \
    type got = real arguments;                                  \
    fresh = got != 0;                                           \
    return got;                                                 \
  }

#ifdef __clang__
#define NEXT(name, type)                                                                \
  WRAP(int, name, (void *place, int thread, int *last, type *low, type *high, type *step), \
       (place, thread, last, low, high, step))
NEXT(__kmpc_dispatch_next_4, int)
NEXT(__kmpc_dispatch_next_4u, unsigned)
NEXT(__kmpc_dispatch_next_8, long long)
NEXT(__kmpc_dispatch_next_8u, Wide)
#else
#define LOOP(kind)                                                                          \
  WRAP(bool, GOMP_loop_##kind##_start,                                                      \
       (long from, long to, long step, long chunk, long *low, long *high),                  \
       (from, to, step, chunk, low, high))                                                  \
  WRAP(bool, GOMP_loop_##kind##_next, (long *low, long *high), (low, high))                 \
  WRAP(bool, GOMP_loop_ull_##kind##_start,                                                  \
       (bool up, Wide from, Wide to, Wide step, Wide chunk, Wide *low, Wide *high),         \
       (up, from, to, step, chunk, low, high))                                              \
  WRAP(bool, GOMP_loop_ull_##kind##_next, (Wide *low, Wide *high), (low, high))
LOOP(guided)
LOOP(nonmonotonic_guided)
#endif

enum { most = 5000 };

static unsigned char seen[most], begins[most];

static void note(Wide iteration) {
  EXPECT(iteration < most, "iteration %llu", iteration);
  seen[iteration]++;
  begins[iteration] = fresh;
  fresh = false;
}

// With `threads` threads a chunk has between a half and the whole of a thread's share of what is left.
static void check_chunk(const char *what, int begin, int size, int trips, int threads, int chunk) {
  int left = trips - begin, share = (left + threads - 1) / threads;
  int largest = share > chunk ? share : chunk;
  EXPECT(size <= largest, "%s: %d iterations from %d of %d on", what, size, begin, trips);
  if (begin + size == trips) return;
  EXPECT(size >= chunk, "%s: %d iterations from %d of %d on", what, size, begin, trips);
  EXPECT(size >= left / (2 * threads), "%s: %d iterations from %d of %d on", what, size, begin, trips);
}

static void check(const char *what, int trips, int threads, int chunk) {
  int before = INT_MAX;
  EXPECT(trips == 0 || begins[0], "%s: the first iteration begins no chunk", what);
  for (int i = 0; i < most; i++)
    EXPECT(seen[i] == (i < trips), "%s: iteration %d of %d ran %d times", what, i, trips, seen[i]);
  for (int begin = 0, end; begin < trips; begin = end) {
    for (end = begin + 1; end < trips && !begins[end];) end++;
    check_chunk(what, begin, end - begin, trips, threads, chunk);
    EXPECT(end - begin <= before, "%s: a chunk of %d after one of %d", what, end - begin, before);
    before = end - begin;
  }
  memset(seen, 0, sizeof seen);
  memset(begins, 0, sizeof begins);
}

#define RUN(kind, type, from, test, step)                                                  \
  do {                                                                                     \
    PRAGMA(omp parallel num_threads(threads))                                              \
    {                                                                                      \
      PRAGMA(omp for schedule(kind, chunk))                                                \
      for (type i = (from); i test; i += (step)) note((Wide)(i - (type)(from)) / (Wide)(step)); \
    }                                                                                      \
    check(#kind " " #type " " #test, trips, threads, chunk);                               \
  } while (0)

#define RUN_DOWN(kind, type, from, test, step)                                             \
  do {                                                                                     \
    PRAGMA(omp parallel num_threads(threads))                                              \
    {                                                                                      \
      PRAGMA(omp for schedule(kind, chunk))                                                \
      for (type i = (from); i test; i -= (step)) note((Wide)((type)(from) - i) / (Wide)(step)); \
    }                                                                                      \
    check(#kind " " #type " " #test " downwards", trips, threads, chunk);                  \
  } while (0)

#define SWEEP(kind)                                                                        \
  do {                                                                                     \
    RUN(kind, int, 0, < trips, 1);                                                         \
    RUN(kind, int, INT_MAX - 1 - 3 * trips, < INT_MAX - 1, 3);                             \
    RUN_DOWN(kind, int, INT_MIN + 1 + 3 * trips, > INT_MIN + 1, 3);                        \
    RUN(kind, long, LONG_MAX - 7L * trips, < LONG_MAX, 7L);                                \
    RUN_DOWN(kind, long, LONG_MIN + 7L * trips, > LONG_MIN, 7L);                           \
    RUN(kind, Wide, ULLONG_MAX - 5ULL * (Wide)trips, < ULLONG_MAX, 5ULL);                  \
    RUN_DOWN(kind, Wide, 5ULL * (Wide)trips, > 0, 5ULL);                                   \
  } while (0)

int main(void) {
  int threads = omp_get_max_threads();
  if (threads == 1) threads = 2;  // alone a thread may take all at once
  static const int counts[] = {0, 1, 2, 17, 1000, most}, chunks[] = {1, 2, 7, 100};
  omp_set_dynamic(0);
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 4; j++) {
      int trips = counts[i], chunk = chunks[j];
      SWEEP(guided);
      SWEEP(monotonic : guided);
      SWEEP(nonmonotonic : guided);
    }
  }
  return 0;
}
