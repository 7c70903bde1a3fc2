// SPDX-License-Identifier: Apache-2.0
// malloc and free around suspensions: blocks are freed by other threads than made them, after
// barriers, locks and taskwait, with their contents intact.
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { rounds = 12, blocks = 8 };

static unsigned char *exchange[64][blocks];

static size_t size_of(int thread, int block) { return 16 + (thread * 131 + block * 977) % 5000; }

static void make(int self, int round) {
  for (int b = 0; b < blocks; b++) {
    exchange[self][b] = malloc(size_of(self, b));
    memset(exchange[self][b], self + round, size_of(self, b));
    if (b % 3 == 0) {
#pragma omp critical
      exchange[self][b] = realloc(exchange[self][b], size_of(self, b) + 100);
    }
  }
}

static void check_and_free(int other, int round) {
  for (int b = 0; b < blocks; b++) {
    unsigned char *block = exchange[other][b];
    for (size_t i = 0; i < size_of(other, b); i++)
      EXPECT(block[i] == (unsigned char)(other + round), "byte %zu of a block is %d", i, block[i]);
    int done = 0;
#pragma omp task shared(done) firstprivate(block)
    {
      free(block);
      done = 1;
    }
#pragma omp taskwait
    EXPECT_EQ(done, 1);
  }
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
#pragma omp parallel
  for (int round = 0; round < rounds; round++) {
    int self = omp_get_thread_num();
    make(self, round);
#pragma omp barrier
    check_and_free((self + round) % n, round);
#pragma omp barrier
  }
  return 0;
}
