// SPDX-License-Identifier: Apache-2.0
// Regions that wait for a device run by the priorities of the tasks that encounter them, of each the first one first.
#include <sched.h>

#include "on_device.h"

enum { count = 24, most = 3 };

static volatile int begun, go;
static int order[count], ran;

static void launch(int i) {
  int *list = order, *at = &ran;
#pragma omp task priority(i % (most + 3)) firstprivate(i, list, at)
  {
#pragma omp target nowait is_device_ptr(list, at) firstprivate(i)
    list[(*at)++] = i;
  }
}

static int priority_of(int i) { return i % (most + 3) < most ? i % (most + 3) : most; }

int main(void) {
  volatile int *first = &begun, *flag = &go;
  expect_devices();
  EXPECT(omp_get_max_task_priority() >= most + 2, "this needs OMP_MAX_TASK_PRIORITY");
  for (int round = 0; round < 5; round++) {
    begun = go = ran = 0;
#pragma omp taskgroup
    {
#pragma omp target nowait is_device_ptr(first, flag)
      {
        *first = 1;
        while (!*flag) continue;
      }
      while (!begun) sched_yield();  // else it has a place in the order as well, the last one
      for (int i = 0; i < count; i++) launch(i);
      go = 1;
    }
    EXPECT_EQ(ran, count);
    for (int i = 1; i < count; i++) {
      int before = order[i - 1], now = order[i];
      EXPECT(priority_of(before) > priority_of(now) || (priority_of(before) == priority_of(now) && before < now),
             "%d before %d", before, now);
    }
  }
  return 0;
}
