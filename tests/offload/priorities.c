// SPDX-License-Identifier: Apache-2.0
// Regions that wait for a device run by the priorities of the tasks that encounter them, of each the first one first.
#include "on_device.h"

enum { count = 120, most = 3 };  // more than a device has ahead

// In memory of the device's.
struct shared {
  volatile int begun, go;
  int order[count], ran;
};

static void launch(struct shared *shared, int i) {
#pragma omp task priority(i % (most + 3)) firstprivate(i, shared)
  {
#pragma omp target nowait is_device_ptr(shared) firstprivate(i)
    shared->order[shared->ran++] = i;
  }
}

static int priority_of(int i) { return i % (most + 3) < most ? i % (most + 3) : most; }

int main(void) {
  expect_devices();
  const struct shared none = {0};
  const int go = 1;
  struct shared *shared = omp_target_alloc(sizeof *shared, omp_get_default_device()), seen;
  EXPECT(shared != NULL, "omp_target_alloc");
  EXPECT(omp_get_max_task_priority() >= most + 2, "this needs OMP_MAX_TASK_PRIORITY");
  for (int round = 0; round < 5; round++) {
    to_device(shared, &none, sizeof none);
#pragma omp taskgroup
    {
#pragma omp target nowait is_device_ptr(shared)
      {
        shared->begun = 1;
        while (!shared->go) continue;
      }
      await_word_there(&shared->begun, 1);  // else it has a place in the order as well, the last one
      for (int i = 0; i < count; i++) launch(shared, i);
      to_device((void *)&shared->go, &go, sizeof go);
    }
    from_device(&seen, shared, sizeof seen);
    EXPECT_EQ(seen.ran, count);
    for (int i = 1; i < count; i++) {
      int before = seen.order[i - 1], now = seen.order[i];
      EXPECT(priority_of(before) > priority_of(now) || (priority_of(before) == priority_of(now) && before < now),
             "%d before %d", before, now);
    }
  }
  omp_target_free(shared, omp_get_default_device());
  return 0;
}
