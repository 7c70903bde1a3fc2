/* SPDX-License-Identifier: Apache-2.0 */
/* As many threads as there may be on as many ranks as there are, in collectives of a communicator for each thread
   at the same time. */
#include <mpi.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { kRounds = 20 };

/* The number of faults. */
static int go(MPI_Comm comm, int number) {
  int rank, ranks, faults = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  int *sent = malloc(sizeof(int) * (size_t)ranks), *got = malloc(sizeof(int) * (size_t)ranks);
  for (int round = 0; round < kRounds; ++round) {
    int mine = rank + number * 100 + round, sum = 0, root = rank == round % ranks ? mine : -1;
    MPI_Allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    faults += sum != ranks * (number * 100 + round) + ranks * (ranks - 1) / 2;
    MPI_Bcast(&root, 1, MPI_INT, round % ranks, comm);
    faults += root != round % ranks + number * 100 + round;
    for (int r = 0; r < ranks; ++r) sent[r] = mine * 10 + r;
    MPI_Alltoall(sent, 1, MPI_INT, got, 1, MPI_INT, comm);
    for (int r = 0; r < ranks; ++r) faults += got[r] != (r + number * 100 + round) * 10 + rank;
    MPI_Barrier(comm);
    MPI_Gather(&mine, 1, MPI_INT, got, 1, MPI_INT, round % ranks, comm);
    for (int r = 0; r < ranks && rank == round % ranks; ++r) faults += got[r] != r + number * 100 + round;
  }
  free(got);
  free(sent);
  return faults;
}

int main(int argc, char **argv) {
  int level, rank, faults = 0, all_faults = 0, threads = omp_get_max_threads();
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm *comms = malloc(sizeof(MPI_Comm) * (size_t)threads);
  for (int i = 0; i < threads; ++i) MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
#pragma omp parallel num_threads(threads) reduction(+ : faults)
  faults += go(comms[omp_get_thread_num()], omp_get_thread_num());
  MPI_Allreduce(&faults, &all_faults, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0 && all_faults == 0) puts("right");
  for (int i = 0; i < threads; ++i) MPI_Comm_free(&comms[i]);
  free(comms);
  MPI_Finalize();
  return all_faults != 0;
}
