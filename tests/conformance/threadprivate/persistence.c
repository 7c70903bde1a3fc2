// SPDX-License-Identifier: Apache-2.0
// threadprivate values persist between regions of the same size, start from the static initialiser,
// are set by copyin and given by copyprivate (OpenMP 5.2 §5.2).
#include <omp.h>
#include "expect.h"

struct Pair {
  int first;
  double second;
};

static int counter = 7;
static struct Pair pair = {1, 2.5};
static int array[200];
#pragma omp threadprivate(counter, pair, array)
extern int shared_outside;
int shared_outside = 11;
#pragma omp threadprivate(shared_outside)

static int *scratch(void) {
  static int local = 3;
#pragma omp threadprivate(local)
  return &local;
}

static void check_persistence(int n) {
#pragma omp parallel
  {
    EXPECT_EQ(counter, 7);
    EXPECT_EQ(shared_outside, 11);
    EXPECT_EQ(*scratch(), 3);
    EXPECT(pair.second == 2.5, "%g", pair.second);
    counter = 100 + omp_get_thread_num();
    array[199] = counter;
    *scratch() = counter;
  }
  for (int region = 0; region < 20; region++) {
#pragma omp parallel
    {
      EXPECT_EQ(counter, 100 + region * 1000 + omp_get_thread_num());
      EXPECT_EQ(array[199], 100 + omp_get_thread_num());
      EXPECT_EQ(*scratch(), 100 + omp_get_thread_num());
      counter += 1000;
    }
  }
  EXPECT_EQ(counter, 100 + 20 * 1000);
  EXPECT_EQ(omp_get_max_threads(), n);
}

static void check_copyin(void) {
  counter = 55;
  pair.first = 66;
  array[0] = 77;
#pragma omp parallel copyin(counter, pair, array)
  {
    EXPECT_EQ(counter, 55);
    EXPECT_EQ(pair.first, 66);
    EXPECT_EQ(array[0], 77);
#pragma omp barrier
    counter = omp_get_thread_num();
#pragma omp single copyprivate(pair, counter)
    {
      pair.first = 1234;
      counter = 4321;
    }
    EXPECT_EQ(pair.first, 1234);
    EXPECT_EQ(counter, 4321);
  }
}

int main(void) {
  omp_set_dynamic(0);
  check_persistence(omp_get_max_threads());
  check_copyin();
  check_copyin();
  return 0;
}
