/* SPDX-License-Identifier: Apache-2.0 */
/* What a message costs where nothing else has a use for the core: there and back, and many one after the other,
   outside of regions and inside. Arguments: outside or inside, bytes. Prints microseconds of one way and MB/s. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWarm = 200, kTimes = 2000, kWindow = 64, kWindows = 30, kRounds = 5 };

static double one_way(char *data, int bytes, int rank, int times) {
  double start = MPI_Wtime();
  for (int i = 0; i < times; ++i) {
    if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / times / 2;
}

static double many(char *data, int bytes, int rank) {
  MPI_Request requests[kWindow];
  MPI_Status statuses[kWindow];
  double start = MPI_Wtime();
  for (int w = 0; w < kWindows; ++w) {
    for (int i = 0; i < kWindow; ++i)
      if (rank == 0)
        MPI_Isend(data, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[i]);
      else
        MPI_Irecv(data, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(kWindow, requests, statuses);
    if (rank == 1) MPI_Send(data, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (double)bytes * kWindow * kWindows / (MPI_Wtime() - start);
}

static void measure(int bytes, int rank) {
  char *data = calloc(1, (size_t)bytes);
  double least = 1e9, most = 0;
  one_way(data, bytes, rank, kWarm);
  for (int round = 0; round < kRounds; ++round) {
    double time = one_way(data, bytes, rank, kTimes), rate = many(data, bytes, rank);
    if (time < least) least = time;
    if (rate > most) most = rate;
  }
  if (rank == 0) printf("%.4f %.2f\n", least * 1e6, most * 1e-6);
  free(data);
}

int main(int argc, char **argv) {
  int rank, level, inside = argc > 1 && strcmp(argv[1], "inside") == 0, bytes = argc > 2 ? atoi(argv[2]) : 8;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (inside) {
#pragma omp parallel num_threads(1)
    measure(bytes, rank);
  } else {
    measure(bytes, rank);
  }
  MPI_Finalize();
  return 0;
}
