// SPDX-License-Identifier: Apache-2.0
// Far more threads than any machine here has cores: regions, barriers, tasks and nested regions, each right, and in
// memory that a thread takes a bounded share of.
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "process.h"

static void regions(int n) {
  for (int region = 0; region < 3; region++) {
    int members = 0;
    long numbers = 0;
#pragma omp parallel num_threads(n) reduction(+ : members, numbers)
    {
      EXPECT_EQ(omp_get_num_threads(), n);
      members++;
      numbers += omp_get_thread_num();
    }
    EXPECT_EQ(members, n);
    EXPECT_EQ(numbers, (long)n * (n - 1) / 2);
  }
}

static void barriers(int n) {
  int came[3] = {0};
#pragma omp parallel num_threads(n)
  for (int phase = 0; phase < 3; phase++) {
#pragma omp atomic
    came[phase]++;
#pragma omp barrier
    EXPECT_EQ(came[phase], n);
  }
}

static void tasks(int n) {
  int made = 0, ran = 0;
#pragma omp parallel num_threads(n)
  {
#pragma omp atomic
    made++;
    for (int i = 0; i < 4; i++) {
#pragma omp task
      {
#pragma omp atomic
        ran++;
      }
    }
#pragma omp taskwait
  }
  EXPECT_EQ(made, n);
  EXPECT_EQ(ran, 4 * n);
}

static void nests(int n) {
  int outer = n < 8 ? n : 8, inner = n / outer, members = 0;
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(inner)
  {
    EXPECT_EQ(omp_get_num_threads(), inner);
#pragma omp atomic
    members++;
#pragma omp barrier
    EXPECT_EQ(omp_get_level(), 2);
  }
  EXPECT_EQ(members, outer * inner);
}

static int rising(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

int main(void) {
  enum { rounds = 8 };
  const long base = 8192, share = 12;  // KiB: of the process, and for each thread: its records, a page or two of a stack
  const long leak = 4096;  // in a round
  long used = 0, growth[rounds];
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
  for (int round = 0; round < rounds; round++) {
    regions(n);
    barriers(n);
    tasks(n);
    nests(n);
    long now = kib_of("VmRSS:");
    growth[round] = now - used;
    used = now;
  }
  EXPECT_EQ(used < base + share * n ? 0 : used, 0);
  // How many are suspended at once, and how deep, differs from round to round; what is lost is lost in each.
  qsort(growth, rounds, sizeof *growth, rising);
  EXPECT_EQ(growth[rounds / 2] < leak ? 0 : growth[rounds / 2], 0);
  return 0;
}
