// SPDX-License-Identifier: Apache-2.0
// omp_get_thread_num, the level and the team's size are right after every suspension, and locals keep
// their values: random work of members that arrive in random order.
#include <omp.h>
#include "expect.h"

struct Identity {
  int number, size, level, ancestor;
};

static struct Identity identify(void) {
  return (struct Identity){omp_get_thread_num(), omp_get_num_threads(), omp_get_level(),
                           omp_get_ancestor_thread_num(1)};
}

static void expect_same(struct Identity wanted) {
  struct Identity now = identify();
  EXPECT_EQ(now.number, wanted.number);
  EXPECT_EQ(now.size, wanted.size);
  EXPECT_EQ(now.level, wanted.level);
  EXPECT_EQ(now.ancestor, wanted.ancestor);
}

static unsigned next_random(unsigned *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 16;
}

static void act(unsigned choice) {
  switch (choice % 6) {
    case 0:
#pragma omp critical
      usleep(1);
      break;
    case 1: {
      int child = 0;
#pragma omp task shared(child)
      child = 1;
#pragma omp taskwait
      EXPECT_EQ(child, 1);
      break;
    }
    case 2: {
#pragma omp taskyield
      break;
    }
    case 3: {
      volatile int work = 0;
      while (work < 3000) work++;
      break;
    }
    case 4: {
#pragma omp taskgroup
      {
#pragma omp task
        usleep(1);
      }
      break;
    }
    default:
      usleep(choice % 30);
  }
}

static void run_member(int level) {
  struct Identity own = identify();
  unsigned state = 77u * own.number + 1000u * level + 5;
  double locals[16];
  for (int i = 0; i < 16; i++) locals[i] = own.number + i;
  for (int step = 0; step < 12; step++) {
    act(next_random(&state));
    expect_same(own);
    if (step % 4 == 3) {
#pragma omp barrier
      expect_same(own);
    }
  }
  for (int i = 0; i < 16; i++) EXPECT(locals[i] == own.number + i, "a local of thread %d", own.number);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : 2;
#pragma omp parallel
  {
    run_member(1);
    if (omp_get_thread_num() % 4 == 0) {
#pragma omp parallel num_threads(inner)
      run_member(2);
    }
    expect_same((struct Identity){omp_get_thread_num(), n, 1, omp_get_thread_num()});
  }
  return 0;
}
