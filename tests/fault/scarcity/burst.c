// SPDX-License-Identifier: Apache-2.0
// A burst of tasks that all wait for one lock, each on a stack of its own. The memory of their stacks is given
// back after a while; and with TULLE_STACK_LIMIT there are few of them at any time.
// usage: burst TASKS MOST: so many tasks, of which at most MOST begin in half a second; 0: all of them
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "process.h"

static atomic_int begun, ended;

static void sleep_ms(long ms) {
  struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

__attribute__((noinline)) static void use_stack(void) {
  char room[64 << 10];
  memset(room, 1, sizeof room);
  __asm__ volatile("" ::"r"(room) : "memory");
}

static void hold_while_they_begin(int tasks, int most) {
  for (double end = omp_get_wtime() + (most != 0 ? 0.5 : 30); omp_get_wtime() < end && begun < tasks;) sleep_ms(1);
  if (most == 0)
    EXPECT_EQ(begun, tasks);
  else
    EXPECT(begun <= most, "%d tasks have begun, at most %d should", begun, most);
}

int main(int argc, char **argv) {
  EXPECT(argc == 3, "usage");
  int tasks = atoi(argv[1]), most = atoi(argv[2]);
  long before = 0, burst = 0, after = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(4)
#pragma omp single
  {
    before = kib_of("VmRSS:");
    omp_set_lock(&lock);
    for (int i = 0; i < tasks; i++)
#pragma omp task untied
    {
      begun++;
      use_stack();
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
      ended++;
    }
    hold_while_they_begin(tasks, most);
    burst = kib_of("VmRSS:");
    omp_unset_lock(&lock);
#pragma omp taskwait
  }
  EXPECT_EQ(ended, tasks);
  if (most != 0) return 0;
  EXPECT(burst - before > tasks * 32L, "the burst took %ld KiB", burst - before);
  for (int ms = 0; ms < 20000; ms += 10) {
    after = kib_of("VmRSS:");
    if (after - before < (burst - before) / 2) return 0;
    sleep_ms(10);
  }
  EXPECT(0, "%ld KiB before the burst, %ld in it, %ld long after it", before, burst, after);
}
