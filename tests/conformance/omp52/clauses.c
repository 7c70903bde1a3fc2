// SPDX-License-Identifier: Apache-2.0
// Clauses as OpenMP 5.2 writes them: linear with step modifiers, firstprivate and allocate on scope,
// iterators in map, enter on declare target, inoutset in depobj. clang 22 ignores if on teams and
// takes destroy of depobj neither with nor without its argument from -fopenmp-version=52 on.
#include <omp.h>
#include "expect.h"

static int on_device = 4;
#pragma omp declare target enter(on_device)

static void check_linear(void) {
  int position = 3, next = 0, slots[200] = {0};
#pragma omp parallel for linear(position : step(2)) schedule(dynamic, 3)
  for (int i = 0; i < 50; i++) {
    EXPECT_EQ(position, 3 + 2 * i);
    position += 2;
  }
  EXPECT_EQ(position, 103);
#pragma omp parallel for simd linear(next : val, step(4))
  for (int i = 0; i < 50; i++) {
    slots[next] = i + 1;
    next += 4;
  }
  EXPECT_EQ(next, 200);
  for (int i = 0; i < 200; i++) EXPECT_EQ(slots[i], i % 4 ? 0 : i / 4 + 1);
}

static void check_scope(int n) {
  int start = 9, total = 0;
#pragma omp parallel
  {
#pragma omp scope firstprivate(start) allocate(omp_default_mem_alloc : start) reduction(+ : total)
    {
      EXPECT_EQ(start, 9);
      start += omp_get_thread_num();
      total += start;
    }
    EXPECT_EQ(total, 9 * n + n * (n - 1) / 2);
  }
  EXPECT_EQ(start, 9);
}

static void check_map(void) {
  int parts[6] = {1, 2, 3, 4, 5, 6};
#pragma omp target map(iterator(int i = 0 : 6), tofrom : parts[i]) map(always, tofrom : on_device)
  for (int i = 0; i < 6; i++) parts[i] += on_device;
  for (int i = 0; i < 6; i++) EXPECT_EQ(parts[i], i + 5);
}

static void check_depobj(void) {
  int value = 0;
  omp_depend_t object;
#pragma omp depobj(object) depend(inout : value)
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object) shared(value)
      {
        EXPECT_EQ(value, i);
        value = i + 1;
      }
    }
#pragma omp taskwait
#pragma omp depobj(object) update(inoutset)
    for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object) shared(value)
      {
#pragma omp atomic
        value++;
      }
    }
#pragma omp taskwait depend(in : value)
    EXPECT_EQ(value, 40);
  }
}

int main(void) {
  omp_set_dynamic(0);
  check_linear();
  check_scope(omp_get_max_threads());
  check_map();
  check_depobj();
  return 0;
}
