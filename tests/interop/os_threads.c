// SPDX-License-Identifier: Apache-2.0
// Two compilers' regions, nested into each other, with 16 threads at each of two levels: the process
// has hardly more OS threads than the machine has processors. No thread-local data, which would come
// in blocks of parked OS threads.
#include <string.h>

#include "expect.h"
#include "work_plain.h"

enum { kFew = 4 };

static int os_threads(void) {
  char line[256];
  int threads = -1;
  FILE *status = fopen("/proc/self/status", "r");
  EXPECT(status != NULL, "/proc/self/status cannot be read");
  while (fgets(line, sizeof line, status)) {
    if (sscanf(line, "Threads: %d", &threads) == 1) break;
  }
  fclose(status);
  return threads;
}

static long members;
static int most;

static void count(void *argument) {
  (void)argument;
  __atomic_fetch_add(&members, 1, __ATOMIC_SEQ_CST);
}

static void open_other(void *argument) {
  plain_regions *regions = (plain_regions *)argument;
  regions->inner(16, count, NULL);
  int now = os_threads();
  int seen = __atomic_load_n(&most, __ATOMIC_SEQ_CST);
  while (now > seen && !__atomic_compare_exchange_n(&most, &seen, now, 0, __ATOMIC_SEQ_CST,
                                                    __ATOMIC_SEQ_CST)) {
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  plain_regions ways[] = {{gnu_plain_region, llvm_plain_region},
                          {llvm_plain_region, gnu_plain_region}};
  for (int round = 0; round < 20; round++)
    for (int way = 0; way < 2; way++) ways[way].outer(16, open_other, &ways[way]);
  EXPECT_EQ(members, 20 * 2 * 16 * 16);
  EXPECT(most <= omp_get_num_procs() + kFew, "%d OS threads on %d processors", most,
         omp_get_num_procs());
  return 0;
}
