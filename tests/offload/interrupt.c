// SPDX-License-Identifier: Apache-2.0
// A region of a higher priority begins where a running one comes to a task scheduling point, also in a third one
// that has interrupted the second; one of the same priority waits.
#include "clock.h"
#include "on_device.h"

enum { YIELD, TASKWAIT, TASKGROUP, BARRIER, points };

// In memory of the device's.
struct shared {
  volatile int begun, low_ended, same_ran, high_ran, higher_ran, saw_high, saw_higher, same_was_early, high_was_late;
};

#pragma omp declare target
static void come_by(int point) {
  switch (point) {
    case YIELD: {
#pragma omp taskyield
      return;
    }
    case TASKWAIT: {
      int made = 0;
#pragma omp task shared(made)
      made = 1;
#pragma omp taskwait
      (void)made;
      return;
    }
    case TASKGROUP: {
      int made = 0;
#pragma omp taskgroup
      {
#pragma omp task shared(made)
        made = 1;
      }
      (void)made;
      return;
    }
    default: {
#pragma omp parallel num_threads(1)
      {
#pragma omp barrier
      }
    }
  }
}

// Until the flag is raised, or ten seconds have passed.
static int await_at(int point, volatile int *flag) {
  double limit = seconds() + 10;
  while (!*flag && seconds() < limit) come_by(point);
  return *flag;
}
#pragma omp end declare target

static void launch_high(struct shared *shared, int point) {
#pragma omp task priority(1) firstprivate(shared, point)
  {
#pragma omp target nowait is_device_ptr(shared) firstprivate(point)
    {
      shared->high_was_late = shared->low_ended;
      shared->begun = 2;
      shared->saw_higher = await_at(point, &shared->higher_ran);
      shared->high_ran = 1;
    }
  }
}

static void check_point(struct shared *shared, int point) {
  struct shared seen = {0};
  to_device(shared, &seen, sizeof seen);
#pragma omp taskgroup
  {
#pragma omp target nowait is_device_ptr(shared) firstprivate(point)
    {
      shared->begun = 1;
      shared->saw_high = await_at(point, &shared->high_ran);
      shared->low_ended = 1;
    }
    await_word_there(&shared->begun, 1);
#pragma omp target nowait is_device_ptr(shared)
    {
      shared->same_was_early = !shared->low_ended;
      shared->same_ran = 1;
    }
    launch_high(shared, point);
    await_word_there(&shared->begun, 2);
#pragma omp task priority(3) firstprivate(shared)
    {
#pragma omp target nowait is_device_ptr(shared)
      shared->higher_ran = 1;
    }
  }
  from_device(&seen, shared, sizeof seen);
  EXPECT(seen.saw_higher == 1, "the highest did not interrupt at %d", point);
  EXPECT(seen.saw_high == 1, "the second did not interrupt at %d", point);
  EXPECT_EQ(seen.high_was_late, 0);
  EXPECT_EQ(seen.same_ran, 1);
  EXPECT_EQ(seen.same_was_early, 0);
}

int main(int argc, char **argv) {
  expect_devices();
  const int rounds = argc > 1 ? atoi(argv[1]) : 20;
  int device = omp_get_default_device();
  EXPECT(omp_get_max_task_priority() >= 3, "this needs OMP_MAX_TASK_PRIORITY");
  struct shared *shared = omp_target_alloc(sizeof *shared, device);
  EXPECT(shared != NULL, "omp_target_alloc");
  for (int round = 0; round < rounds; round++)
    for (int point = 0; point < points; point++) check_point(shared, point);
  omp_target_free(shared, device);
  return 0;
}
