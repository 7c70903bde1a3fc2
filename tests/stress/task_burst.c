// SPDX-License-Identifier: Apache-2.0
// What a burst of tasks has taken is given back to the operating system a few seconds after the end of its region, and
// the next burst takes it again.
#include <omp.h>
#include <time.h>

#include "expect.h"

enum { kTasks = 200000, kRounds = 2, kPatienceS = 20 };

static long ended;

static long resident_kib(void) {
  long pages = 0;
  FILE* statm = fopen("/proc/self/statm", "r");
  if (statm) {
    EXPECT_EQ(fscanf(statm, "%*d %ld", &pages), 1);
    fclose(statm);
  }
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// All of them wait for the first one's event. Returns how much there was of memory then.
static long burst(void) {
  char gate = 0;
  long most = 0;
  omp_event_handle_t opening;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(gate) detach(opening) depend(out : gate)
    gate = 1;
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(gate, ended) depend(in : gate)
      __atomic_fetch_add(&ended, gate, __ATOMIC_RELAXED);
    }
    most = resident_kib();
    omp_fulfill_event(opening);
  }
  return most;
}

int main(void) {
  const struct timespec tenth = {0, 100000000};
#pragma omp parallel
  {
  }
  const long before = resident_kib();
  for (int round = 1; round <= kRounds; ++round) {
    const long taken = burst() - before;
    EXPECT_EQ(ended, (long)round * kTasks);
    EXPECT(taken > kTasks / 1024 * 200, "(%ld KiB)", taken);
    for (int i = 0; i < 10 * kPatienceS && resident_kib() - before > taken / 2; ++i) nanosleep(&tenth, NULL);
    const long left = resident_kib() - before;
    EXPECT(left <= taken / 2, "(%ld KiB of %ld)", left, taken);
  }
  return 0;
}
