/* SPDX-License-Identifier: Apache-2.0 */
/* A receive stays what it is where nothing else could run meanwhile, and becomes a non-blocking one elsewhere. Beneath
   it the library that lower_level.c is. Rank 0 prints how many were started where. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int exchange(int rank, int tag) {
  const int *started = dlsym(RTLD_DEFAULT, "receives_started");
  int before = *started, word = rank, other = 1 - rank, came = -1;
  if (rank == 1) MPI_Send(&word, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  MPI_Recv(&came, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&word, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  return came == other ? *started - before : -1;
}

int main(int argc, char **argv) {
  int rank, level, outside, alone = 0, beside = 0, two = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  outside = exchange(rank, 0);
#pragma omp parallel num_threads(1)
  {
    alone = exchange(rank, 0);
#pragma omp task
    exchange(rank, 1);
    beside = exchange(rank, 0) > 0;
#pragma omp taskwait
    alone += exchange(rank, 0);
  }
#pragma omp parallel num_threads(2)
#pragma omp master
  two = exchange(rank, 0);
  if (rank == 0) printf("outside %d alone %d beside a task %d of two %d\n", outside, alone, beside, two);
  MPI_Finalize();
  return 0;
}
