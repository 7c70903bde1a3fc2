// SPDX-License-Identifier: Apache-2.0
// depobj: initialised, updated and destroyed dependence objects order tasks as their clauses would;
// iterators expand to one dependence per value (OpenMP 5.2 §15.9.3).
#include <omp.h>
#include "expect.h"

static void check_objects(void) {
  omp_depend_t object;
  int value = 0, readers = 0;
#pragma omp depobj(object) depend(inout : value)
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object) shared(value)
    {
      EXPECT_EQ(value, i);
      value++;
    }
  }
#pragma omp depobj(object) update(in)
  for (int i = 0; i < 20; i++) {
#pragma omp task depend(depobj : object) shared(value, readers)
    {
      EXPECT_EQ(value, 20);
#pragma omp atomic
      readers++;
    }
  }
#pragma omp task depend(out : value) shared(value, readers)
  {
    EXPECT_EQ(readers, 20);
    value = 100;
  }
#pragma omp taskwait depend(depobj : object)
  EXPECT_EQ(value, 100);
#pragma omp depobj(object) update(mutexinoutset)
  for (int i = 0; i < 10; i++) {
#pragma omp task depend(depobj : object) shared(value)
    value++;
  }
#pragma omp taskwait
  EXPECT_EQ(value, 110);
#pragma omp depobj(object) destroy
}

static void check_iterators(void) {
  enum { count = 25 };
  int parts[count] = {0}, sum = 0;
  for (int i = 0; i < count; i++) {
#pragma omp task depend(out : parts[i]) shared(parts)
    {
      if (i % 6 == 0) usleep(50);
      parts[i] = i;
    }
  }
#pragma omp task depend(iterator(i = 0 : count), in : parts[i]) shared(parts, sum)
  for (int i = 0; i < count; i++) sum += parts[i];
  for (int i = 0; i < count; i++) {
#pragma omp task depend(iterator(int j = i : i + 1), inout : parts[j]) shared(parts, sum)
    {
      EXPECT_EQ(sum, count * (count - 1) / 2);
      parts[i] = -parts[i];
    }
  }
#pragma omp taskwait depend(iterator(i = 24 : -1 : -1, unsigned j = 0 : 1), in : parts[i + j])
  for (int i = 0; i < count; i++) EXPECT_EQ(parts[i], -i);
#pragma omp taskwait
}

int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_objects();
      check_iterators();
    }
  }
  return 0;
}
