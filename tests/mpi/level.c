/* SPDX-License-Identifier: Apache-2.0 */
/* The level that MPI_Init leads to, and what the process is told. Prints the level. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv) {
  int level = -1, rank;
  MPI_Init(&argc, &argv);
  MPI_Query_thread(&level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%s\n", level == MPI_THREAD_MULTIPLE ? "multiple" : level == MPI_THREAD_SINGLE ? "single" : "other");
  MPI_Finalize();
  return 0;
}
