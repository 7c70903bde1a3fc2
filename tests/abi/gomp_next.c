// SPDX-License-Identifier: Apache-2.0
// What GCC 17's development version calls, as its output calls it: static loops that ask once for their part, barriers
// that say what they are for, masked, reductions of several variables; and the forms of -fopenmp-ompt.
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

_Complex int GOMP_loop_static_worksharing(unsigned long long);
_Complex int GOMP_loop_static_worksharing_start(unsigned long long);
void GOMP_loop_static_worksharing_dispatch(unsigned long long, unsigned long long);
void GOMP_loop_static_worksharing_end(void);
_Complex int GOMP_distribute_static_worksharing(unsigned long long);
_Complex int GOMP_distribute_static_worksharing_start(unsigned long long);
void GOMP_distribute_static_worksharing_dispatch(unsigned long long, unsigned long long);
void GOMP_distribute_static_worksharing_end(void);
void GOMP_barrier_ext(int);
bool GOMP_barrier_cancel_ext(int);
void GOMP_reduction_start(void);
void GOMP_reduction_end(void);
bool GOMP_has_masked_thread_num(int);
bool GOMP_has_masked_thread_num_with_end(int);
void GOMP_masked_end(void);
bool GOMP_single_start_with_end(void);
void GOMP_single_end(void);
void GOMP_scope_start_with_end(uintptr_t *);
void GOMP_scope_end(void);
int omp_get_num_teams_dim(int);
int omp_get_team_num_dim(int);
int omp_get_num_threads_dim(int);
int omp_get_thread_num_dim(int);
int omp_get_thread_limit_dim(int);

enum { N = 1000, CHUNK = 7, ROUNDS = 20, TEAMS = 3 };
enum { OF_REGION, OF_CONSTRUCT, EXPLICIT };

static int met[N];

static void take(long from, long to) {
  for (long i = from; i < to; i++) __atomic_add_fetch(&met[i], 1, __ATOMIC_RELAXED);
}

static void take_part(_Complex int part, bool told, void (*dispatch)(unsigned long long, unsigned long long)) {
  const long count = __real__ part, number = __imag__ part;
  const long each = N / count, more = N % count;
  const long from = number * each + (number < more ? number : more), length = each + (number < more);
  if (told) dispatch((unsigned long long)from, (unsigned long long)length);
  take(from, from + length);
}

static void take_chunks(_Complex int part) {
  for (long from = __imag__ part * CHUNK; from < N; from += __real__ part * CHUNK)
    take(from, from + CHUNK < N ? from + CHUNK : N);
}

static void expect_met(int times) {
  for (int i = 0; i < N; i++) EXPECT_EQ(met[i], times);
  memset(met, 0, sizeof met);
}

static void loops(void) {
#pragma omp parallel
  {
    _Complex int part = GOMP_loop_static_worksharing(N);
    EXPECT_EQ(__real__ part, omp_get_num_threads());
    EXPECT_EQ(__imag__ part, omp_get_thread_num());
    take_part(part, false, NULL);
    GOMP_barrier_ext(OF_CONSTRUCT);
    take_part(GOMP_loop_static_worksharing_start(N), true, GOMP_loop_static_worksharing_dispatch);
    GOMP_loop_static_worksharing_end();
    EXPECT(!GOMP_barrier_cancel_ext(OF_CONSTRUCT), "nothing is cancelled");
    take_chunks(GOMP_loop_static_worksharing(N));
  }
  expect_met(3);
  _Complex int alone = GOMP_loop_static_worksharing(N);
  EXPECT(__real__ alone == 1 && __imag__ alone == 0, "outside of a region");
}

static void distributed(void) {
#pragma omp teams num_teams(TEAMS)
  {
    _Complex int part = GOMP_distribute_static_worksharing(N);
    EXPECT_EQ(__real__ part, omp_get_num_teams());
    EXPECT_EQ(__imag__ part, omp_get_team_num());
    take_part(part, false, NULL);
    take_part(GOMP_distribute_static_worksharing_start(N), true, GOMP_distribute_static_worksharing_dispatch);
    GOMP_distribute_static_worksharing_end();
  }
  expect_met(2);
}

static void barriers(void) {
  int come = 0;
#pragma omp parallel shared(come)
  for (int kind = OF_REGION; kind <= EXPLICIT; kind++) {
    __atomic_add_fetch(&come, 1, __ATOMIC_RELAXED);
    GOMP_barrier_ext(kind);
    EXPECT_EQ(__atomic_load_n(&come, __ATOMIC_RELAXED), (kind + 1) * omp_get_num_threads());
    EXPECT(!GOMP_barrier_cancel_ext(kind));
  }
}

static void reductions(void) {
  long sum = 0, other = 0, threads = 0;
#pragma omp parallel shared(sum, other, threads)
  {
    threads = omp_get_num_threads();
    for (int i = 0; i < ROUNDS; i++) {
      GOMP_reduction_start();
      sum += 1, other += 2;
      GOMP_reduction_end();
    }
  }
  EXPECT(sum == threads * ROUNDS && other == 2 * sum, "none is lost");
}

static void one_of_all(void) {
  int masked = 0, told = 0, last = 0, single = 0, scope = 0, threads = 0;
#pragma omp parallel shared(masked, told, last, single, scope, threads)
  {
    threads = omp_get_num_threads();
    if (GOMP_has_masked_thread_num(0)) masked += 1 + omp_get_thread_num();
    if (GOMP_has_masked_thread_num_with_end(0)) {
      told += 1 + omp_get_thread_num();
      GOMP_masked_end();
    }
    if (GOMP_has_masked_thread_num(omp_get_num_threads() - 1)) last += omp_get_thread_num();
    for (int i = 0; i < ROUNDS; i++) {
      if (GOMP_single_start_with_end()) {
        __atomic_add_fetch(&single, 1, __ATOMIC_RELAXED);
        GOMP_single_end();
      }
    }
    GOMP_scope_start_with_end(NULL);
    __atomic_add_fetch(&scope, 1, __ATOMIC_RELAXED);
    GOMP_scope_end();
    GOMP_barrier_ext(OF_CONSTRUCT);
  }
  EXPECT_EQ(masked, 1);
  EXPECT_EQ(told, 1);
  EXPECT_EQ(last, threads - 1);
  EXPECT_EQ(single, ROUNDS);
  EXPECT_EQ(scope, threads);
}

static void dimensions(void) {
#pragma omp teams num_teams(TEAMS) thread_limit(2)
  {
    EXPECT_EQ(omp_get_num_teams_dim(0), omp_get_num_teams());
    EXPECT_EQ(omp_get_team_num_dim(0), omp_get_team_num());
    EXPECT(omp_get_num_teams_dim(1) == 1 && omp_get_team_num_dim(1) == 0);
#pragma omp parallel
    {
      EXPECT_EQ(omp_get_num_threads_dim(0), omp_get_num_threads());
      EXPECT_EQ(omp_get_thread_num_dim(0), omp_get_thread_num());
      EXPECT_EQ(omp_get_thread_limit_dim(0), omp_get_thread_limit());
      EXPECT(omp_get_num_threads_dim(1) == 1 && omp_get_thread_num_dim(1) == 0 && omp_get_thread_limit_dim(1) == 1);
    }
  }
}

int main(void) {
  loops();
  dimensions();
  distributed();
  barriers();
  reductions();
  one_of_all();
  return 0;
}
