// SPDX-License-Identifier: Apache-2.0
// Whole members of regions inside of regions: the OS threads whose TLS blocks they carry are as many as such regions
// at once need, not as many as there are threads that encounter one. In each region every member has its own.
#include <omp.h>
#include <stdint.h>

#include "process.h"

static _Thread_local long mine;

static void inner_region(int threads) {
  uintptr_t blocks[256];
#pragma omp parallel num_threads(threads) shared(blocks)
  {
    mine = omp_get_thread_num();
    blocks[omp_get_thread_num()] = (uintptr_t)&mine;
    EXPECT_EQ(mine, omp_get_thread_num());
  }
  for (int i = 0; i < threads; i++)
    for (int j = 0; j < i; j++) EXPECT(blocks[i] != blocks[j], "members %d and %d have one block", j, i);
}

int main(void) {
  int threads = omp_get_max_threads(), workers = omp_get_num_procs();
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    inner_region(threads - round);
  }
  int left = os_threads();  // blocks are kept for the next regions
  // Of the outer region, and of one region inside of it on each worker; its own; the monitor, and one for the initial
  // thread's loop. A member that the operating system kept from its core may have been helped by a few more.
  int needed = threads + workers * threads + workers + 2;
  EXPECT(left <= needed + threads, "%d OS threads on %d processors, %d needed", left, workers, needed);
  return 0;
}
