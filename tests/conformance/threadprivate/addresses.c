// SPDX-License-Identifier: Apache-2.0
// In all live threads of nested teams, threadprivate and _Thread_local variables and errno have
// distinct addresses and keep their values over barriers; the primary thread of a nested team shares
// those of its encountering thread.
#include <errno.h>
#include <omp.h>
#include "expect.h"

enum { most = 200 };

static int private_one;
#pragma omp threadprivate(private_one)
static _Thread_local char own_two[64];

static void *addresses[3][most];
static int live;

static void collect(int wanted) {
  int slot = __atomic_fetch_add(&live, 1, __ATOMIC_RELAXED);
  EXPECT(slot < most, "%d threads", slot);
  private_one = own_two[63] = slot % 100;
  addresses[0][slot] = &private_one;
  addresses[1][slot] = own_two;
  addresses[2][slot] = &errno;
  while (__atomic_load_n(&live, __ATOMIC_RELAXED) < wanted) usleep(50);
  errno = 1000 + slot;
#pragma omp barrier
  EXPECT_EQ(errno, 1000 + slot);
  EXPECT_EQ(private_one, slot % 100);
  EXPECT_EQ(own_two[63], slot % 100);
  EXPECT(addresses[2][slot] == &errno, "the address of thread %d changed", slot);
  EXPECT(addresses[0][slot] == &private_one, "the address of thread %d changed", slot);
  EXPECT(addresses[1][slot] == own_two, "the address of thread %d changed", slot);
}

static int compare(const void *a, const void *b) {
  const char *x = *(char *const *)a, *y = *(char *const *)b;
  return (x > y) - (x < y);
}

static void verify(int wanted) {
  EXPECT_EQ(live, wanted);
  for (int kind = 0; kind < 3; kind++) {
    qsort(addresses[kind], live, sizeof(void *), compare);
    for (int i = 1; i < live; i++)
      EXPECT(addresses[kind][i] != addresses[kind][i - 1], "kind %d: two threads share", kind);
  }
  live = 0;
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n > 4 ? 4 : n, outer = n / inner;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    collect(n);
    verify(n);
#pragma omp parallel num_threads(outer)
    {
      void *parents = &private_one;
#pragma omp parallel num_threads(inner)
      {
        if (omp_get_thread_num() == 0) EXPECT(parents == &private_one, "primary thread");
        collect(outer * inner);
      }
#pragma omp barrier
    }
    verify(outer * inner);
  }
  return 0;
}
