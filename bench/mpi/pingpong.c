/* SPDX-License-Identifier: Apache-2.0 */
/* What a message costs where nothing else has a use for the core: there and back, and many one after the other,
   outside of regions, before the first and after one, inside as the only thread, and inside while the other thread of a
   team waits at a barrier. Arguments: outside, after, inside or team; bytes. Prints microseconds of one way and MB/s. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { kWarm = 200, kTimes = 2000, kWindow = 64, kWindows = 300, kRounds = 5, kLong = 65536, kFewer = 10 };

static double one_way(char *data, int bytes, int rank, int times) {
  double start = MPI_Wtime();
  for (int i = 0; i < times; ++i) {
    if (rank == 0) MPI_Send(data, bytes, MPI_CHAR, 1, 0, MPI_COMM_WORLD);
    MPI_Recv(data, bytes, MPI_CHAR, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1) MPI_Send(data, bytes, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
  }
  return (MPI_Wtime() - start) / times / 2;
}

static double many(char *data, int bytes, int rank, int windows) {
  MPI_Request requests[kWindow];
  MPI_Status statuses[kWindow];
  double start = MPI_Wtime();
  for (int w = 0; w < windows; ++w) {
    for (int i = 0; i < kWindow; ++i)
      if (rank == 0)
        MPI_Isend(data, bytes, MPI_CHAR, 1, 1, MPI_COMM_WORLD, &requests[i]);
      else
        MPI_Irecv(data, bytes, MPI_CHAR, 0, 1, MPI_COMM_WORLD, &requests[i]);
    MPI_Waitall(kWindow, requests, statuses);
    if (rank == 1) MPI_Send(data, 1, MPI_CHAR, 0, 2, MPI_COMM_WORLD);
    if (rank == 0) MPI_Recv(data, 1, MPI_CHAR, 1, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  return (double)bytes * kWindow * windows / (MPI_Wtime() - start);
}

static void measure(int bytes, int rank) {
  char *data = calloc(1, (size_t)bytes);
  double least = 1e9, most = 0;
  int fewer = bytes >= kLong ? kFewer : 1;
  one_way(data, bytes, rank, kWarm / fewer);
  for (int round = 0; round < kRounds; ++round) {
    double time = one_way(data, bytes, rank, kTimes / fewer), rate = many(data, bytes, rank, kWindows / fewer);
    if (time < least) least = time;
    if (rate > most) most = rate;
  }
  if (rank == 0) printf("%.4f %.2f\n", least * 1e6, most * 1e-6);
  free(data);
}

int main(int argc, char **argv) {
  const char *place = argc > 1 ? argv[1] : "outside";
  int rank, level, bytes = argc > 2 ? atoi(argv[2]) : 8, threads = strcmp(place, "team") == 0 ? 2 : 1, entered = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (strcmp(place, "after") == 0) {
#pragma omp parallel num_threads(2) reduction(+ : entered)
    ++entered;
  }
  if (strcmp(place, "outside") == 0 || entered != 0) {
    measure(bytes, rank);
  } else {
#pragma omp parallel num_threads(threads)
#pragma omp master
    measure(bytes, rank);
  }
  MPI_Finalize();
  return 0;
}
