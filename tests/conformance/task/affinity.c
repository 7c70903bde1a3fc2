// SPDX-License-Identifier: Apache-2.0
// Tasks with affinity clauses, of one or several list items, run once each, in whatever queue they wait;
// with dependences, with a priority and untied as well.
#include <omp.h>
#include "expect.h"

enum { kRounds = 50, kBlocks = 17 };

static int blocks[kBlocks][64];

static void work(int block) {
  for (int i = 0; i < 64; i++) blocks[block][i]++;
}

static void make_tasks(void) {
  for (int b = 0; b < kBlocks; b++) {
#pragma omp task affinity(blocks[b]) depend(inout : blocks[b])
    work(b);
#pragma omp task affinity(iterator(i = 0 : 4) : blocks[b][i * 16]) depend(inout : blocks[b]) untied
    work(b);
#pragma omp task affinity(blocks[b][0 : 8], blocks[b][8 : 56]) depend(inout : blocks[b]) priority(b)
    work(b);
  }
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single
    for (int round = 0; round < kRounds; round++) {
      make_tasks();
      if (round % 10 == 0) {
#pragma omp taskwait
      }
    }
#pragma omp for
    for (int b = 0; b < kBlocks; b++) {
#pragma omp task affinity(blocks[b])
      work(b);
    }
  }
  for (int b = 0; b < kBlocks; b++)
    for (int i = 0; i < 64; i++) EXPECT_EQ(blocks[b][i], 3 * kRounds + 1);
  return 0;
}
