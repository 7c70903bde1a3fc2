// SPDX-License-Identifier: Apache-2.0
// depend(in, out, inout, mutexinoutset) on scalars, elements and sections: chains, fans, a diamond
// and a wavefront run in a legal order; undeferred tasks wait too (OpenMP 5.2 §15.9.5).
#include <omp.h>
#include "expect.h"

enum { links = 60, side = 9 };

static void check_chain(void) {
  int value = 0, element[4] = {0};
  for (int i = 0; i < links; i++) {
#pragma omp task depend(inout : value) shared(value)
    {
      EXPECT_EQ(value, i);
      value++;
    }
#pragma omp task depend(out : element[i % 4]) shared(element)
    {
      EXPECT_EQ(element[i % 4], i / 4);
      element[i % 4]++;
    }
  }
#pragma omp task if (0) depend(in : value) shared(value)
  EXPECT_EQ(value, links);
#pragma omp taskwait
}

static void check_fan(void) {
  int source = 0, readers = 0, after = 0;
#pragma omp task depend(out : source) shared(source)
  {
    usleep(100);
    source = 42;
  }
  for (int i = 0; i < 30; i++) {
#pragma omp task depend(in : source) shared(source, readers)
    {
      EXPECT_EQ(source, 42);
#pragma omp atomic
      readers++;
    }
  }
#pragma omp task depend(out : source) shared(source, readers, after)
  {
    EXPECT_EQ(readers, 30);
    source = 43;
    after = 1;
  }
#pragma omp taskwait
  EXPECT_EQ(after, 1);
}

static void check_wavefront(void) {
  static int cell[side + 1][side + 1];
  for (int i = 0; i <= side; i++)
    for (int j = 0; j <= side; j++) cell[i][j] = 1;
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) {
#pragma omp task depend(in : cell[i - 1][j], cell[i][j - 1]) depend(out : cell[i][j]) shared(cell)
      cell[i][j] = (cell[i - 1][j] + cell[i][j - 1]) % 10007;
    }
#pragma omp taskwait
  int wanted[side + 1][side + 1];
  for (int i = 0; i <= side; i++)
    for (int j = 0; j <= side; j++)
      wanted[i][j] = i && j ? (wanted[i - 1][j] + wanted[i][j - 1]) % 10007 : 1;
  EXPECT_EQ(cell[side][side], wanted[side][side]);
}

static void check_mutex_set(void) {
  int a = 0, b = 0, inside_a = 0, inside_b = 0, start = 0;
#pragma omp task depend(out : a, b) shared(start)
  {
    usleep(50);
    start = 1;
  }
  for (int i = 0; i < 40; i++) {
#pragma omp task depend(mutexinoutset : a) shared(a, inside_a, start)
    {
      EXPECT_EQ(start, 1);
      EXPECT_EQ(__atomic_fetch_add(&inside_a, 1, __ATOMIC_SEQ_CST), 0);
      a++;
      __atomic_fetch_sub(&inside_a, 1, __ATOMIC_SEQ_CST);
    }
#pragma omp task depend(mutexinoutset : b, a) shared(a, b, inside_a, inside_b)
    {
      EXPECT_EQ(__atomic_fetch_add(&inside_a, 1, __ATOMIC_SEQ_CST), 0);
      EXPECT_EQ(__atomic_fetch_add(&inside_b, 1, __ATOMIC_SEQ_CST), 0);
      a++;
      b++;
      __atomic_fetch_sub(&inside_b, 1, __ATOMIC_SEQ_CST);
      __atomic_fetch_sub(&inside_a, 1, __ATOMIC_SEQ_CST);
    }
  }
#pragma omp task depend(in : a, b) shared(a, b)
  {
    EXPECT_EQ(a, 80);
    EXPECT_EQ(b, 40);
  }
#pragma omp taskwait
}

static void check_taskwait(void) {
  int first = 0, second = 0;
#pragma omp task depend(out : first) shared(first)
  {
    usleep(100);
    first = 1;
  }
#pragma omp task depend(out : second) shared(second)
  {
    usleep(300);
    second = 1;
  }
#pragma omp taskwait depend(in : first)
  EXPECT_EQ(first, 1);
#pragma omp taskwait depend(inout : first, second)
  EXPECT_EQ(second, 1);
#pragma omp taskwait
}

static void check_sections(void) {
  static double block[300];
  for (int part = 0; part < 3; part++) {
#pragma omp task depend(out : block[100 * part : 100]) firstprivate(part)
    for (int i = 0; i < 100; i++) block[100 * part + i] = part;
  }
#pragma omp task depend(in : block[0 : 100], block[100 : 100], block[200 : 100])
  for (int i = 0; i < 300; i++) EXPECT(block[i] == i / 100, "element %d is %g", i, block[i]);
#pragma omp taskwait
}

int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_chain();
      check_fan();
      check_wavefront();
      check_mutex_set();
      check_taskwait();
      check_sections();
    }
  }
  return 0;
}
