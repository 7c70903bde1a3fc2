// SPDX-License-Identifier: Apache-2.0
// Explicit tasks: each runs once with the values captured at creation, by any thread of the team;
// tied, untied, mergeable, final and undeferred ones; taskwait waits for children only.
#include <omp.h>
#include "expect.h"

static void check_capture(void) {
  static int ran[500];
  for (int i = 0; i < 500; i++) ran[i] = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 500; i++) {
    int square = i * i;
#pragma omp task firstprivate(i) shared(ran)
    {
      EXPECT_EQ(square, i * i);
      EXPECT(omp_get_thread_num() < omp_get_num_threads(), "thread number");
      ran[i]++;
    }
  }
  for (int i = 0; i < 500; i++) EXPECT_EQ(ran[i], 1);
}

static void check_kinds(void) {
  int count = 0, order = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 40; i++) {
#pragma omp task untied
      {
#pragma omp atomic
        count++;
#pragma omp taskyield
#pragma omp atomic
        count++;
      }
#pragma omp task mergeable
      {
#pragma omp atomic
        count++;
      }
    }
#pragma omp task if (0) shared(order)
    {
      EXPECT_EQ(order, 0);
      order = 1;
#pragma omp task if (0) shared(order)
      order += 10;
      EXPECT_EQ(order, 11);
    }
    EXPECT_EQ(order, 11);
#pragma omp task final(1) shared(order)
    {
      EXPECT_EQ(omp_in_final(), 1);
      int inside = 0;
#pragma omp task shared(inside)
      {
        EXPECT_EQ(omp_in_final(), 1);
#pragma omp task shared(inside)
        inside = 1;
        EXPECT_EQ(inside, 1);
      }
      EXPECT_EQ(inside, 1);
      order = 20;
    }
#pragma omp taskwait
    EXPECT_EQ(order, 20);
    EXPECT_EQ(omp_in_final(), 0);
  }
  EXPECT_EQ(count, 120);
}

static void check_taskwait(void) {
  int children = 0, grandchildren = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task shared(children, grandchildren)
      {
#pragma omp task shared(grandchildren)
        {
          usleep(50);
#pragma omp atomic
          grandchildren++;
        }
#pragma omp atomic
        children++;
      }
    }
#pragma omp taskwait
    EXPECT_EQ(children, 20);
#pragma omp taskwait
  }
  EXPECT_EQ(grandchildren, 20);
}

static void check_serial(void) {
  int value = 0;
#pragma omp task shared(value)
  value = 5;
#pragma omp taskwait
  EXPECT_EQ(value, 5);
#pragma omp taskgroup
  {
#pragma omp task shared(value)
    value = 6;
  }
  EXPECT_EQ(value, 6);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    check_capture();
    check_kinds();
    check_taskwait();
    check_serial();
  }
  return 0;
}
