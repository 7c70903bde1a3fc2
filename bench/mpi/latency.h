/* SPDX-License-Identifier: Apache-2.0 */
/* Whether there is anything to hide between ranks: tasks take finer messages than one exchange after the other, and each
   costs microseconds, which shared memory does not give back. */
#ifndef TULLE_BENCH_MPI_LATENCY_H
#define TULLE_BENCH_MPI_LATENCY_H

#include <mpi.h>
#include <stdlib.h>
#include <string.h>

/* By tasks if the first argument is "always", and with "tasks" if 64 KB take longer to a neighbour and back than some
   ten messages and their tasks cost. All ranks decide alike. */
static int wants_tasks(const char *word) {
  enum { kBytes = 65536, kTimes = 3 };
  static const double kCost = 100e-6;
  static char sent[kBytes], got[kBytes];
  double least = 1;
  int ranks, rank;
  if (strcmp(word, "tasks") != 0) return strcmp(word, "always") == 0;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < kTimes; ++i) {
    double start = MPI_Wtime();
    MPI_Sendrecv(sent, kBytes, MPI_CHAR, (rank + 1) % ranks, 0, got, kBytes, MPI_CHAR, (rank + ranks - 1) % ranks, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    double time = MPI_Wtime() - start;
    if (time < least) least = time;
  }
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return least > kCost;
}

#endif
