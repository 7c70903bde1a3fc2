// SPDX-License-Identifier: Apache-2.0
// Rank 0 computes in a region, then rank 1 does: which is first depends on the axis of time.
#include <mpi.h>
#include <time.h>

static void pass_ms(double ms) {
  struct timespec begin, now;
  clock_gettime(CLOCK_MONOTONIC, &begin);
  do {
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while ((double)(now.tv_sec - begin.tv_sec) * 1e3 + (double)(now.tv_nsec - begin.tv_nsec) * 1e-6 < ms);
}

__attribute__((noinline)) static int compute(void) {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  {
    pass_ms(20);
    members = 1;
  }
  return members;
}

// A thread is known from its first region on.
__attribute__((noinline)) static void begin(void) {
#pragma omp parallel num_threads(2)
  pass_ms(0);
}

int main(int count, char** words) {
  int rank, word = 0;
  MPI_Init(&count, &words);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  begin();
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) word = compute();
  MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (rank == 1) word = compute();
  MPI_Finalize();
  return word == 2 ? 0 : 1;
}
