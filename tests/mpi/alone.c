/* SPDX-License-Identifier: Apache-2.0 */
/* A receive stays what it is where nothing else could run meanwhile, and becomes a non-blocking one elsewhere. Beneath
   it the library that lower_level.c is. Rank 0 prints how many were started where. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

static int exchange(int rank, int tag) {
  const int *started = dlsym(RTLD_DEFAULT, "receives_started");
  int before = *started, word = rank, other = 1 - rank, came = -1;
  if (rank == 1) MPI_Send(&word, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  MPI_Recv(&came, 1, MPI_INT, other, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 0) MPI_Send(&word, 1, MPI_INT, other, tag, MPI_COMM_WORLD);
  return came == other ? *started - before : -1;
}

/* Of a team of two: while the other one runs, and once it waits at a barrier. */
static int beside_another(int rank, int *at_rest) {
  enum { kTimes = 30 };
  int runs = 0, ends = 0;
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) {
      runs = exchange(rank, 0) > 0;
#pragma omp atomic write
      ends = 1;
      for (int i = 0; i < kTimes; ++i) {
        usleep(1000);
        *at_rest = exchange(rank, 0);
      }
    } else {
      for (int end = 0; !end; sched_yield()) {
#pragma omp atomic read
        end = ends;
      }
    }
#pragma omp barrier
  }
  return runs;
}

int main(int argc, char **argv) {
  int rank, level, outside, alone = 0, beside = 0, two, at_rest = 0;
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
  two = beside_another(rank, &at_rest);
  if (rank == 0)
    printf("outside %d alone %d beside a task %d of two %d at rest %d\n", outside, alone, beside, two, at_rest);
  MPI_Finalize();
  return 0;
}
