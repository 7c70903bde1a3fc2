/* SPDX-License-Identifier: Apache-2.0 */
/* A thread sits in a call that blocks as it is, spinning maybe, while its team has one member more than there are cores
   and the others compute: the last one begins all the same, when the operating system lets it and not when somebody
   has noticed or another one is through. Median of some rounds. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { kRounds = 15 };
static const double kBlocked = 40e-3, kBusy = 40e-3, kAtOnce = 12e-3;

/* When the last member has begun, in seconds from the call's begin. */
static double last_begins(MPI_Win window) {
  double call = 0, last = 0;
#pragma omp parallel num_threads(omp_get_num_procs() + 1)
  {
    double begin = MPI_Wtime();
    if (omp_get_thread_num() == 0) {
      call = begin;
      MPI_Win_fence(0, window);
    } else {
#pragma omp critical
      if (begin > last) last = begin;
      while (MPI_Wtime() < begin + kBusy) {
      }
    }
  }
  return last - call;
}

static int compare(const void *left, const void *right) {
  double difference = *(const double *)left - *(const double *)right;
  return (difference > 0) - (difference < 0);
}

int main(int argc, char **argv) {
  int rank, level, memory = 0;
  double last[kRounds];
  MPI_Win window;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_create(&memory, sizeof(memory), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  for (int round = 0; round < kRounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      last[round] = last_begins(window);
    } else {
      usleep((unsigned)(kBlocked * 1e6));
      MPI_Win_fence(0, window);
    }
  }
  if (rank == 0) {
    qsort(last, kRounds, sizeof(last[0]), compare);
    puts(last[kRounds / 2] < kAtOnce ? "right" : "late");
    fprintf(stderr, "beside: after %.1f ms\n", last[kRounds / 2] * 1e3);
  }
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
