// SPDX-License-Identifier: Apache-2.0
// What MPI moves by itself between two ranks: messages.c prints the rates in GB/s of messages of 64 MB to rank 1 and from
// it, each with its answer, as the copies of offloads.c have.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { times = 11, bytes = 64 << 20 };

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void move(int rank, char *data, int sender) {
  if (rank == sender) {
    MPI_Send(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(NULL, 0, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else {
    MPI_Recv(data, bytes, MPI_BYTE, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(NULL, 0, MPI_BYTE, 1 - rank, 1, MPI_COMM_WORLD);
  }
}

static void rate(const char *name, int rank, char *data, int sender) {
  double took[times];
  for (int i = -1; i < times; i++) {
    double begin = MPI_Wtime();
    move(rank, data, sender);
    if (i >= 0) took[i] = MPI_Wtime() - begin;
  }
  qsort(took, times, sizeof *took, by_size);
  if (rank == 0) printf("%s %.4f\n", name, 1e-9 * bytes / took[times / 2]);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  char *data = malloc(bytes);
  memset(data, rank, bytes);
  rate("to", rank, data, 0);
  rate("from", rank, data, 1);
  free(data);
  MPI_Finalize();
  return 0;
}
